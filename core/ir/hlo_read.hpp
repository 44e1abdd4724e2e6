// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <unordered_map>

#include "ir/hlo_syntax.hpp"
#include "rhino/program.hpp"

/// Attributes of ops from HLO text. All readers throw Error without a place.
namespace rhino::ir::hlo {

/// The op that joins two values as `reduction` does.
OpKind combining_op(Reduction reduction);

/// Reads the attributes of ops; reductions are the computations of a module.
class AttributeReader {
 public:
  explicit AttributeReader(const Module& module);

  Attributes read(OpKind kind, const Instruction& instruction) const;
  /// The reduction whose start value operand `k` of `instruction` is; none for other operands.
  std::optional<Reduction> start_reduction(const Instruction& instruction, std::size_t k) const;

 private:
  /// The root of a computation that is one op of its first two parameters; null otherwise.
  const Instruction* find_pair_op(std::string_view computation) const;
  Reduction reduction(std::string_view computation) const;
  Reduction choice(std::string_view computation) const;
  DimAttr read_sort(const Instruction& instruction) const;
  WindowAttr read_window_op(OpKind kind, const Instruction& instruction) const;

  std::unordered_map<std::string_view, const Computation*> computations_;
};

/// A constant that holds one number however large it is: a broadcast marked in its frontend
/// attributes.
bool is_splat(const Instruction& instruction);
/// Whether a scalar constant leaves `reduction` unchanged.
bool is_neutral(Reduction reduction, const Instruction& constant);

}  // namespace rhino::ir::hlo
