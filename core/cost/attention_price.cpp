// SPDX-License-Identifier: Apache-2.0
#include "cost/attention_price.hpp"

#include <algorithm>
#include <cmath>

#include "ir/flops.hpp"
#include "rhino/index.hpp"

namespace rhino::cost {
namespace {

using lower::Attention;

constexpr double kMeasuredDepth = 128, kBlock = 128;

/// FlashAttention-2 on A100: up to 0.73 of the peak forward, 0.63 backward (arXiv 2307.08691); on
/// H100: 0.35 forward (arXiv 2407.08608), 335 TFLOP/s both ways together (2307.08691).
/// Exponentials: 16 per clock and multiprocessor (CUDA programming guide), 108 at 1.41 GHz, 132 at
/// 1.83 GHz.
constexpr AttentionRates kRates[] = {{"A100", 0.73, 0.63, 2.44e12}, {"H100", 0.35, 0.33, 3.87e12}};

/// Of all scores, those that are seen.
double seen_share(const Attention& attention) {
  if (attention.causal.empty()) return 1;
  const auto rows = attention.extents[at(attention.causal[0].row_axis)],
             columns = attention.extents[at(attention.column)];
  double seen = 0;
  for (std::int64_t row = 0; row < rows; ++row)
    seen += static_cast<double>(std::min(columns, row + attention.causal[0].ahead + 1));
  return seen / (static_cast<double>(rows) * static_cast<double>(columns));
}

double extent_of(const Attention& attention, const std::vector<std::int32_t>& axes) {
  double extent = 1;
  for (const std::int32_t axis : axes) extent *= static_cast<double>(attention.extents[at(axis)]);
  return extent;
}

bool is_backward(const Attention& attention) {
  return std::ranges::count(attention.members, Attention::Part::column_result,
                            &Attention::Member::part) > 0;
}

/// The time that full multiprocessors would take grows by so much.
double waves(const Attention& attention, const DeviceModel& device) {
  if (device.num_multiprocessors == 0) return 1;
  const double length = is_backward(attention)
                            ? static_cast<double>(attention.extents[at(attention.column)])
                            : extent_of(attention, attention.rows);
  const double parts = extent_of(attention, attention.batch) * std::ceil(length / kBlock) /
                       device.num_multiprocessors;
  return std::ceil(parts) / parts;
}

/// Of dots; a dtype that the device lacks works as f32.
double rate_of(const DeviceModel& device, DType dtype, bool backward) {
  const auto own = device.peak_flops.find(dtype), f32 = device.peak_flops.find(DType::f32);
  if (own == device.peak_flops.end() && f32 == device.peak_flops.end()) return 0;
  const double peak = (own != device.peak_flops.end() ? own : f32)->second;
  if (const AttentionRates* rates = attention_rates(device); rates && is_narrow(dtype))
    return (backward ? rates->backward : rates->forward) * peak;
  const auto sustained = device.sustained_flops.find(dtype);
  return sustained != device.sustained_flops.end() ? sustained->second : peak;
}

/// Of each dot once, of the scores that are seen: as published rates count.
double dot_flops(const Program& program, const Attention& attention) {
  double sum = 0;
  for (const Attention::Member& member : attention.members) {
    if (program.op(member.op).kind == OpKind::dot) sum += ir::op_flops(program, member.op);
  }
  return sum * seen_share(attention);
}

}  // namespace

const AttentionRates* attention_rates(const DeviceModel& device) {
  const auto found = std::ranges::find_if(
      kRates, [&](const AttentionRates& rates) { return device.name.starts_with(rates.device); });
  return found == std::end(kRates) ? nullptr : &*found;
}

double attention_arithmetic_s(const DeviceModel& device, const Program& program,
                              const lower::KernelGroup& group) {
  const Attention& attention = *group.attention;
  const auto dot =
      std::ranges::find(attention.members, Attention::Part::product, &Attention::Member::part);
  const DType dtype = program.shape(program.op(dot->op).operands[0]).dtype;
  const double rate = rate_of(device, dtype, is_backward(attention)),
               flops = dot_flops(program, attention);
  if (rate == 0 || flops == 0) return 0;
  // Of all scores: dots, and exponentials that the measured rate has in it.
  const auto num_dots = std::ranges::count_if(attention.members, [&](const auto& member) {
    return program.op(member.op).kind == OpKind::dot;
  });
  const double depth = static_cast<double>(attention.depth),
               num_scores = flops / (2 * depth * static_cast<double>(num_dots)),
               all_s = flops / rate * kMeasuredDepth / depth;
  const AttentionRates* const rates = attention_rates(device);
  const double exponentials_s =
      rates != nullptr ? std::min(num_scores / rates->exponentials_per_s, all_s) : 0;
  return waves(attention, device) *
         ((all_s - exponentials_s) * depth / kMeasuredDepth + exponentials_s);
}

}  // namespace rhino::cost
