// SPDX-License-Identifier: Apache-2.0
#include "cost/cost.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "cost/attention_price.hpp"
#include "cost/dot_tiles.hpp"
#include "ir/flops.hpp"
#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"
#include "rhino/index.hpp"

namespace rhino::cost {
namespace {

/// Rate of a dot from those of measured shapes: mean of the nearest, weighted by inverse squared
/// distance in log2 of the extents.
double interpolated_rate(const std::vector<Calibration::Dot>& dots,
                         const std::array<double, 4>& extents) {
  double weights = 0, sum = 0;
  for (const Calibration::Dot& dot : dots) {
    const std::array<double, 4> other = {static_cast<double>(dot.batch), static_cast<double>(dot.m),
                                         static_cast<double>(dot.n), static_cast<double>(dot.k)};
    double distance = 1e-6;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      const double octaves = std::log2(extents[i]) - std::log2(other[i]);
      // The batch hardly changes the rate of one matrix product.
      distance += (i == 0 ? 0.1 : 1.0) * octaves * octaves;
    }
    const double weight = 1 / (distance * distance);
    weights += weight;
    sum += weight * 2 * other[0] * other[1] * other[2] * other[3] / dot.seconds;
  }
  return sum / weights;
}

/// Rate of dots of `dtype` over that of f32 ones: where 16 bits were measured as there, f64 half.
double relative_rate(const Calibration& calibration, DType dtype,
                     const std::array<double, 4>& extents) {
  if (dtype == DType::f64) return 0.5;
  const auto narrow = calibration.narrow_dots.find(dtype);
  if (narrow == calibration.narrow_dots.end()) return 1;
  std::vector<Calibration::Dot> wide;
  for (const Calibration::Dot& dot : narrow->second.dots) {
    const auto same = std::ranges::find_if(calibration.dots, [&](const Calibration::Dot& other) {
      return other.batch == dot.batch && other.m == dot.m && other.n == dot.n && other.k == dot.k;
    });
    if (same != calibration.dots.end()) wide.push_back(*same);
  }
  if (wide.size() != narrow->second.dots.size()) return 1;
  return interpolated_rate(narrow->second.dots, extents) / interpolated_rate(wide, extents);
}

DotExtents dot_extents(const Program& program, const Op& op) {
  const auto& attr = op.attributes.get<DotAttr>();
  const auto& lhs = program.shape(op.operands[0]).dims;
  const auto& rhs = program.shape(op.operands[1]).dims;
  DotExtents dot;
  for (const std::int64_t dim : attr.lhs_batch) dot.batch *= lhs[static_cast<std::size_t>(dim)];
  for (const std::int64_t dim : attr.lhs_contracting) dot.k *= lhs[static_cast<std::size_t>(dim)];
  const std::int64_t per_row = std::max<std::int64_t>(1, dot.batch * dot.k);
  dot.m = num_elements(lhs) / per_row;
  dot.n = num_elements(rhs) / per_row;
  return dot;
}

/// A convolution as the product of patches of its input and of its kernel.
DotExtents patch_extents(const Program& program, ValueId id) {
  const Op& op = program.op(id);
  const auto& attr = op.attributes.get<ConvolutionAttr>();
  const auto out = static_cast<std::size_t>(attr.output_feature);
  DotExtents dot{.batch = attr.feature_groups, .n = op.shape.dims[out] / attr.feature_groups};
  dot.m = num_elements(op.shape) / std::max<std::int64_t>(1, op.shape.dims[out]);
  const double result = static_cast<double>(num_elements(op.shape));
  dot.k = result == 0 ? 0 : std::llround(ir::op_flops(program, id) / 2 / result);
  return dot;
}

/// Seconds per element where a calibration lacks the op: that of its slowest measured one.
double element_seconds(const Calibration& calibration, OpKind kind) {
  const auto found = calibration.element_s.find(kind);
  if (found != calibration.element_s.end()) return found->second;
  double most = 0;
  for (const auto& [other, seconds] : calibration.element_s) most = std::max(most, seconds);
  return most;
}

bool is_loop(const lower::KernelGroup& group) {
  return group.kind == lower::KernelGroup::Kind::loop;
}

/// Read and written; of what a slice is cut from, or the table of a gather, what it takes.
double moved_bytes(const Program& program, const lower::KernelGroup& group) {
  const Op& op = program.op(group.ops.front());
  const bool is_slice = op.kind == OpKind::slice || op.kind == OpKind::dynamic_slice;
  if (is_slice && !is_loop(group)) return 2 * static_cast<double>(num_bytes(op.shape));
  if (op.kind != OpKind::gather) return group.bytes;
  return 2 * static_cast<double>(num_bytes(op.shape)) +
         static_cast<double>(num_bytes(program.shape(op.operands[1])));
}

/// That are issued for a group.
double num_kernels(const Software& software, const lower::KernelGroup& group) {
  return is_loop(group) ? software.kernels_per_loop : 1;
}

/// Convolutions work as dots do, all else on the f32 units.
double arithmetic_s(const DeviceModel& device, const Program& program,
                    const lower::KernelGroup& group) {
  const ValueId first = group.ops.front();
  if (program.op(first).kind == OpKind::convolution)
    return dot_arithmetic_s(device, program.shape(first).dtype, patch_extents(program, first));
  const auto peak = device.peak_flops.find(DType::f32);
  return peak == device.peak_flops.end() ? 0 : group.flops / peak->second;
}

/// Arithmetic of a fused loop while its data are in cache.
double loop_arithmetic_s(const Calibration& calibration, const Program& program,
                         const lower::KernelGroup& group) {
  double seconds = 0;
  for (const ValueId id : group.ops) {
    const Op& op = program.op(id);
    if (ir::traits(op.kind).free) continue;
    const Shape& shape = op.kind == OpKind::reduce ? program.shape(op.operands[0]) : op.shape;
    const double rounding_s =
        is_narrow(op.shape.dtype) ? element_seconds(calibration, OpKind::convert) : 0;
    seconds += (element_seconds(calibration, op.kind) + rounding_s) *
               static_cast<double>(num_elements(shape));
  }
  return seconds;
}

}  // namespace

CostModel::CostModel(const Cluster& cluster, const Calibration* calibration)
    : cluster_(cluster), links_(cluster_), calibration_(calibration) {}

double CostModel::dot_s(DType dtype, std::int64_t batch, std::int64_t m, std::int64_t n,
                        std::int64_t k, std::int32_t model) const {
  const DotExtents dot{batch, m, n, k};
  if (dot.flops() == 0) return 0;
  if (calibration_ != nullptr && !calibration_->dots.empty()) {
    const std::array<double, 4> extents = {static_cast<double>(batch), static_cast<double>(m),
                                           static_cast<double>(n), static_cast<double>(k)};
    return dot.flops() / (interpolated_rate(calibration_->dots, extents) *
                          relative_rate(*calibration_, dtype, extents));
  }
  const auto bytes = [&](std::int64_t rows, std::int64_t columns) {
    return static_cast<double>(batch) * static_cast<double>(rows) * static_cast<double>(columns) *
           static_cast<double>(dtype_bytes(dtype));
  };
  const double memory_s = stream_s(bytes(m, k) + bytes(k, n) + bytes(m, n), model);
  const DeviceModel& device = cluster_.models[static_cast<std::size_t>(model)];
  return std::max(memory_s, dot_arithmetic_s(device, dtype, dot)) + device.kernel_latency_s;
}

double CostModel::group_s(const lower::LoweredProgram& lowered, const lower::KernelGroup& group,
                          std::int32_t model) const {
  const Program& program = lowered.program;
  const DeviceModel& device = cluster_.models[static_cast<std::size_t>(model)];
  if (group.kind == lower::KernelGroup::Kind::dot) {
    for (const ValueId id : group.ops) {
      const Op& op = program.op(id);
      if (op.kind != OpKind::dot) continue;
      const auto [batch, m, n, k] = dot_extents(program, op);
      return dot_s(program.shape(op.operands[0]).dtype, batch, m, n, k, model);
    }
  }
  if (calibration_ != nullptr) {
    const double arithmetic_s = loop_arithmetic_s(*calibration_, program, group);
    return calibration_->kernel_latency_s +
           std::max(arithmetic_s, stream_s(moved_bytes(program, group), model));
  }
  if (group.kind == lower::KernelGroup::Kind::attention) {
    return device.kernel_latency_s +
           std::max(attention_arithmetic_s(device, *group.attention,
                                           attention_dots(program, *group.attention)),
                    stream_s(group.bytes, model));
  }
  const double passes = is_loop(group) ? cluster_.software.passes_per_loop : 1;
  return num_kernels(cluster_.software, group) * device.kernel_latency_s +
         std::max(arithmetic_s(device, program, group),
                  stream_s(passes * moved_bytes(program, group), model));
}

double CostModel::kernel_latency_s(std::int32_t model) const {
  return calibration_ != nullptr ? calibration_->kernel_latency_s
                                 : cluster_.models[at(model)].kernel_latency_s;
}

double CostModel::loop_latency_s(std::int32_t model) const {
  return (calibration_ != nullptr ? 1 : cluster_.software.kernels_per_loop) *
         kernel_latency_s(model);
}

double CostModel::stream_s(double bytes, std::int32_t model) const {
  const bool measured = calibration_ != nullptr && calibration_->memory_bytes_per_s > 0;
  return bytes / (measured ? calibration_->memory_bytes_per_s
                           : stream_rate(cluster_.models[static_cast<std::size_t>(model)]));
}

KernelTimes CostModel::kernel_times(const lower::LoweredProgram& lowered,
                                    std::int32_t model) const {
  KernelTimes times;
  const double issue_s = cluster_.software.kernel_issue_s;
  for (const lower::KernelGroup& group : lowered.groups) {
    const double count = num_kernels(cluster_.software, group);
    const double seconds = group_s(lowered, group, model);
    // Of kernels alike, either the first one or the last one is waited for longest.
    const double first_s = times.issue_s + issue_s;
    times.issue_s += count * issue_s;
    times.run_s += seconds;
    times.alone_s += seconds;
    if (count <= 0) continue;  // part of what other kernels do
    times.alone_s = std::max({times.alone_s, first_s + seconds, times.issue_s + seconds / count});
  }
  return times;
}

double CostModel::message_s(double bytes, DeviceId from, DeviceId to) const {
  if (from == to) return 0;
  const Link link = cluster_.link(from, to);
  return link.latency_s + bytes / link.bytes_per_s;
}

double CostModel::adding_s(OpKind kind, double bytes, std::size_t size) const {
  if (calibration_ == nullptr || calibration_->reduce_bytes_per_s <= 0) return 0;
  if (kind != OpKind::all_reduce && kind != OpKind::reduce_scatter) return 0;
  return bytes * static_cast<double>(size - 1) / static_cast<double>(size) /
         calibration_->reduce_bytes_per_s;
}

double CostModel::core_s(const CollectiveProblem& problem) const {
  if (calibration_ == nullptr) return 0;
  double seconds = 0;  // a message loads a link at either end
  for (const CollectiveFlow::Load& load : collective_flow(problem, cluster_, links_).loads) {
    const double rate = links_.bytes_per_s()[static_cast<std::size_t>(load.link)];
    seconds += load.bytes / 2 *
               (links_.is_inside(load.link) ? 1 / rate : calibration_->network_cpu_s_per_byte);
  }
  const std::size_t size = problem.group.size();
  return adding_s(problem.kind, problem.bytes, size) + seconds / static_cast<double>(size);
}

CollectiveFlow CostModel::flow(OpKind kind, double bytes,
                               const std::vector<DeviceId>& group) const {
  CollectiveFlow flow = collective_flow({kind, bytes, group}, cluster_, links_);
  if (group.size() > 1) flow.latency_s += adding_s(kind, bytes, group.size());
  return flow;
}

double CostModel::collective_s(OpKind kind, double bytes, const std::vector<DeviceId>& group,
                               std::int32_t num_sharing) const {
  const CollectiveFlow flow = this->flow(kind, bytes, group);
  double seconds = 0;
  for (const CollectiveFlow::Load& load : flow.loads) {
    const double sharing = links_.is_inside(load.link) ? 1 : num_sharing;
    seconds = std::max(
        seconds, sharing * load.bytes / links_.bytes_per_s()[static_cast<std::size_t>(load.link)]);
  }
  return flow.latency_s + seconds;
}

std::int32_t groups_per_interface(const std::vector<std::vector<DeviceId>>& groups,
                                  const Cluster& cluster) {
  using Interface = std::pair<std::int32_t, std::int32_t>;  // host and number
  std::map<Interface, std::int32_t> count;
  std::int32_t most = 1;
  for (const std::vector<DeviceId>& group : groups) {
    std::set<std::int32_t> hosts;
    std::set<Interface> interfaces;
    for (const DeviceId device : group) {
      const std::int32_t host = cluster.host_of[static_cast<std::size_t>(device)];
      hosts.insert(host);
      interfaces.insert({host, cluster.interface_of(device)});
    }
    if (hosts.size() < 2) continue;
    for (const Interface& interface : interfaces) most = std::max(most, ++count[interface]);
  }
  return most;
}

void apply(const Calibration& calibration, Cluster& cluster) {
  if (calibration.intra_host.bytes_per_s > 0) cluster.intra_host = calibration.intra_host;
  if (calibration.inter_host.bytes_per_s > 0) cluster.inter_host = calibration.inter_host;
  for (DeviceModel& model : cluster.models) {
    if (calibration.peak_flops > 0)
      model.peak_flops = {{DType::f32, calibration.peak_flops},
                          {DType::f64, calibration.peak_flops / 2}};
    for (const auto& [dtype, narrow] : calibration.narrow_dots)
      model.peak_flops[dtype] = std::max(narrow.peak_flops, calibration.peak_flops);
    if (calibration.memory_bytes_per_s > 0)
      model.memory_bytes_per_s = calibration.memory_bytes_per_s;
    if (calibration.kernel_latency_s > 0) model.kernel_latency_s = calibration.kernel_latency_s;
  }
  cluster.source = cluster.is_emulated() ? "emulated; calibrated" : "discovered; calibrated";
}

}  // namespace rhino::cost
