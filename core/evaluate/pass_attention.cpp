// SPDX-License-Identifier: Apache-2.0
/// What kernels of attention take in a pass.
#include <algorithm>

#include "evaluate/pass_price.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {

void PassPricer::find_attentions() {
  attentions_.clear();
  for (const PassAttention& attention : pass_->attentions) attentions_.push_back(priced(attention));
  const auto num_whole = std::ranges::count(attentions_, true, &AttentionPrice::is_whole);
  is_all_apart_ = num_whole == 0;
  apart_ = nullptr;
  if (num_whole == std::ssize(attentions_)) return;
  if (apart_frame_ == nullptr) apart_frame_ = without_attention_();
  apart_ = &apart_frame_->passes[at(pass_ - frame_.passes.data())];
}

const LoopTraffic& PassPricer::traffic_apart(ValueId id) const {
  const bool is_apart = pass_->attention_of[at_place(id)] >= 0 && attention_of(id) == nullptr;
  return (is_apart || is_all_apart_ ? apart_ : pass_)->traffic_of(id);
}

/// Everything in it is made as what reads it there needs it, but for one.
bool PassPricer::is_whole(const PassAttention& attention, ValueId but_for) const {
  return std::ranges::all_of(attention.attention.members, [&](const auto& member) {
    if (cuts_.ops[at(member.op)] == nullptr) return true;  // copied to its users
    const std::vector<ValueId>& operands = graph_.op(member.op).operands;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const bool is_member = operands[i] != but_for && pass_->makes(operands[i]) &&
                             pass_->is_inside[at_place(operands[i])];
      if (is_member && cuts_.ops[at(member.op)]->needs[i] != cuts_.ops[at(operands[i])]->result)
        return false;
    }
    return true;
  });
}

/// As a device holds its scores.
lower::Attention PassPricer::local(const PassAttention& attention) const {
  lower::Attention own = attention.attention;
  for (const lower::Attention::Member& member : own.members) {
    if (member.part != lower::Attention::Part::product) continue;
    const std::vector<std::int64_t> tile = tables_.local_dims(cuts_.ops[at(member.op)]->result);
    for (std::size_t d = 0; d < tile.size() && d < member.axes.size(); ++d) {
      if (member.axes[d] >= 0) {
        std::int64_t& extent = own.extents[at(member.axes[d])];
        extent = std::min(extent, tile[d]);
      }
    }
  }
  return own;
}

PassPricer::AttentionPrice PassPricer::priced(const PassAttention& attention) const {
  AttentionPrice made{.is_whole = is_whole(attention, kNoValue)};
  if (!made.is_whole) {
    if (attention.apart == kNoValue || !is_whole(attention, attention.apart)) return made;
    made.is_whole = true;
    made.apart = attention.apart;
  }
  made.results.resize(attention.results.size());
  if (made.apart == kNoValue) price(attention, attention.results, made);
  else
    for (const PassAttention& part : attention.parts) price(part, attention.results, made);
  return made;
}

/// One kernel, of some of the results of its attention, or of all.
void PassPricer::price(const PassAttention& kernel, const std::vector<ValueId>& results,
                       AttentionPrice& price) const {
  const lower::Attention own = local(kernel);
  double share = 1;
  for (std::size_t axis = 0; axis < own.extents.size(); ++axis)
    share *= static_cast<double>(own.extents[axis]) /
             static_cast<double>(kernel.attention.extents[axis]);
  cost::AttentionDots dots = kernel.dots;
  dots.forward.flops *= share;
  dots.backward.flops *= share;
  const DeviceModel& device = tables_.cost().cluster().models[at(model_)];
  const double arithmetic_s = cost::attention_arithmetic_s(device, own, dots);
  double bytes = 0, op_by_op_s = 0;
  for (const ValueId id : kernel.inputs) bytes += tables_.tile_bytes(cuts_.forms[at(id)]);
  for (const ValueId id : kernel.results) bytes += tables_.tile_bytes(cuts_.ops[at(id)]->result);
  for (const lower::Attention::Member& member : own.members) {
    if (cuts_.ops[at(member.op)] != nullptr) op_by_op_s += cuts_.ops[at(member.op)]->own_s;
  }
  // Plans may cut it into kernels of single results, or find none where they cut otherwise.
  const double num_dots = dots.forward.num_dots + dots.backward.num_dots,
               one_s = std::min(arithmetic_s, op_by_op_s) / num_dots;
  const auto number = [&](ValueId id) {
    return at(std::ranges::find(results, id) - results.begin());
  };
  for (const ValueId id : kernel.results)
    price.results[number(id)].sure_s = kernel.results.size() == 1 ? one_s * num_dots : one_s;
  price.results[number(kernel.results.front())].seconds =
      device.kernel_latency_s + std::max(arithmetic_s, tables_.cost().stream_s(bytes, model_));
}

std::size_t PassPricer::result_number(ValueId id) const {
  const std::vector<ValueId>& results =
      pass_->attentions[at(pass_->attention_of[at_place(id)])].results;
  return at(std::ranges::find(results, id) - results.begin());
}

}  // namespace rhino::evaluate
