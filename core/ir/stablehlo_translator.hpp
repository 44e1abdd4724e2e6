// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ir/few.hpp"
#include "ir/stablehlo_attributes.hpp"
#include "ir/stablehlo_values.hpp"
#include "ir/stablehlo_writer.hpp"

namespace rhino::ir::stablehlo {

/// `add` for `stablehlo.add`.
std::string_view without_dialect(std::string_view name);

/// Whether results are what an op takes: where it says that they are to lie, say.
bool changes_nothing(std::string_view op);

/// Writes the functions of a module as computations. One op each in stablehlo_translate.cpp; what
/// has regions or calls functions in stablehlo_regions.cpp.
class Translator : Writer {
 public:
  using Writer::Writer;

  hlo::Module run();

 private:
  using Shapes = Few<std::string_view, 2>;

  const Function& entry() const;
  void translate(const Function& function, bool is_entry);
  void translate_ops(Scope& scope, const Region& region);
  Values operands(Scope& scope, const Op& op);
  Value first_operand(Scope& scope, const Op& op);
  Shapes result_shapes(const Op& op);
  /// Results of `tuple`, by the names that the text gives them.
  void define_elements(Scope& scope, const Op& op, const Value& tuple, const Shapes& shapes);
  void translate(Scope& scope, const Op& op);
  std::string_view opcode_of(std::string_view name);
  void define_results(Scope& scope, const Op& op, std::string_view opcode, const Values& values,
                      HloAttributes attributes);
  void translate_constant(Scope& scope, const Op& op);
  /// A call of a computation for this shape.
  void translate_function(Scope& scope, const Op& op, std::string_view function);
  /// Dims of one element are dropped first: HLO repeats whole dims only.
  void translate_broadcast(Scope& scope, const Op& op);
  /// `%x init: %a, %y init: %b` as x, y, a, b.
  static void arrange_reduce(const Op& op, Values& values);
  void add_computations(std::string_view name, const Op& op, HloAttributes& attributes);
  std::string next_name() { return "region." + std::to_string(num_regions_++); }
  /// A region of scalars as a computation.
  std::string reducer(const Region& region);
  /// `applies stablehlo.add`
  std::string applied(const Op& op);
  void translate_call(Scope& scope, const Op& op, std::string_view name);
  /// Puts what a computation with captures reads before its ops: elements of its one parameter.
  void add_state(Scope& scope, const std::vector<Argument>& arguments, const Captures& captures,
                 std::string_view shape);
  void translate_while(Scope& scope, const Op& op);
  void translate_branches(Scope& scope, const Op& op);

  std::map<std::string, std::string> applied_;  ///< names of computations, by what they are of
  int num_regions_ = 0;
};

}  // namespace rhino::ir::stablehlo
