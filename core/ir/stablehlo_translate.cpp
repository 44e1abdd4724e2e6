// SPDX-License-Identifier: Apache-2.0
#include "ir/stablehlo_translate.hpp"

#include <algorithm>

#include "ir/hlo_attributes.hpp"
#include "ir/hlo_importer.hpp"
#include "ir/hlo_text.hpp"
#include "ir/hlo_write.hpp"
#include "ir/stablehlo_attributes.hpp"
#include "ir/stablehlo_functions.hpp"
#include "ir/stablehlo_translator.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::ir::stablehlo {

bool changes_nothing(std::string_view op) {
  return op == "optimization_barrier" || op == "sdy.sharding_constraint" || op == "sdy.reshard" ||
         op == "sdy.propagation_barrier";
}

std::string_view without_dialect(std::string_view name) {
  for (std::string_view dialect : {"stablehlo.", "chlo.", "func.", "mhlo."}) {
    if (name.starts_with(dialect)) return name.substr(dialect.size());
  }
  return name;
}

hlo::Module Translator::run() {
  result_.name = module_.name.empty() ? "module" : module_.name;
  const Function& main = entry();
  for (const Function& function : module_.functions) translate(function, &function == &main);
  return std::move(result_);
}

const Function& Translator::entry() const {
  for (const Function& function : module_.functions) {
    if (function.name == "main") return function;
  }
  throw Error(file_ + ":1:1: no function is @main");
}

void Translator::translate(const Function& function, bool is_entry) {
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

void Translator::translate_ops(Scope& scope, const Region& region) {
  scope.instructions.reserve(scope.instructions.size() + region.ops.size() + region.ops.size() / 8);
  for (const Op& op : region.ops) {
    line_ = op.line, column_ = op.column;
    at_place(op.result, [&] { translate(scope, op); });
  }
}

Values Translator::operands(Scope& scope, const Op& op) {
  Values values;
  for (std::string_view name : op.operands) values.push_back(scope.find(name));
  return values;
}

Value Translator::first_operand(Scope& scope, const Op& op) {
  if (op.operands.empty()) throw Error(std::string(op.name) + " has no operand");
  return scope.find(op.operands[0]);
}

Translator::Shapes Translator::result_shapes(const Op& op) {
  Shapes shapes;
  for (std::string_view type : op.result_types) shapes.push_back(shape_of(type));
  return shapes;
}

void Translator::define_elements(Scope& scope, const Op& op, const Value& tuple,
                                 const Shapes& shapes) {
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

void Translator::translate(Scope& scope, const Op& op) {
  const std::string_view name = without_dialect(op.name);
  if (name == "return") {
    scope.returned = operands(scope, op);
    return;
  }
  if (name == "while") return translate_while(scope, op);
  if (name == "case" || name == "if") return translate_branches(scope, op);
  if (changes_nothing(name) || name == "call" || name == "composite") {
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

std::string_view Translator::opcode_of(std::string_view name) {
  if (name == "dot_general") return "dot";
  if (name == "top_k") return "topk";
  if (name == "square") return "multiply";
  if (name.find('_') == std::string_view::npos) return name;
  std::string opcode(name);
  std::ranges::replace(opcode, '_', '-');
  return keep(opcode);
}

void Translator::define_results(Scope& scope, const Op& op, std::string_view opcode,
                                const Values& values, HloAttributes attributes) {
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

void Translator::translate_constant(Scope& scope, const Op& op) {
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

void Translator::translate_function(Scope& scope, const Op& op, std::string_view function) {
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

void Translator::translate_broadcast(Scope& scope, const Op& op) {
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
