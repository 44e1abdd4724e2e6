// SPDX-License-Identifier: Apache-2.0
// Regions and what runs them: reducers, calls, loops, branches.
#include <iterator>

#include "ir/stablehlo_functions.hpp"
#include "ir/stablehlo_translator.hpp"
#include "rhino/error.hpp"

namespace rhino::ir::stablehlo {

void Translator::arrange_reduce(const Op& op, Values& values) {
  if (std::ranges::find(op.words, "init") == op.words.end()) return;
  Values arranged;
  for (std::size_t side : {0, 1}) {
    for (std::size_t k = side; k < values.size(); k += 2) arranged.push_back(values[k]);
  }
  values = std::move(arranged);
}

void Translator::add_computations(std::string_view name, const Op& op, HloAttributes& attributes) {
  if (name == "select_and_scatter") {
    if (op.regions.size() != 2) throw Error("wants two regions");
    attributes.emplace_back("select", reducer(op.regions[0]));
    attributes.emplace_back("scatter", reducer(op.regions[1]));
  } else if (!op.regions.empty()) {
    attributes.emplace_back("to_apply", reducer(op.regions[0]));
  } else if (name == "reduce") {
    attributes.emplace_back("to_apply", applied(op));
  }
}

std::string Translator::reducer(const Region& region) {
  Scope scope;
  const std::int32_t line = line_, column = column_;
  for (std::size_t k = 0; k < region.arguments.size(); ++k) {
    const Argument& argument = region.arguments[k];
    scope.define(argument.name, add(scope, {argument.name, shape_of(argument.type), "parameter",
                                            keep(std::to_string(k))}));
  }
  translate_ops(scope, region);
  if (scope.returned.empty()) throw Error("a region returns nothing");
  const std::string name = next_name();
  finish(scope, keep(name), false, scope.returned.size() != 1);
  line_ = line, column_ = column;
  return name;
}

std::string Translator::applied(const Op& op) {
  for (std::string_view word : op.words) {
    if (!word.starts_with("stablehlo.")) continue;
    const std::string_view opcode = opcode_of(without_dialect(word));
    const std::string shape(shape_of(op.result_types[0]));
    const std::string dtype = shape.substr(0, shape.find('['));
    std::string& name = applied_[std::string(opcode) + dtype + "[]"];
    if (!name.empty()) return name;
    name = next_name();
    const std::string_view scalar = keep(dtype + "[]");
    Scope scope;
    const Value a = add(scope, {"a", scalar, "parameter", "0"});
    const Value b = add(scope, {"b", scalar, "parameter", "1"});
    scope.returned = {add(scope, {"r", scalar, opcode, arguments_text({a, b})})};
    finish(scope, keep(name), false, false);
    return name;
  }
  throw Error("names no reduction");
}

void Translator::translate_call(Scope& scope, const Op& op, std::string_view name) {
  Values values = operands(scope, op);
  if (changes_nothing(name)) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (values.size() == 1) scope.define(op.result, values[0]);
      scope.define(keep(std::string(op.result) + "#" + std::to_string(k)), values[k]);
    }
    return;
  }
  std::string_view callee = op.attributes[name == "call" ? "callee" : "decomposition"];
  if (callee.empty() && !op.words.empty()) callee = op.words[0];
  if (callee.starts_with('@')) callee.remove_prefix(1);
  const Shapes shapes = result_shapes(op);
  Values elements;
  for (std::string_view shape : shapes) elements.push_back({"", shape});
  const std::string result(op.result);
  const Value called = add(scope, {shapes.size() == 1 ? op.result : keep(result + ".called"),
                                   shapes.size() == 1 ? shapes[0] : tuple_shape(elements),
                                   "call",
                                   arguments_text(values),
                                   {{"to_apply", std::string(callee)}}});
  if (shapes.size() == 1) scope.define(op.result, called);
  else define_elements(scope, op, called, shapes);
}

void Translator::add_state(Scope& scope, const std::vector<Argument>& arguments,
                           const Captures& captures, std::string_view shape) {
  Scope head;
  const Value state = add(head, {"state", shape, "parameter", "0"});
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    add_element(head, state, k, {arguments[k].name, shape_of(arguments[k].type)});
  }
  for (std::size_t number : scope.used()) {
    add_element(head, state, arguments.size() + number, scope.find(captures.names[number]));
  }
  scope.instructions.insert(scope.instructions.begin(),
                            std::make_move_iterator(head.instructions.begin()),
                            std::make_move_iterator(head.instructions.end()));
}

void Translator::translate_while(Scope& scope, const Op& op) {
  Values values = operands(scope, op);
  if (op.regions.size() != 2) throw Error("wants a condition and a body");
  Captures captures{scope, keeper()};
  Scope condition(&captures), body(&captures);
  for (Scope* inner : {&condition, &body}) {
    const Region& region = op.regions[inner == &body];
    for (const Argument& argument : region.arguments) {
      inner->define(argument.name, {argument.name, shape_of(argument.type)});
    }
    translate_ops(*inner, region);
  }
  line_ = op.line, column_ = op.column;
  if (condition.returned.size() != 1 || body.returned.size() != values.size()) {
    throw Error("the regions of a loop do not return what it takes");
  }
  // What is captured goes round with the state.
  for (std::string_view name : captures.names) values.push_back(scope.find(name));
  for (std::string_view name : captures.names) body.returned.push_back(body.find(name));
  const std::string_view shape = tuple_shape(values);
  std::string names[2];
  for (Scope* inner : {&condition, &body}) {
    const bool is_body = inner == &body;
    add_state(*inner, op.regions[is_body].arguments, captures, shape);
    names[is_body] = next_name();
    finish(*inner, keep(names[is_body]), false, is_body);
  }
  const std::string result(op.result);
  const Value in = add(scope, {keep(result + ".in"), shape, "tuple", arguments_text(values)});
  const Value loop = add(scope, {keep(result + ".loop"),
                                 shape,
                                 "while",
                                 in.name,
                                 {{"condition", names[0]}, {"body", names[1]}}});
  define_elements(scope, op, loop, result_shapes(op));
}

void Translator::translate_branches(Scope& scope, const Op& op) {
  const Value which = first_operand(scope, op);
  const std::string result(op.result);
  std::string arguments(which.name), names;
  for (const Region& region : op.regions) {
    Captures captures{scope, keeper()};
    Scope branch(&captures);
    translate_ops(branch, region);
    line_ = op.line, column_ = op.column;
    Values values;
    for (std::string_view name : captures.names) values.push_back(scope.find(name));
    add_state(branch, {}, captures, tuple_shape(values));
    const std::string name = next_name();
    finish(branch, keep(name), false, true);
    add(scope, {keep(result + "." + name), tuple_shape(values), "tuple", arguments_text(values)});
    arguments += ", " + result + "." + name;
    names += (names.empty() ? "" : ", ") + name;
  }
  const Shapes shapes = result_shapes(op);
  Values elements;
  for (std::string_view shape : shapes) elements.push_back({"", shape});
  const Value chosen = add(scope, {keep(result + ".chosen"),
                                   tuple_shape(elements),
                                   "conditional",
                                   keep(arguments),
                                   {{"branch_computations", "{" + names + "}"}}});
  define_elements(scope, op, chosen, shapes);
}

}  // namespace rhino::ir::stablehlo
