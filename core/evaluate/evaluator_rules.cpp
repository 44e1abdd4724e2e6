// SPDX-License-Identifier: Apache-2.0
/// What a PlanEvaluator says of single ops.
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "evaluate/evaluator.hpp"
#include "ir/op_info.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/rule.hpp"

namespace rhino::evaluate {
namespace {

/// The one split of a dim along axis 0; nullptr where it is whole.
const AxisSplit* split_along(const DimSharding& dim) {
  return dim.splits.empty() ? nullptr : &dim.splits.front();
}

/// Dim and period that a spec splits along the only axis of a mesh.
std::pair<std::int32_t, std::int64_t> split_of(const ShardingSpec& spec) {
  for (std::size_t d = 0; d < spec.dims.size(); ++d) {
    if (const AxisSplit* split = split_along(spec.dims[d]))
      return {static_cast<std::int32_t>(d), split->period};
  }
  return {-1, 0};
}

/// Extents of one device's dot under a spec of its result and operands.
double local_dot_s(const Program& program, const Op& op,
                   const std::vector<std::vector<std::int64_t>>& operands,
                   const cost::CostModel& cost) {
  const auto& attr = op.attributes.get<DotAttr>();
  std::int64_t batch = 1, k = 1;
  for (const std::int64_t dim : attr.lhs_batch) batch *= operands[0][static_cast<std::size_t>(dim)];
  for (const std::int64_t dim : attr.lhs_contracting)
    k *= operands[0][static_cast<std::size_t>(dim)];
  const std::int64_t m = num_elements(operands[0]) / (batch * k),
                     n = num_elements(operands[1]) / (batch * k);
  return cost.dot_s(program.shape(op.operands[0]).dtype, batch, m, n, k);
}

/// What one device reads and writes for an op, given the dims of its operands and its result. A
/// gather reads what it takes only.
double moved_bytes(const Program& program, const Op& op,
                   const std::vector<std::vector<std::int64_t>>& operands,
                   const std::vector<std::int64_t>& result) {
  std::int64_t bytes = num_elements(result) * dtype_bytes(op.shape.dtype);
  if (op.kind == OpKind::gather) bytes *= 2;
  for (std::size_t i = op.kind == OpKind::gather ? 1 : 0; i < operands.size(); ++i)
    bytes += num_elements(operands[i]) * dtype_bytes(program.shape(op.operands[i]).dtype);
  return static_cast<double>(bytes);
}

/// Of one device, where a dim is cut; -1: none is.
void cut(std::vector<std::int64_t>& dims, std::int32_t dim, std::int64_t num_parts) {
  if (dim < 0) return;
  if (at(dim) >= dims.size())
    throw Error("dim " + std::to_string(dim) + " of " + std::to_string(dims.size()) + " is cut");
  dims[at(dim)] /= num_parts;
}

}  // namespace

/// Whether searchers may ask for it.
void PlanEvaluator::check(ValueId value, std::int64_t num_parts) const {
  const auto count = static_cast<std::int64_t>(context_.cost.cluster().host_of.size());
  if (value < 0 || value >= context_.program.size())
    throw Error("there is no value " + std::to_string(value) + " of " +
                std::to_string(context_.program.size()));
  if (num_parts < 1 || num_parts > count)
    throw Error("an op is asked for in " + std::to_string(num_parts) + " parts, of " +
                std::to_string(count) + " devices");
}

std::vector<OpSplit> PlanEvaluator::splits(ValueId value, std::int64_t num_parts) const {
  const Program& program = context_.program;
  check(value, num_parts);
  const sharding::OpRule rule = sharding::op_rule(program, value);
  const Mesh mesh{{{"axis", num_parts}},
                  std::vector<DeviceId>(static_cast<std::size_t>(num_parts))};
  std::vector<OpSplit> splits;
  for (std::size_t f = 0; f < rule.factors.size(); ++f) {
    const sharding::Factor& factor = rule.factors[f];
    if (factor.kind == sharding::Factor::Kind::blocked || factor.size % num_parts != 0) continue;
    const sharding::OpSharding sharding{
        {{.axis = 0, .factor = static_cast<std::int32_t>(f), .period = factor.size}}, {}};
    OpSplit split;
    for (std::size_t i = 0; i < program.producer(value).operands.size(); ++i) {
      const auto [dim, period] =
          split_of(sharding::operand_spec(program, value, rule, sharding, i, mesh, 1));
      split.operand_dim.push_back(dim);
      split.operand_period.push_back(period);
    }
    const ShardingSpec result = sharding::result_spec(program, value, rule, sharding, mesh, 1);
    std::tie(split.result_dim, split.result_period) = split_of(result);
    split.partial = !result.partial.empty();
    if (split.partial) split.reduction = result.partial.front().reduction;
    splits.push_back(std::move(split));
  }
  return splits;
}

double PlanEvaluator::kernel_s(ValueId value, const OpSplit& split, std::int64_t num_parts) const {
  const Program& program = context_.program;
  check(value, num_parts);
  const Op& op = program.producer(value);
  std::vector<std::vector<std::int64_t>> operands;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    operands.push_back(program.shape(op.operands[i]).dims);
    const std::int32_t dim = i < split.operand_dim.size() ? split.operand_dim[i] : -1;
    cut(operands[i], dim, num_parts);
  }
  if (op.kind == OpKind::dot) return local_dot_s(program, op, operands, context_.cost);
  std::vector<std::int64_t> made = op.shape.dims;
  cut(made, split.result_dim, num_parts);
  return context_.cost.stream_s(moved_bytes(program, op, operands, made));
}

double PlanEvaluator::collective_s(OpKind kind, double bytes, std::int64_t num_devices,
                                   std::int64_t stride) const {
  const auto count = static_cast<std::int64_t>(context_.cost.cluster().host_of.size());
  if (!ir::is_collective(kind)) throw Error("no collective is asked for");
  if (!(bytes >= 0) || std::isinf(bytes)) throw Error("a collective is of bytes, from 0 on");
  if (num_devices < 1 || stride < 1 || num_devices > count ||
      (num_devices > 1 && stride > (count - 1) / (num_devices - 1)))
    throw Error("a collective of " + std::to_string(num_devices) + " devices, each " +
                std::to_string(stride) + " behind the one before it, is asked for, of " +
                std::to_string(count));
  std::vector<DeviceId> group;
  for (std::int64_t i = 0; i < num_devices; ++i) group.push_back(static_cast<DeviceId>(i * stride));
  return context_.cost.collective_s(kind, bytes, group);
}

}  // namespace rhino::evaluate
