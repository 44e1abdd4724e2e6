// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "rhino/program.hpp"

namespace rhino::ir {

/// Builds a Program of ops in a form that they share with others which say the same: constants in
/// as few elements and as folded as can be, on the right of operands that may change places; no op
/// that changes nothing; broadcasts and reshapes as one. Ops without operands, and integers and
/// preds (indices, masks, random bits), are made once; floating-point values may be computed again,
/// as recomputation wants. -0 + 0 is taken as -0, as XLA does.
class Simplifier {
 public:
  /// A value that holds what `op` yields, whose operands are values of program().
  ValueId add(Op op);
  const Program& program() const { return program_; }
  Program& program() { return program_; }

 private:
  using Found = std::optional<ValueId>;
  ValueId make(Op op);
  ValueId splat(const Shape& shape, double element, Phase phase);
  const Op& source(const Op& op, std::size_t k = 0) const;
  bool is_splat(ValueId value, std::optional<double> element = {}) const;

  // One form each; none: `op` is in it already. They may change `op`.
  Found constant(Op& op);
  Found folded(const Op& op);
  Found without_effect(const Op& op);
  Found iota(Op& op);
  Found reshape(Op& op);
  Found broadcast(Op& op);
  Found transpose(const Op& op);
  Found reverse(Op& op);
  Found pad(const Op& op);
  Found concatenate(Op& op);

  Program program_;
  std::unordered_map<std::size_t, std::vector<ValueId>> made_;  ///< by hash
};

}  // namespace rhino::ir
