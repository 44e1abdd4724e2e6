// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <unordered_map>

#include "ir/hlo_reducer.hpp"
#include "ir/hlo_syntax.hpp"
#include "rhino/program.hpp"

/// Attributes of ops from HLO text. All readers throw Error without a place.
namespace rhino::ir::hlo {

/// Reads the attributes of ops; reductions are the computations of a module.
class AttributeReader {
 public:
  explicit AttributeReader(const Module& module);

  Attributes read(OpKind kind, const Instruction& instruction) const;
  /// The reduction whose start value operand `k` of `instruction` is; none for other operands.
  std::optional<Reduction> start_reduction(const Instruction& instruction, std::size_t k) const;

  /// Throws Error if there is none.
  const Computation& computation(std::string_view name) const;

  // What readers of attributes ask of the computation that one names; they throw Error if it is
  // none of the kind.
  Reduction reduction(std::string_view computation) const;
  /// Of select-and-scatter: max or min.
  Reduction choice(std::string_view computation) const;
  Order order(std::string_view computation) const;
  /// Of a scatter, all but its reduction.
  static ScatterAttr scatter_dims(const Instruction& instruction);

 private:
  std::unordered_map<std::string_view, const Computation*> computations_;
};

/// `{1}`
std::int64_t read_only_dim(std::string_view text);
/// Of collectives and axis_index: the axes they name.
Attributes read_axes(const Instruction& instruction, const AttributeReader& reader);

/// A constant that holds one number however large it is: a broadcast marked in its frontend
/// attributes.
bool is_splat(const Instruction& instruction);
/// Whether a scalar constant leaves `reduction` unchanged.
bool is_neutral(Reduction reduction, const Instruction& constant);

}  // namespace rhino::ir::hlo
