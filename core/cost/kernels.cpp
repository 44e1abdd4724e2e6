// SPDX-License-Identifier: Apache-2.0
/// What kernels take.
#include <algorithm>
#include <cmath>

#include "cost/attention_price.hpp"
#include "cost/cost.hpp"
#include "cost/dot_products.hpp"
#include "cost/dot_tiles.hpp"
#include "cost/loop_price.hpp"
#include "ir/flops.hpp"
#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"
#include "rhino/index.hpp"

namespace rhino::cost {
namespace {

/// What `value` is of measured shapes: mean of the nearest, weighted by the inverse square of the
/// squared distance in log2 of the extents.
double mean_near(const auto& dots, const std::array<double, 4>& extents, const auto& value) {
  double weights = 0, sum = 0;
  for (const auto& dot : dots) {
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
    sum += weight * value(dot);
  }
  return sum / weights;
}

/// Rate of a dot from those of measured shapes.
double interpolated_rate(const std::vector<Calibration::Dot>& dots,
                         const std::array<double, 4>& extents) {
  return mean_near(dots, extents, [](const Calibration::Dot& dot) {
    return DotExtents{dot.batch, dot.m, dot.n, dot.k}.flops() / dot.seconds;
  });
}

/// Rate of dots measured in another way over that of row-major ones of f32.
double relative_rate(const Calibration& calibration, const std::vector<Calibration::Dot>& dots,
                     const std::array<double, 4>& extents) {
  std::vector<Calibration::Dot> plain;
  for (const Calibration::Dot& dot : dots) {
    const auto same = std::ranges::find_if(calibration.dots, [&](const Calibration::Dot& other) {
      return other.batch == dot.batch && other.m == dot.m && other.n == dot.n && other.k == dot.k;
    });
    if (same != calibration.dots.end()) plain.push_back(*same);
  }
  if (dots.empty() || plain.size() != dots.size()) return 1;
  return interpolated_rate(dots, extents) / interpolated_rate(plain, extents);
}

/// Of a type: where 16 bits were measured as there, f64 half.
double relative_rate(const Calibration& calibration, DType dtype,
                     const std::array<double, 4>& extents) {
  if (dtype == DType::f64) return 0.5;
  const auto narrow = calibration.narrow_dots.find(dtype);
  return narrow == calibration.narrow_dots.end()
             ? 1
             : relative_rate(calibration, narrow->second.dots, extents);
}

ValueId dot_of(const Program& program, const lower::KernelGroup& group) {
  return *std::ranges::find_if(group.ops,
                               [&](ValueId id) { return program.op(id).kind == OpKind::dot; });
}

std::array<double, 4> numbers(const DotExtents& extents) {
  return {static_cast<double>(extents.batch), static_cast<double>(extents.m),
          static_cast<double>(extents.n), static_cast<double>(extents.k)};
}

/// Of a dot by the products that a device makes of it and by how they lie, over that of one product
/// whose operands are row-major; at most 1, so that who does not know how they will lie prices no
/// dot too high.
double layout_rate(const Calibration& calibration, const Program& program, const Op& dot,
                   const DotProducts& products) {
  const std::array<double, 4> own = numbers(products.extents),
                              whole = numbers(dot_extents(program, dot));
  double rate = 1;
  if (own != whole)
    rate *= interpolated_rate(calibration.dots, own) / interpolated_rate(calibration.dots, whole);
  if (products.has_lhs_columns)
    rate *= relative_rate(calibration, calibration.dots_of_columns, own);
  if (products.has_rhs_rows) rate *= relative_rate(calibration, calibration.dots_of_rows, own);
  return std::min(1.0, rate);
}

bool is_loop(const lower::KernelGroup& group) {
  return group.kind == lower::KernelGroup::Kind::loop;
}

/// Read and written; of what a slice is cut from, or the table of a gather, what it takes; of a
/// concatenation what was not made in its place.
double moved_bytes(const lower::LoweredProgram& lowered, const lower::KernelGroup& group) {
  const Program& program = lowered.program;
  const ValueId id = group.ops.front();
  const Op& op = program.op(id);
  if (op.kind == OpKind::concatenate && !is_loop(group)) {
    double bytes = 0;
    for (const ValueId part : op.operands) {
      if (lowered.views[at(part)].base != id)
        bytes += 2 * static_cast<double>(num_bytes(program.shape(part)));
    }
    return bytes;
  }
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

}  // namespace

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

namespace {

/// Of the dtype, or of as many bits, or of f32.
const std::vector<Calibration::Convolution>* measured_convolutions(const Calibration& calibration,
                                                                   DType dtype) {
  for (const DType like : {dtype, is_narrow(dtype) ? DType::bf16 : DType::f32, DType::f32}) {
    const auto found = calibration.convolutions.find(like);
    if (found != calibration.convolutions.end() && !found->second.empty()) return &found->second;
  }
  return nullptr;
}

}  // namespace

double CostModel::convolution_s(DType dtype, const DotExtents& patches, std::int32_t model) const {
  const double product_s = calibration_->kernel_latency_s +
                           dot_s(dtype, patches.batch, patches.m, patches.n, patches.k, model);
  const auto* const measured = measured_convolutions(*calibration_, dtype);
  if (measured == nullptr) return product_s;
  return product_s * mean_near(*measured, numbers(patches),
                               [](const Calibration::Convolution& one) { return one.times; });
}

double CostModel::group_s(const lower::LoweredProgram& lowered, const lower::KernelGroup& group,
                          std::int32_t model) const {
  const Program& program = lowered.program;
  const DeviceModel& device = cluster_.models[static_cast<std::size_t>(model)];
  if (group.kind == lower::KernelGroup::Kind::dot) {
    const Op& dot = program.op(dot_of(program, group));
    const auto [batch, m, n, k] = dot_extents(program, dot);
    return dot_s(program.shape(dot.operands[0]).dtype, batch, m, n, k, model);
  }
  const ValueId first = group.ops.front();
  if (calibration_ != nullptr && program.op(first).kind == OpKind::convolution)
    return convolution_s(program.shape(first).dtype, patch_extents(program, first), model);
  const bool is_attention = group.kind == lower::KernelGroup::Kind::attention;
  if (is_attention && calibration_ != nullptr && !calibration_->attentions.empty()) {
    const double arithmetic_s = measured_attention_s(calibration_->attentions, *group.attention,
                                                     attention_dots(program, *group.attention));
    return calibration_->kernel_latency_s + std::max(arithmetic_s, stream_s(group.bytes, model));
  }
  if (calibration_ != nullptr) {
    const double arithmetic_s = loop_arithmetic_s(*calibration_, program, group),
                 moving_s = stream_s(moved_bytes(lowered, group), model);
    return calibration_->kernel_latency_s + (is_loop(group) ? loop_s(group, arithmetic_s, moving_s)
                                                            : std::max(arithmetic_s, moving_s));
  }
  if (is_attention) {
    return device.kernel_latency_s +
           std::max(attention_arithmetic_s(device, *group.attention,
                                           attention_dots(program, *group.attention)),
                    stream_s(group.bytes, model));
  }
  const double passes = is_loop(group) ? cluster_.software.passes_per_loop : 1;
  return num_kernels(cluster_.software, group) * device.kernel_latency_s +
         std::max(arithmetic_s(device, program, group),
                  stream_s(passes * moved_bytes(lowered, group), model));
}

double CostModel::kernel_latency_s(std::int32_t model) const {
  return calibration_ != nullptr ? calibration_->kernel_latency_s
                                 : cluster_.models[at(model)].kernel_latency_s;
}

double CostModel::loop_latency_s(std::int32_t model) const {
  return (calibration_ != nullptr ? 1 : cluster_.software.kernels_per_loop) *
         kernel_latency_s(model);
}

double CostModel::least_stream_s(double bytes, std::int32_t model) const {
  return knows_reach() ? bytes * calibration_->reach.front().read_s : stream_s(bytes, model);
}

double CostModel::stream_s(double bytes, std::int32_t model) const {
  if (knows_reach()) return bytes * (usual_.read_s + usual_.write_s) / 2;
  const bool measured = calibration_ != nullptr && calibration_->memory_bytes_per_s > 0;
  return bytes / (measured ? calibration_->memory_bytes_per_s
                           : stream_rate(cluster_.models[static_cast<std::size_t>(model)]));
}

std::vector<double> CostModel::groups_s(const lower::LoweredProgram& lowered,
                                        std::int32_t model) const {
  std::vector<double> seconds;
  for (const lower::KernelGroup& group : lowered.groups)
    seconds.push_back(group_s(lowered, group, model));
  return seconds;
}

std::vector<double> CostModel::groups_s(const lower::LoweredProgram& lowered,
                                        const std::vector<std::vector<Touch>>& touches,
                                        std::int32_t model) const {
  if (!knows_reach()) return groups_s(lowered, model);
  std::vector<double> seconds;
  for (std::size_t i = 0; i < lowered.groups.size(); ++i)
    seconds.push_back(group_s(lowered, lowered.groups[i], touches[i], model));
  return seconds;
}

KernelTimes CostModel::kernel_times(const lower::LoweredProgram& lowered,
                                    std::int32_t model) const {
  return times_of(lowered, groups_s(lowered, model));
}

KernelTimes CostModel::kernel_times(const lower::LoweredProgram& lowered,
                                    const std::vector<std::vector<Touch>>& touches,
                                    std::int32_t model) const {
  return times_of(lowered, groups_s(lowered, touches, model));
}

/// Dots and convolutions were measured one after itself.
double CostModel::group_s(const lower::LoweredProgram& lowered, const lower::KernelGroup& group,
                          const std::vector<Touch>& touches, std::int32_t model) const {
  const bool is_dot = group.kind == lower::KernelGroup::Kind::dot;
  if (lowered.program.op(group.ops.front()).kind == OpKind::convolution && !is_loop(group))
    return far_dot_s(group_s(lowered, group, model), farther_of_dot(*calibration_, touches, false));
  if (!is_dot && !is_loop(group)) return group_s(lowered, group, model);
  if (!is_dot) {
    double moving_s = 0;
    for (const Touch& touch : touches)
      moving_s += touch.bytes *
                  byte_s(reach_at(*calibration_, touch.reuse_bytes, touch.reuse_s), touch.kind);
    return calibration_->kernel_latency_s +
           loop_s(group, loop_arithmetic_s(*calibration_, lowered.program, group), moving_s);
  }
  const ValueId dot = dot_of(lowered.program, group);
  const DotProducts products = dot_products(lowered, dot);
  double near_s = group_s(lowered, group, model);
  if (near_s > 0)
    near_s /= layout_rate(*calibration_, lowered.program, lowered.program.op(dot), products);
  return far_dot_s(near_s, farther_of_dot(*calibration_, touches, products.has_rhs_rows));
}

KernelTimes CostModel::times_of(const lower::LoweredProgram& lowered,
                                const std::vector<double>& seconds) const {
  KernelTimes times;
  const double issue_s = cluster_.software.kernel_issue_s;
  for (std::size_t i = 0; i < lowered.groups.size(); ++i) {
    const double count = num_kernels(cluster_.software, lowered.groups[i]);
    // Of kernels alike, either the first one or the last one is waited for longest.
    const double first_s = times.issue_s + issue_s;
    times.issue_s += count * issue_s;
    times.run_s += seconds[i];
    times.alone_s += seconds[i];
    if (count <= 0) continue;  // part of what other kernels do
    times.alone_s =
        std::max({times.alone_s, first_s + seconds[i], times.issue_s + seconds[i] / count});
  }
  return times;
}

}  // namespace rhino::cost
