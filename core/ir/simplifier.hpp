// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/canonical.hpp"
#include "rhino/program.hpp"

namespace rhino::ir {

/// Builds a Program of ops in a form that they share with others which say the same: constants in
/// as few elements and as folded as can be, on the right of operands that may change places; no op
/// that changes nothing, nor reductions over dims of one element; broadcasts and reshapes as one.
/// Ops without operands, and integers and preds (indices, masks, random bits), are made once;
/// floating-point values may be computed again, as recomputation wants. All that it does is exact
/// but for bits of NaNs, for which of 0 and -0 maximum and minimum pick, and for -0 as its own sum.
class Simplifier {
 public:
  explicit Simplifier(Zeros zeros = Zeros::exact) : zeros_(zeros) {}

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
  Found without_effect(Op& op);
  void take_nans(Op& op) const;
  void take_term(Op& op) const;
  Found iota(Op& op);
  Found reduce(const Op& op);
  Found reshape(Op& op);
  Found broadcast(Op& op);
  Found transpose(const Op& op);
  Found reverse(Op& op);
  Found pad(const Op& op);
  Found concatenate(Op& op);

  Zeros zeros_;
  Program program_;
  std::unordered_map<std::size_t, std::vector<ValueId>> made_;  ///< by hash
};

}  // namespace rhino::ir
