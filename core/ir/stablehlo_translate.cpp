// SPDX-License-Identifier: Apache-2.0
#include "ir/stablehlo_translate.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "ir/hlo_attributes.hpp"
#include "ir/hlo_importer.hpp"
#include "ir/hlo_text.hpp"
#include "ir/hlo_write.hpp"
#include "ir/stablehlo_attributes.hpp"
#include "ir/stablehlo_functions.hpp"
#include "ir/stablehlo_values.hpp"
#include "ir/stablehlo_writer.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::ir::stablehlo {
namespace {

std::string_view without_dialect(std::string_view name) {
  for (std::string_view dialect : {"stablehlo.", "chlo.", "func.", "mhlo."}) {
    if (name.starts_with(dialect)) return name.substr(dialect.size());
  }
  return name;
}

using Shapes = Few<std::string_view, 2>;

class Translator : Writer {
 public:
  using Writer::Writer;

  hlo::Module run() {
    result_.name = module_.name.empty() ? "module" : module_.name;
    const Function& main = entry();
    for (const Function& function : module_.functions) translate(function, &function == &main);
    return std::move(result_);
  }

 private:
  const Function& entry() const {
    for (const Function& function : module_.functions) {
      if (function.name == "main") return function;
    }
    throw Error(file_ + ":1:1: no function is @main");
  }

  void translate(const Function& function, bool is_entry) {
    Scope scope;
    line_ = function.line, column_ = function.column;
    for (std::size_t k = 0; k < function.body.arguments.size(); ++k) {
      const Argument& argument = function.body.arguments[k];
      at_place(argument.name, [&] {
        scope.define(argument.name, add(scope, {argument.name,
                                                shape_of(argument.type),
                                                "parameter",
                                                keep(std::to_string(k)),
                                                {},
                                                argument.location}));
      });
    }
    translate_ops(scope, function.body);
    finish(scope, keep(std::string(function.name)), is_entry, scope.returned.size() != 1);
    if (!is_entry) return;
    at_place("", [&] { read_aliases(function, scope.returned.size() != 1); });
  }

  void translate_ops(Scope& scope, const Region& region) {
    scope.instructions.reserve(scope.instructions.size() + region.ops.size() +
                               region.ops.size() / 8);
    for (const Op& op : region.ops) {
      line_ = op.line, column_ = op.column;
      at_place(op.result, [&] { translate(scope, op); });
    }
  }

  Values operands(Scope& scope, const Op& op) {
    Values values;
    for (std::string_view name : op.operands) values.push_back(scope.find(name));
    return values;
  }

  Value first_operand(Scope& scope, const Op& op) {
    if (op.operands.empty()) throw Error(std::string(op.name) + " has no operand");
    return scope.find(op.operands[0]);
  }

  Shapes result_shapes(const Op& op) {
    Shapes shapes;
    for (std::string_view type : op.result_types) shapes.push_back(shape_of(type));
    return shapes;
  }

  /// Results of `tuple`, by the names that the text gives them.
  void define_elements(Scope& scope, const Op& op, const Value& tuple, const Shapes& shapes) {
    const std::string name(op.result);
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const Value element =
          add_element(scope, tuple, k, {keep(name + ".r" + std::to_string(k)), shapes[k]});
      scope.define(keep(name + "#" + std::to_string(k)), element);
      if (k < op.more_results.size() + 1 && (shapes.size() == 1 || !op.more_results.empty())) {
        scope.define(k == 0 ? op.result : op.more_results[k - 1], element);
      }
    }
  }

  void translate(Scope& scope, const Op& op) {
    const std::string_view name = without_dialect(op.name);
    if (name == "return") {
      scope.returned = operands(scope, op);
      return;
    }
    if (name == "while") return translate_while(scope, op);
    if (name == "case" || name == "if") return translate_branches(scope, op);
    if (name == "optimization_barrier" || name == "call" || name == "composite") {
      return translate_call(scope, op, name);
    }
    if (op.result_types.empty()) throw Error(std::string(op.name) + " has no type");
    if (name == "constant") return translate_constant(scope, op);
    if (name == "broadcast_in_dim") return translate_broadcast(scope, op);
    if (is_function(name)) return translate_function(scope, op, name);
    Values values = operands(scope, op);
    HloAttributes attributes = hlo_attributes(name, op);
    if (name == "reduce") arrange_reduce(op, values);
    add_computations(name, op, attributes);
    if (name == "square") values = {first_operand(scope, op), first_operand(scope, op)};
    define_results(scope, op, opcode_of(name), values, std::move(attributes));
  }

  std::string_view opcode_of(std::string_view name) {
    if (name == "dot_general") return "dot";
    if (name == "top_k") return "topk";
    if (name == "square") return "multiply";
    if (name.find('_') == std::string_view::npos) return name;
    std::string opcode(name);
    std::ranges::replace(opcode, '_', '-');
    return keep(opcode);
  }

  void define_results(Scope& scope, const Op& op, std::string_view opcode, const Values& values,
                      HloAttributes attributes) {
    Shapes shapes = result_shapes(op);
    // `select %p, %a, %b : tensor<i1>, tensor<f32>` lists operands' types, the result's last.
    if (op.operand_types.empty() && shapes.size() > 1) shapes = {shapes.back()};
    const std::string_view name = op.result;
    if (shapes.size() == 1) {
      return scope.define(op.result, add(scope, {name, shapes[0], opcode, arguments_text(values),
                                                 std::move(attributes), op.location}));
    }
    Values elements;
    for (std::string_view shape : shapes) elements.push_back({"", shape});
    const Value tuple = add(scope, {name, tuple_shape(elements), opcode, arguments_text(values),
                                    std::move(attributes), op.location});
    define_elements(scope, op, tuple, shapes);
  }

  void translate_constant(Scope& scope, const Op& op) {
    const bool is_generic = op.attributes.contains("value");
    std::string_view text = is_generic         ? op.attributes["value"]
                            : op.words.empty() ? std::string_view()
                                               : op.words[0];
    if (const std::size_t colon = text.rfind(" : "); colon != std::string_view::npos) {
      text = text.substr(0, colon);
    }
    scope.define(op.result, add(scope, {op.result, shape_of(op.result_types[0]), "constant",
                                        keep(hlo_literal(text, op.result_types[0]))}));
  }

  /// A call of a computation for this shape.
  void translate_function(Scope& scope, const Op& op, std::string_view function) {
    const std::string shape(shape_of(op.result_types[0]));
    std::string& name = applied_[std::string(function) + shape];
    if (name.empty()) {
      name = next_name();
      hlo::Module made =
          hlo::parse_module(keep(function_text(function, name, shape)), std::string(function));
      result_.computations.push_back(std::move(made.computations.at(0)));
    }
    scope.define(op.result, add(scope, {op.result,
                                        shape_of(op.result_types[0]),
                                        "call",
                                        arguments_text(operands(scope, op)),
                                        {{"to_apply", name}}}));
  }

  /// Dims of one element are dropped first: HLO repeats whole dims only.
  void translate_broadcast(Scope& scope, const Op& op) {
    Value operand = first_operand(scope, op);
    const std::string_view pretty = op.attributes["dims"],
                           generic = op.attributes["broadcast_dimensions"];
    const std::vector<std::int64_t> dims = read_integers(!pretty.empty()    ? pretty
                                                         : !generic.empty() ? generic
                                                                            : "[]");
    const std::string_view shape = shape_of(op.result_types[0]);
    const hlo::Dims from = hlo::read_dims(operand.shape), to = hlo::read_dims(shape);
    hlo::Dims kept, kept_dims;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const std::int64_t dim = dims[d];
      if (d >= from.size() || dim < 0 || dim >= std::ssize(to)) {
        throw Error("dims are not those of " + std::string(operand.shape) + " in " +
                    std::string(shape));
      }
      if (from[d] == 1 && to[at(dim)] != 1) continue;
      kept.push_back(from[d]);
      kept_dims.push_back(dim);
    }
    if (kept != from) {
      const std::string dtype(operand.shape.substr(0, operand.shape.find('[')));
      operand =
          add(scope, {keep(std::string(op.result) + ".kept"),
                      keep(dtype + "[" + hlo::joined(kept, ',') + "]"), "reshape", operand.name});
    }
    scope.define(op.result, add(scope, {op.result,
                                        shape,
                                        "broadcast",
                                        operand.name,
                                        {{"dimensions", "{" + hlo::joined(kept_dims, ',') + "}"}},
                                        op.location}));
  }

  /// `%x init: %a, %y init: %b` as x, y, a, b.
  static void arrange_reduce(const Op& op, Values& values) {
    if (std::ranges::find(op.words, "init") == op.words.end()) return;
    Values arranged;
    for (std::size_t side : {0, 1}) {
      for (std::size_t k = side; k < values.size(); k += 2) arranged.push_back(values[k]);
    }
    values = std::move(arranged);
  }

  void add_computations(std::string_view name, const Op& op, HloAttributes& attributes) {
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

  std::string next_name() { return "region." + std::to_string(num_regions_++); }

  /// A region of scalars as a computation.
  std::string reducer(const Region& region) {
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

  /// `applies stablehlo.add`
  std::string applied(const Op& op) {
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

  void translate_call(Scope& scope, const Op& op, std::string_view name) {
    Values values = operands(scope, op);
    if (name == "optimization_barrier") {
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

  /// Puts what a computation with captures reads before its ops: elements of its one parameter.
  void add_state(Scope& scope, const std::vector<Argument>& arguments, const Captures& captures,
                 std::string_view shape) {
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

  void translate_while(Scope& scope, const Op& op) {
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

  void translate_branches(Scope& scope, const Op& op) {
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

  std::map<std::string, std::string> applied_;
  int num_regions_ = 0;
};

}  // namespace

hlo::Module translate(const Module& module, const std::string& file) {
  return Translator(module, file).run();
}

}  // namespace rhino::ir::stablehlo

namespace rhino::ir {

Program parse_stablehlo(std::string_view text, const std::string& file,
                        const ImportOptions& options) {
  const stablehlo::Module module = stablehlo::parse_module(text, file);
  const hlo::Module translated = stablehlo::translate(module, file);
  return hlo::Importer(translated, file, options).run();
}

}  // namespace rhino::ir
