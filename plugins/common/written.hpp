// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "rhino/search.hpp"

/// Strategies as a person would write them: weights as they are cut, and the axis that cuts the
/// batch; all else follows by propagation.
namespace rhino::common {

namespace detail {

/// Per value whether a dot, convolution or gather reads it, as it is or in another shape or dtype.
inline std::vector<bool> read_by_heavy(const Program& program) {
  std::vector<bool> is_read(at(program.size()));
  for (ValueId id = program.size(); id-- > 0;) {
    const Op& op = program.op(id);
    if (op.phase != Phase::forward) continue;
    const bool is_heavy =
        op.kind == OpKind::dot || op.kind == OpKind::convolution || op.kind == OpKind::gather;
    if (!is_heavy && !(op.operands.size() == 1 && is_read[at(id)])) continue;
    for (const ValueId operand : op.operands) is_read[at(operand)] = true;
  }
  return is_read;
}

/// The last axis that cuts samples; -2: none.
inline AxisId batch_axis(const Program& program, const Strategy& strategy) {
  AxisId axis = -2;
  for (const Input& input : program.inputs) {
    if (input.kind != InputKind::batch || program.shape(input.value).dims.empty()) continue;
    for (const AxisSplit& split : strategy.specs[at(input.value)].dims.front().splits)
      if (split.axis != kMicroAxis) axis = split.axis;
  }
  return axis;
}

inline Annotation annotation(ValueId id, const ShardingSpec& spec, AxisId batch_axis) {
  Annotation made{id, std::vector<std::vector<AxisId>>(spec.dims.size())};
  for (std::size_t d = 0; d < spec.dims.size(); ++d) {
    for (const AxisSplit& split : spec.dims[d].splits)
      if (split.axis != kMicroAxis && split.axis != batch_axis) made.dims[d].push_back(split.axis);
  }
  return made;
}

}  // namespace detail

/// Of `strategy`, its chunks, micro-batches and what it makes anew. Small parameters that lie oddly
/// would pull all else along: those that no dot reads are left to propagation. `all`: they are not.
inline StrategyDraft written(const Program& program, const Strategy& strategy, bool all) {
  StrategyDraft draft;
  draft.name = strategy.name + ", propagated";
  draft.num_micro_batches = strategy.num_micro_batches;
  draft.chunks = strategy.chunks;
  draft.chunk_of = strategy.chunk_of;
  draft.batch_axis = detail::batch_axis(program, strategy);
  draft.recompute = strategy.recompute;
  const std::vector<bool> is_read = detail::read_by_heavy(program);
  for (const Input& input : program.inputs) {
    if (input.kind != InputKind::parameter || (!all && !is_read[at(input.value)])) continue;
    draft.annotations.push_back(detail::annotation(input.value, strategy.specs[at(input.value)],
                                                   all ? -2 : draft.batch_axis));
  }
  return draft;
}

/// Weights cut as they are there; the batch alone, over the only axis; and all parameters so. The
/// first ones promise the most.
inline std::vector<StrategyDraft> written_ways(const Program& program, const Strategy& strategy) {
  std::vector<StrategyDraft> drafts{written(program, strategy, false)};
  if (strategy.chunks.front().mesh.axes.size() == 1) {
    drafts.push_back(drafts.front());
    drafts.back().annotations.clear();
    drafts.back().batch_axis = 0;
  }
  drafts.push_back(written(program, strategy, true));
  return drafts;
}

/// The least step by estimate of these, with states cut like the batch where `zero`; infinite: none
/// can be made.
inline double written_s(const Program& program, Strategies& strategies, const Strategy& strategy,
                        bool zero) {
  double least_s = std::numeric_limits<double>::infinity();
  for (StrategyDraft& draft : written_ways(program, strategy)) {
    draft.zero_stage = zero && draft.batch_axis >= 0 ? 1 : 0;
    try {
      least_s = std::min(least_s, strategies.estimate(strategies.complete(draft)).step_s);
    } catch (const Error&) {
      continue;  // the batch does not divide by so many devices, or dims are cut into strips
    }
  }
  return least_s;
}

}  // namespace rhino::common
