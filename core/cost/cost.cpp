// SPDX-License-Identifier: Apache-2.0
#include "cost/cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "ir/flops.hpp"
#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"

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

/// Extents {batch, m, n, k} of a dot.
std::array<std::int64_t, 4> dot_extents(const Program& program, const Op& op) {
  const auto& attr = op.attributes.get<DotAttr>();
  const auto& lhs = program.shape(op.operands[0]).dims;
  const auto& rhs = program.shape(op.operands[1]).dims;
  std::int64_t batch = 1, k = 1;
  for (const std::int64_t dim : attr.lhs_batch) batch *= lhs[static_cast<std::size_t>(dim)];
  for (const std::int64_t dim : attr.lhs_contracting) k *= lhs[static_cast<std::size_t>(dim)];
  const std::int64_t per_row = std::max<std::int64_t>(1, batch * k);
  return {batch, num_elements(lhs) / per_row, num_elements(rhs) / per_row, k};
}

/// Seconds per element where a calibration lacks the op: that of its slowest measured one.
double element_seconds(const Calibration& calibration, OpKind kind) {
  const auto found = calibration.element_s.find(kind);
  if (found != calibration.element_s.end()) return found->second;
  double most = 0;
  for (const auto& [other, seconds] : calibration.element_s) most = std::max(most, seconds);
  return most;
}

/// Arithmetic of a fused loop while its data are in cache.
double loop_arithmetic_s(const Calibration& calibration, const Program& program,
                         const lower::KernelGroup& group) {
  double seconds = 0;
  for (const ValueId id : group.ops) {
    const Op& op = program.op(id);
    if (ir::traits(op.kind).free) continue;
    const Shape& shape = op.kind == OpKind::reduce ? program.shape(op.operands[0]) : op.shape;
    seconds += element_seconds(calibration, op.kind) * static_cast<double>(num_elements(shape));
  }
  return seconds;
}

}  // namespace

CostModel::CostModel(const Cluster& cluster, const Calibration* calibration)
    : cluster_(cluster), calibration_(calibration) {}

double CostModel::dot_s(DType dtype, std::int64_t batch, std::int64_t m, std::int64_t n,
                        std::int64_t k, std::int32_t model) const {
  const double flops = 2.0 * static_cast<double>(batch) * static_cast<double>(m) *
                       static_cast<double>(n) * static_cast<double>(k);
  if (flops == 0) return 0;
  if (calibration_ != nullptr && !calibration_->dots.empty()) {
    const double rate =
        interpolated_rate(calibration_->dots, {static_cast<double>(batch), static_cast<double>(m),
                                               static_cast<double>(n), static_cast<double>(k)});
    return flops / (dtype == DType::f64 ? rate / 2 : rate);
  }
  const DeviceModel& device = cluster_.models[static_cast<std::size_t>(model)];
  const auto peak = device.peak_flops.find(dtype);
  const double elements =
      static_cast<double>(batch) * (static_cast<double>(m) * static_cast<double>(k) +
                                    static_cast<double>(k) * static_cast<double>(n) +
                                    static_cast<double>(m) * static_cast<double>(n));
  const double memory_s = stream_s(elements * static_cast<double>(dtype_bytes(dtype)), model);
  return std::max(memory_s, peak == device.peak_flops.end() ? 0 : flops / peak->second) +
         device.kernel_latency_s;
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
      return dot_s(op.shape.dtype, batch, m, n, k, model);
    }
  }
  if (calibration_ != nullptr) {
    const double arithmetic_s = loop_arithmetic_s(*calibration_, program, group);
    return calibration_->kernel_latency_s + std::max(arithmetic_s, stream_s(group.bytes, model));
  }
  const auto peak = device.peak_flops.find(DType::f32);
  const double compute_s = peak == device.peak_flops.end() ? 0 : group.flops / peak->second;
  return device.kernel_latency_s + std::max(compute_s, stream_s(group.bytes, model));
}

double CostModel::stream_s(double bytes, std::int32_t model) const {
  const bool measured = calibration_ != nullptr && calibration_->memory_bytes_per_s > 0;
  return bytes / (measured ? calibration_->memory_bytes_per_s
                           : cluster_.models[static_cast<std::size_t>(model)].memory_bytes_per_s);
}

double CostModel::program_s(const lower::LoweredProgram& lowered, std::int32_t model) const {
  double seconds = 0;
  for (const lower::KernelGroup& group : lowered.groups) seconds += group_s(lowered, group, model);
  return seconds;
}

const Link& CostModel::link(DeviceId a, DeviceId b) const {
  const bool same_host = cluster_.host_of[static_cast<std::size_t>(a)] ==
                         cluster_.host_of[static_cast<std::size_t>(b)];
  return same_host ? cluster_.intra_host : cluster_.inter_host;
}

double CostModel::message_s(double bytes, DeviceId from, DeviceId to) const {
  if (from == to) return 0;
  return link(from, to).latency_s + bytes / link(from, to).bytes_per_s;
}

double CostModel::collective_s(OpKind kind, double bytes, const std::vector<DeviceId>& group,
                               std::int32_t num_sharing) const {
  const auto n = static_cast<double>(group.size());
  if (n <= 1) return 0;
  Link slowest{std::numeric_limits<double>::infinity(), 0};
  for (std::size_t i = 0; i < group.size(); ++i) {
    const DeviceId next = group[(i + 1) % group.size()];
    const bool crosses = cluster_.host_of[static_cast<std::size_t>(group[i])] !=
                         cluster_.host_of[static_cast<std::size_t>(next)];
    const Link& hop = link(group[i], next);
    slowest.bytes_per_s =
        std::min(slowest.bytes_per_s, hop.bytes_per_s / (crosses ? num_sharing : 1));
    slowest.latency_s = std::max(slowest.latency_s, hop.latency_s);
  }
  // Ring: what each device sends, in how many rounds, and what it adds up.
  double sent = 0, rounds = n - 1, reduced = 0;
  switch (kind) {
    case OpKind::all_reduce:
      sent = 2 * bytes * (n - 1) / n, rounds = 2 * (n - 1), reduced = bytes * (n - 1) / n;
      break;
    case OpKind::reduce_scatter: sent = bytes * (n - 1) / n, reduced = sent; break;
    case OpKind::all_gather: sent = bytes * (n - 1); break;
    default: sent = bytes * (n - 1) / n; break;
  }
  const double reduce_s = calibration_ != nullptr && calibration_->reduce_bytes_per_s > 0
                              ? reduced / calibration_->reduce_bytes_per_s
                              : 0;
  return rounds * slowest.latency_s + sent / slowest.bytes_per_s + reduce_s;
}

std::int32_t groups_per_host(const std::vector<std::vector<DeviceId>>& groups,
                             const Cluster& cluster) {
  std::map<std::int32_t, std::int32_t> count;
  std::int32_t most = 1;
  for (const std::vector<DeviceId>& group : groups) {
    std::set<std::int32_t> hosts;
    for (const DeviceId device : group)
      hosts.insert(cluster.host_of[static_cast<std::size_t>(device)]);
    if (hosts.size() < 2) continue;
    for (const std::int32_t host : hosts) most = std::max(most, ++count[host]);
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
    if (calibration.memory_bytes_per_s > 0)
      model.memory_bytes_per_s = calibration.memory_bytes_per_s;
    if (calibration.kernel_latency_s > 0) model.kernel_latency_s = calibration.kernel_latency_s;
  }
  cluster.source = cluster.is_emulated() ? "emulated; calibrated" : "discovered; calibrated";
}

}  // namespace rhino::cost
