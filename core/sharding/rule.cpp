// SPDX-License-Identifier: Apache-2.0
#include "sharding/rule.hpp"

#include <algorithm>
#include <string>

#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/rule_maker.hpp"

namespace rhino::sharding {
namespace {

void fill_rule(RuleMaker& maker) {
  switch (maker.op().kind) {
    case OpKind::broadcast:
    case OpKind::transpose:
    case OpKind::slice:
    case OpKind::pad:
    case OpKind::concatenate:
    case OpKind::reverse: return movement_rule(maker);
    case OpKind::reshape: return reshape_rule(maker);
    case OpKind::reduce:
    case OpKind::dot: return contraction_rule(maker);
    case OpKind::convolution: return convolution_rule(maker);
    case OpKind::gather:
    case OpKind::scatter: return indexing_rule(maker);
    case OpKind::dynamic_slice:
    case OpKind::dynamic_update_slice:
    case OpKind::reduce_window:
    case OpKind::select_and_scatter:
    case OpKind::sort: return window_rule(maker);
    default: break;
  }
  switch (ir::traits(maker.op().kind).op_class) {
    case ir::OpClass::source: return source_rule(maker);
    case ir::OpClass::elementwise: return elementwise_rule(maker);
    default: return whole_rule(maker);
  }
}

std::int64_t num_parts(AxisId axis, const Mesh& mesh, std::int64_t num_micro_batches) {
  return axis == kMicroAxis ? num_micro_batches : mesh.axes[static_cast<std::size_t>(axis)].size;
}

// Periods in the dim of the splits of its factors.
DimSharding dim_sharding(const OpRule& rule, const std::vector<std::int32_t>& dim,
                         const OpSharding& sharding, const std::vector<std::int64_t>& parts) {
  DimSharding result;
  for (const FactorSplit& split : sharding.splits) {
    std::int64_t stride = 1;
    for (std::size_t i = dim.size(); i-- > 0;) {
      if (dim[i] == split.factor) result.splits.push_back({split.axis, split.period * stride});
      stride *= rule.factors[static_cast<std::size_t>(dim[i])].size;
    }
  }
  if (result.splits.size() < 2) return result;  // a sort allocates
  const auto part = [&](const AxisSplit& split) {
    return split.period / parts[static_cast<std::size_t>(split.axis + 1)];
  };
  std::stable_sort(result.splits.begin(), result.splits.end(),
                   [&](const AxisSplit& a, const AxisSplit& b) {
                     return a.period != b.period ? a.period > b.period : part(a) > part(b);
                   });
  return result;
}

ShardingSpec tensor_spec(const OpRule& rule, const TensorFactors& dims, const OpSharding& sharding,
                         const std::vector<std::int64_t>& parts) {
  ShardingSpec spec;
  spec.dims.reserve(dims.size());
  for (const auto& dim : dims) spec.dims.push_back(dim_sharding(rule, dim, sharding, parts));
  return spec;
}

bool has_factor(const TensorFactors& dims, std::int32_t factor) {
  return std::ranges::any_of(dims, [&](const auto& dim) { return contains(dim, factor); });
}

void sort_by_axis(std::vector<Partial>& partial) {
  std::sort(partial.begin(), partial.end(),
            [](const Partial& a, const Partial& b) { return a.axis < b.axis; });
}

}  // namespace

OpRule op_rule(const Program& program, ValueId id) {
  if (ir::is_collective(program.op(id).kind)) {
    throw Error("op '" + program.op(id).name + "' (" +
                std::string(ir::op_name(program.op(id).kind)) +
                ") is a collective: the program is partitioned already");
  }
  RuleMaker maker(program, id);
  fill_rule(maker);
  return std::move(maker).finish();
}

ShardingSpec operand_spec(const Program&, ValueId, const OpRule& rule, const OpSharding& sharding,
                          std::size_t i, const Mesh& mesh, std::int64_t num_micro_batches) {
  ShardingSpec spec =
      tensor_spec(rule, rule.operands[i], sharding, axis_parts(mesh, num_micro_batches));
  for (const LinearPass& pass : sharding.linear) {
    const bool partial =
        rule.sum_together ? rule.passes_sum[i] : pass.operand == static_cast<std::int32_t>(i);
    if (partial) spec.partial.push_back({pass.axis, Reduction::sum});
  }
  sort_by_axis(spec.partial);
  return spec;
}

ShardingSpec result_spec(const Program&, ValueId, const OpRule& rule, const OpSharding& sharding,
                         const Mesh& mesh, std::int64_t num_micro_batches) {
  ShardingSpec spec = tensor_spec(rule, rule.result, sharding, axis_parts(mesh, num_micro_batches));
  for (const FactorSplit& split : sharding.splits) {
    if (has_factor(rule.result, split.factor)) continue;
    const Factor& factor = rule.factors[static_cast<std::size_t>(split.factor)];
    spec.partial.push_back({split.axis, factor.reduction});
  }
  for (const LinearPass& pass : sharding.linear) {
    spec.partial.push_back({pass.axis, Reduction::sum});
  }
  sort_by_axis(spec.partial);
  return spec;
}

std::optional<FactorSplit> find_factor(const OpRule& rule, const std::vector<std::int32_t>& dim,
                                       const AxisSplit& split, std::int64_t num_parts) {
  if (split.period % num_parts != 0) return std::nullopt;
  const std::int64_t part = split.period / num_parts;
  std::int64_t stride = 1;
  for (std::size_t i = dim.size(); i-- > 0;) {
    const std::int64_t size = rule.factors[static_cast<std::size_t>(dim[i])].size;
    // An axis of one part may lie at the border of two factors: it belongs to the minor one.
    if (split.period <= stride * size) {
      const bool inside = part % stride == 0 && (stride * size) % split.period == 0;
      if (!inside) return std::nullopt;
      return FactorSplit{split.axis, dim[i], split.period / stride};
    }
    stride *= size;
  }
  return std::nullopt;
}

bool may_add(const OpRule& rule, std::span<const FactorSplit> splits, const FactorSplit& split,
             const std::vector<std::int64_t>& parts) {
  const Factor& factor = rule.factors[static_cast<std::size_t>(split.factor)];
  const std::int64_t count = parts[static_cast<std::size_t>(split.axis + 1)];
  if (factor.kind == Factor::Kind::blocked) return false;
  if (factor.size % split.period != 0 || split.period % count != 0) return false;
  const bool is_window = factor.least_part > 0 && count > 1;
  if (is_window && (split.axis == kMicroAxis || split.period != factor.size ||
                    split.period / count < factor.least_part))
    return false;
  std::int64_t block = factor.size;
  for (const FactorSplit& other : splits) {
    if (other.axis == split.axis) return false;
    if (other.factor != split.factor) continue;
    if (factor.least_part > 0) return false;
    const std::int64_t other_part = other.period / parts[static_cast<std::size_t>(other.axis + 1)];
    const bool minor = other_part % split.period == 0;
    const bool major = (split.period / count) % other.period == 0;
    if (!minor && !major) return false;
    if (minor) block = std::min(block, other_part);
  }
  if (factor.kind != Factor::Kind::indexed) return true;
  return split.axis != kMicroAxis && split.period == block;
}

std::vector<std::int64_t> axis_parts(const Mesh& mesh, std::int64_t num_micro_batches) {
  std::vector<std::int64_t> parts;
  parts.reserve(mesh.axes.size() + 1);
  for (AxisId axis = kMicroAxis; axis < static_cast<AxisId>(mesh.axes.size()); ++axis) {
    parts.push_back(num_parts(axis, mesh, num_micro_batches));
  }
  return parts;
}

}  // namespace rhino::sharding
