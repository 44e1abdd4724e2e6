// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "rhino/error.hpp"
#include "sharding/assignment.hpp"

namespace rhino::sharding {

/// Spreads the splits by `axis` of `seeds` to all ops that they reach forward and backward through
/// ops with `open`, where the axis is still free: through elementwise and shape ops first, then
/// through one dot (or other contraction or lookup) at a time. First come stays.
void spread(Assignment& assignment, AxisId axis, const std::vector<ValueId>& seeds,
            const std::vector<bool>& open);

/// An op keeps the batch from being cut into micro-batches.
class CouplesBatch : public Error {
 public:
  CouplesBatch(ValueId op, const std::string& sentence) : Error(sentence), op_(op) {}
  ValueId op() const { return op_; }

 private:
  ValueId op_;
};

/// Cuts everything that depends on batch inputs into micro-batches along their dim 0. Returns which
/// ops wait for a value summed over micro-batches: they run once per step. Where an op couples the
/// batch, nothing is cut if there is one micro-batch; of several, throws CouplesBatch.
std::vector<bool> split_micro_batches(Assignment& assignment);

/// Cuts the batch inputs, the annotated values and all that follows from them by the axes of the
/// mesh, batch axis first. `annotated` marks values whose axes are given. Throws Error naming an
/// annotation that does not fit.
void split_by_annotations(Assignment& assignment, const StrategyDraft& draft,
                          const std::vector<bool>& annotated);

/// Cuts optimizer states and updates as their parameters are, and by the draft's zero_stage.
void split_optimizer(Assignment& assignment, const StrategyDraft& draft,
                     const std::vector<bool>& annotated);

/// Axes along which partial sums pass through ops instead of being reduced in front of them: where
/// the op is linear, is their only reader and makes them no larger. [id]
std::vector<std::vector<LinearPass>> pass_sums(const Assignment& assignment);

}  // namespace rhino::sharding
