// SPDX-License-Identifier: Apache-2.0
#include "cost/attention_price.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "ir/flops.hpp"
#include "lower/attention_passes.hpp"
#include "rhino/index.hpp"

namespace rhino::cost {
namespace {

using lower::Attention;

constexpr double kMeasuredDepth = 128, kBlock = 128;

double extent_of(const Attention& attention, const std::vector<std::int32_t>& axes) {
  double extent = 1;
  for (const std::int32_t axis : axes) extent *= static_cast<double>(attention.extents[at(axis)]);
  return extent;
}

/// The time that full multiprocessors would take grows by so much.
double waves(const Attention& attention, bool is_backward, const DeviceModel& device) {
  if (device.num_multiprocessors == 0) return 1;
  const double length = is_backward ? static_cast<double>(attention.extents[at(attention.column)])
                                    : extent_of(attention, attention.rows);
  const double parts = extent_of(attention, attention.batch) * std::ceil(length / kBlock) /
                       device.num_multiprocessors;
  return std::ceil(parts) / parts;
}

/// Of dots; a dtype that the device lacks works as f32.
double rate_of(const DeviceModel& device, DType dtype, bool is_backward) {
  const auto own = device.peak_flops.find(dtype), f32 = device.peak_flops.find(DType::f32);
  if (own == device.peak_flops.end() && f32 == device.peak_flops.end()) return 0;
  const double peak = (own != device.peak_flops.end() ? own : f32)->second;
  if (device.attention != AttentionRates{} && is_narrow(dtype))
    return (is_backward ? device.attention.backward : device.attention.forward) * peak;
  const auto sustained = device.sustained_flops.find(dtype);
  return sustained != device.sustained_flops.end() ? sustained->second : peak;
}

/// Results of the backward pass, and products that they are made of; else those of the forward one.
std::set<ValueId> dots_of(const Program& program, const Attention& attention, bool is_backward) {
  std::set<ValueId> dots;
  for (const Attention::Member& member : attention.members) {
    if (!lower::is_result(attention, member.op)) continue;
    std::set<ValueId> own{member.op};
    const std::size_t scores = lower::scores_operand(program, attention, member.op);
    for (const ValueId id :
         lower::computed_for(program, attention, {program.op(member.op).operands[scores]})) {
      if (attention.member(id)->part == Attention::Part::product) own.insert(id);
    }
    const bool has_gradients = member.part == Attention::Part::column_result || own.size() > 2;
    if (has_gradients == is_backward) dots.merge(own);
  }
  return dots;
}

double kernel_s(const DeviceModel& device, const Attention& attention, const AttentionDots& dots,
                bool is_backward) {
  const AttentionDots::Pass& pass = is_backward ? dots.backward : dots.forward;
  const double rate = rate_of(device, dots.dtype, is_backward);
  if (rate == 0 || pass.flops == 0) return 0;
  // Of all scores: dots, and exponentials that the measured rate has in it.
  const double depth = static_cast<double>(attention.depth),
               num_scores = pass.flops / (2 * depth * static_cast<double>(pass.num_dots)),
               all_s = pass.flops / rate * kMeasuredDepth / depth;
  const double exponentials_per_s = device.attention.exponentials_per_s,
               exponentials_s =
                   exponentials_per_s > 0 ? std::min(num_scores / exponentials_per_s, all_s) : 0;
  return waves(attention, is_backward, device) *
         ((all_s - exponentials_s) * depth / kMeasuredDepth + exponentials_s);
}

}  // namespace

AttentionDots attention_dots(const Program& program, const Attention& attention) {
  const auto dot =
      std::ranges::find(attention.members, Attention::Part::product, &Attention::Member::part);
  AttentionDots result{.dtype = program.shape(program.op(dot->op).operands[0]).dtype};
  const double share = lower::seen_share(attention);
  for (const bool is_backward : {false, true}) {
    AttentionDots::Pass& pass = is_backward ? result.backward : result.forward;
    for (const ValueId id : dots_of(program, attention, is_backward)) {
      pass.flops += share * ir::op_flops(program, id);
      ++pass.num_dots;
    }
  }
  return result;
}

AttentionDots attention_dots(const lower::LoweredProgram& lowered) {
  AttentionDots all;
  for (const lower::KernelGroup& group : lowered.groups) {
    if (group.kind != lower::KernelGroup::Kind::attention) continue;
    const AttentionDots dots = attention_dots(lowered.program, *group.attention);
    all.dtype = dots.dtype;
    all.forward.flops += dots.forward.flops, all.forward.num_dots += dots.forward.num_dots;
    all.backward.flops += dots.backward.flops, all.backward.num_dots += dots.backward.num_dots;
  }
  return all;
}

double measured_attention_s(const std::vector<Calibration::Attention>& measured,
                            const Attention& attention, const AttentionDots& dots) {
  const auto distance = [&](const Calibration::Attention& one) {
    const double by_depth =
        std::log(static_cast<double>(one.depth) / static_cast<double>(attention.depth));
    return std::pair(is_narrow(one.dtype) != is_narrow(dots.dtype), std::abs(by_depth));
  };
  const Calibration::Attention& nearest = *std::ranges::min_element(measured, {}, distance);
  return dots.forward.flops / nearest.forward_flops_per_s +
         dots.backward.flops / nearest.backward_flops_per_s;
}

double attention_arithmetic_s(const DeviceModel& device, const Attention& attention,
                              const AttentionDots& dots) {
  return kernel_s(device, attention, dots, false) + kernel_s(device, attention, dots, true);
}

}  // namespace rhino::cost
