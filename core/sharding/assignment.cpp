// SPDX-License-Identifier: Apache-2.0
#include "sharding/assignment.hpp"

#include <algorithm>

#include "rhino/index.hpp"

namespace rhino::sharding {
namespace {

std::int64_t extent(const OpRule& rule, const std::vector<std::int32_t>& dim) {
  std::int64_t elements = 1;
  for (std::int32_t factor : dim) elements *= rule.factors[at(factor)].size;
  return elements;
}

std::optional<DimSplit> locate(const OpRule& rule, const TensorFactors& dims,
                               const FactorSplit& split) {
  for (std::size_t d = 0; d < dims.size(); ++d) {
    std::int64_t stride = 1;
    for (std::size_t i = dims[d].size(); i-- > 0;) {
      if (dims[d][i] == split.factor) return DimSplit{d, {split.axis, split.period * stride}};
      stride *= rule.factors[at(dims[d][i])].size;
    }
  }
  return std::nullopt;
}

}  // namespace

Assignment::Assignment(const OpGraph& graph, const std::vector<std::int32_t>& chunk_of,
                       const std::vector<Chunk>& chunks, std::int64_t num_micro_batches)
    : graph_(graph),
      chunk_of_(chunk_of),
      chunks_(chunks),
      num_axes_(static_cast<std::int32_t>(chunks.front().mesh.axes.size()) + 1),
      splits_(at(graph.size()) * at(num_axes_)),
      num_splits_(at(graph.size())) {
  for (const Chunk& chunk : chunks) parts_.push_back(axis_parts(chunk.mesh, num_micro_batches));
}

bool Assignment::try_add(ValueId id, const FactorSplit& split) {
  if (split.axis != kMicroAxis && parts(id, split.axis) == 1) return false;
  if (!may_add(graph_.rule(id), splits(id), split, parts(id))) return false;
  splits_[at(id) * at(num_axes_) + num_splits_[at(id)]++] = split;
  return true;
}

void Assignment::remove(ValueId id, AxisId axis) {
  const auto first = splits_.begin() + static_cast<std::ptrdiff_t>(at(id) * at(num_axes_));
  const auto last = first + num_splits_[at(id)];
  const auto kept =
      std::remove_if(first, last, [&](const FactorSplit& split) { return split.axis == axis; });
  num_splits_[at(id)] = static_cast<std::uint8_t>(kept - first);
}

std::optional<DimSplit> Assignment::in_result(ValueId id, const FactorSplit& split) const {
  return locate(graph_.rule(id), graph_.rule(id).result, split);
}

std::optional<DimSplit> Assignment::in_operand(ValueId id, std::size_t operand,
                                               const FactorSplit& split) const {
  return locate(graph_.rule(id), graph_.rule(id).operands[operand], split);
}

std::optional<FactorSplit> Assignment::from_result(ValueId id, const DimSplit& split) const {
  const OpRule& rule = graph_.rule(id);
  return find_factor(rule, rule.result[split.dim], split.split, parts(id, split.split.axis));
}

std::optional<FactorSplit> Assignment::from_operand(ValueId id, std::size_t operand,
                                                    const DimSplit& split) const {
  const OpRule& rule = graph_.rule(id);
  return find_factor(rule, rule.operands[operand][split.dim], split.split,
                     parts(id, split.split.axis));
}

std::int64_t Assignment::block(ValueId id, const TensorFactors& dims, std::size_t dim,
                               std::int64_t above) const {
  std::int64_t elements = extent(graph_.rule(id), dims[dim]);
  for (const FactorSplit& split : splits(id)) {
    const auto place = locate(graph_.rule(id), dims, split);
    if (!place || place->dim != dim || place->split.period < above) continue;
    elements = std::min(elements, place->split.period / parts(id, split.axis));
  }
  return elements;
}

DimSplit Assignment::carried(ValueId from, const TensorFactors& from_dims, ValueId to,
                             const TensorFactors& to_dims, DimSplit split) const {
  if (mesh_index(from) == mesh_index(to) || parts(from) == parts(to)) return split;
  const std::int64_t whole = block(from, from_dims, split.dim, split.split.period + 1);
  if (split.split.period == whole) split.split.period = block(to, to_dims, split.dim);
  return split;
}

OpSharding Assignment::sharding(ValueId id) const {
  OpSharding result;
  result.splits.assign(splits(id).begin(), splits(id).end());
  std::sort(result.splits.begin(), result.splits.end(),
            [](const FactorSplit& a, const FactorSplit& b) { return a.axis < b.axis; });
  return result;
}

}  // namespace rhino::sharding
