// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <map>
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

/// Axes along which devices hold terms of what a forward op yields, and which it adds up: of a dot
/// where they split the weight's terms, of what is looked up in a table where they split its rows,
/// or of operands that are such terms. None: devices hold terms of the result, too.
inline std::vector<AxisId> summed_axes(const Strategy& strategy, const Op& op, ValueId id) {
  std::vector<AxisId> axes;
  const auto take = [&](const auto& entries) {
    for (const auto& entry : entries)
      if (entry.axis != kMicroAxis && std::ranges::count(axes, entry.axis) == 0)
        axes.push_back(entry.axis);
  };
  const auto take_dims = [&](ValueId operand, const std::vector<std::int64_t>& dims) {
    for (const std::int64_t dim : dims) take(strategy.specs[at(operand)].dims[at(dim)].splits);
  };
  if (op.phase != Phase::forward) return {};
  take(strategy.specs[at(id)].partial);
  if (!axes.empty()) return {};
  for (const ValueId operand : op.operands) take(strategy.specs[at(operand)].partial);
  if (op.kind == OpKind::dot)
    take_dims(op.operands[1], op.attributes.get<DotAttr>().rhs_contracting);
  if (op.kind == OpKind::gather)
    take_dims(op.operands[0], op.attributes.get<GatherAttr>().collapsed_slice_dims);
  return axes;
}

inline Annotation annotation(ValueId id, const ShardingSpec& spec, AxisId batch_axis) {
  Annotation made{id, std::vector<std::vector<AxisId>>(spec.dims.size())};
  for (std::size_t d = 0; d < spec.dims.size(); ++d) {
    for (const AxisSplit& split : spec.dims[d].splits)
      if (split.axis != kMicroAxis && split.axis != batch_axis) made.dims[d].push_back(split.axis);
  }
  return made;
}

/// `weight`, or where strides split it, which annotations cannot say, what is first made of it that
/// blocks split.
inline ValueId contiguous(const Program& program, const Strategy& strategy, ValueId weight) {
  const std::vector<MeshAxis>& axes = strategy.chunks.front().mesh.axes;
  const auto is_strided = [&](ValueId id) {
    const Shape& shape = program.shape(id);
    const ShardingSpec& spec = strategy.specs[at(id)];
    for (std::size_t d = 0; d < spec.dims.size(); ++d) {
      std::int64_t part = shape.dims[d];
      for (const AxisSplit& split : spec.dims[d].splits) {
        if (split.axis == kMicroAxis) continue;
        if (split.period < part) return true;
        part = (split.period + axes[at(split.axis)].size - 1) / axes[at(split.axis)].size;
      }
    }
    return false;
  };
  ValueId value = weight;
  for (ValueId id = weight + 1; id < program.size() && is_strided(value); ++id) {
    const Op& op = program.op(id);
    if (op.phase == Phase::forward && std::ranges::count(op.operands, value) > 0) value = id;
  }
  return is_strided(value) ? weight : value;
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
    const ValueId value = all ? input.value : detail::contiguous(program, strategy, input.value);
    draft.annotations.push_back(
        detail::annotation(value, strategy.specs[at(value)], all ? -2 : draft.batch_axis));
  }
  return draft;
}

namespace detail {

/// `weights` with sums over devices scattered along dim `dim`, neither samples nor what the next
/// dot adds up (sequence parallelism, Korthikanti et al. 2022). Gradients of weights lie like
/// these: what else their terms read is gathered anew rather than kept. No annotations: there is no
/// such sum.
inline StrategyDraft scattered(const Program& program, const Strategy& strategy,
                               const StrategyDraft& weights, std::size_t dim) {
  StrategyDraft draft = weights;
  std::map<ValueId, std::vector<std::vector<AxisId>>> dims_of;
  for (const Annotation& weight : draft.annotations) dims_of[weight.value] = weight.dims;
  for (ValueId id = 0; id < program.size(); ++id) {
    const std::size_t rank = program.shape(id).dims.size();
    if (dim + 1 >= rank) continue;
    const std::vector<AxisId> axes = summed_axes(strategy, program.op(id), id);
    if (axes.empty()) continue;
    draft.annotations.push_back({id, std::vector<std::vector<AxisId>>(rank)});
    draft.annotations.back().dims[dim] = axes;
  }
  if (draft.annotations.size() == weights.annotations.size()) return {};
  for (const Output& output : program.outputs) {
    if (output.kind != OutputKind::gradient) continue;
    const auto weight = dims_of.find(program.inputs[at(output.input)].value);
    if (weight != dims_of.end()) draft.annotations.push_back({output.value, weight->second});
  }
  return draft;
}

}  // namespace detail

/// Weights cut as they are there; these and sums over devices scattered along a dim; the batch
/// alone, over the only axis; and all parameters so. The first ones promise the most.
inline std::vector<StrategyDraft> written_ways(const Program& program, const Strategy& strategy) {
  std::vector<StrategyDraft> drafts{written(program, strategy, false)};
  for (std::size_t dim = 1;; ++dim) {
    StrategyDraft scattered = detail::scattered(program, strategy, drafts.front(), dim);
    if (scattered.annotations.empty()) break;
    drafts.push_back(std::move(scattered));
  }
  if (strategy.chunks.front().mesh.axes.size() == 1) {
    drafts.push_back(drafts.front());
    drafts.back().annotations.clear();
    drafts.back().batch_axis = 0;
  }
  drafts.push_back(written(program, strategy, true));
  return drafts;
}

}  // namespace rhino::common
