// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sharding/rule.hpp"

namespace rhino::sharding {

/// The factors that make up one dim, major to minor.
using DimFactors = std::vector<std::int32_t>;

/// See Halo.
struct Reach {
  std::int64_t before = 0, behind = 0, drift = 0;
  Reduction fill = Reduction::sum;
};

inline std::int64_t rank(const Shape& shape) {
  return static_cast<std::int64_t>(shape.dims.size());
}

/// The value holds zeros for sure.
bool is_zero(const Program& program, ValueId id);

/// Writes the rule of one op. Made with no factors, dims without factors, and no operand that
/// passes sums.
class RuleMaker {
 public:
  RuleMaker(const Program& program, ValueId id);

  const Op& op() const { return op_; }
  const Op& operand_op(std::size_t i) const { return program_.producer(op_.operands[i]); }
  const Shape& shape(std::size_t i) const { return operand_op(i).shape; }
  const Shape& shape() const { return op_.shape; }
  template <class Attributes>
  const Attributes& attributes() const {
    return op_.attributes.get<Attributes>();
  }

  /// A dim made of one new factor; of none where there is one element.
  DimFactors loop(std::int64_t size, Factor::Kind kind = Factor::Kind::parallel,
                  Reduction reduction = Reduction::sum);
  DimFactors blocked(std::int64_t size) { return loop(size, Factor::Kind::blocked); }
  DimFactors reduced(std::int64_t size, Reduction reduction);

  DimFactors& result(std::int64_t dim) { return rule_.result[static_cast<std::size_t>(dim)]; }
  DimFactors& operand(std::size_t i, std::int64_t dim) {
    return rule_.operands[i][static_cast<std::size_t>(dim)];
  }
  /// Result dim `result_dim` and dim `dim` of operand `i` run together.
  void join(std::size_t i, std::int64_t dim, std::int64_t result_dim, bool whole = true);

  /// A factor of blocks of positions of windows, at least `least_part` in a part; of none where
  /// there is one block.
  DimFactors windows(std::int64_t num_blocks, Factor::Kind kind, std::int64_t least_part);
  /// A dim of `extent` elements, as many for each of `blocks` blocks.
  DimFactors in_blocks(const DimFactors& blocks, std::int64_t extent);
  /// Dim `dim` of operand `i` reaches into neighbours where `blocks` are cut.
  void reaches(std::size_t i, std::int64_t dim, const DimFactors& blocks, const Reach& reach);

  /// Truth values have no sum.
  void passes_sum(std::size_t i) { rule_.passes_sum[i] = shape(i).dtype != DType::pred; }
  void passes_sum_together() { rule_.sum_together = true; }

  OpRule finish() && { return std::move(rule_); }

  /// Operand `i` holds zeros for sure.
  bool is_zero(std::size_t i) const;

 private:
  const Program& program_;
  const Op& op_;
  OpRule rule_;
};

void source_rule(RuleMaker& maker);       ///< parameter, constant, iota, rng, axis_index
void elementwise_rule(RuleMaker& maker);  ///< of one, two and three operands
void movement_rule(RuleMaker& maker);  ///< broadcast, transpose, slice, pad, concatenate, reverse
void reshape_rule(RuleMaker& maker);
void contraction_rule(RuleMaker& maker);  ///< reduce, dot
void convolution_rule(RuleMaker& maker);
void indexing_rule(RuleMaker& maker);  ///< gather, scatter
void window_rule(RuleMaker& maker);    ///< dynamic slices, windows, sort: dims taken whole
void whole_rule(RuleMaker& maker);     ///< of ops that have no rule: no dim may be cut

}  // namespace rhino::sharding
