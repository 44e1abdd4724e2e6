// SPDX-License-Identifier: Apache-2.0
#include "simulate/uses.hpp"

#include <algorithm>
#include <limits>

namespace rhino::simulate {
namespace {

/// The micro-batch of what happens once a step.
constexpr std::int64_t kOnce = std::numeric_limits<std::int32_t>::min();

}  // namespace

Uses::Uses(const plan::ExecutionPlan& plan, Transfers& transfers, Collectives& collectives)
    : plan_(plan),
      transfers_(transfers),
      collectives_(collectives),
      num_users_(plan.communications.size(), 0),
      open_(plan.communications.size()) {}

void Uses::add_users(std::int32_t communication, std::int32_t count) {
  num_users_[at(communication)] += count;
}

std::int32_t Uses::of(std::int32_t communication, Instance instance) {
  std::vector<Open>& open = open_[at(communication)];
  for (const Open& use : open) {
    if (use.instance == instance) return use.index;
  }
  open.push_back({instance, begin(communication)});
  return open.back().index;
}

std::int32_t Uses::begin(std::int32_t communication) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::int32_t>(uses_.size()));
    uses_.emplace_back();
  }
  const std::int32_t index = free_.back();
  free_.pop_back();
  const bool is_transfer =
      plan_.communications[at(communication)].kind == plan::CommunicationKind::transfer;
  const std::int32_t number =
      is_transfer ? transfers_.add(communication) : collectives_.add(communication);
  uses_[at(index)] = {communication, number, is_transfer, num_users_[at(communication)]};
  if (is_transfer) {
    of_transfer_.resize(std::max(of_transfer_.size(), at(number) + 1));
    of_transfer_[at(number)] = index;
  }
  return index;
}

void Uses::leave(std::int32_t index) {
  const Use& use = uses_[at(index)];
  if (--uses_[at(index)].num_left > 0) return;
  if (use.is_transfer) transfers_.remove(use.number);
  else collectives_.remove(use.number);
  std::erase_if(open_[at(use.communication)],
                [index](const Open& open) { return open.index == index; });
  free_.push_back(index);
}

std::vector<std::int64_t> Uses::add_to(State& state, Instance now) {
  std::vector<std::int32_t> transfers, collectives;
  std::vector<std::int64_t> place(uses_.size(), -1);
  std::int64_t num_places = 0;
  for (std::vector<Open>& open : open_) {
    std::ranges::sort(open, {}, &Open::instance);
    state.add(std::ssize(open));
    for (const auto& [instance, index] : open) {
      const auto [step, micro_batch] = instance;
      const Use& use = uses_[at(index)];
      place[at(index)] = num_places++;
      state.add(std::int64_t{step - now.first});
      state.add(micro_batch < 0 ? kOnce : std::int64_t{micro_batch - now.second});
      state.add(std::int64_t{use.num_left});
      (use.is_transfer ? transfers : collectives).push_back(use.number);
    }
  }
  transfers_.add_to(state, transfers);
  collectives_.add_to(state, collectives);
  return place;
}

void Uses::shift(std::int32_t micro_batches) {
  for (std::vector<Open>& open : open_) {
    for (auto& [instance, index] : open) {
      if (instance.second >= 0) instance.second += micro_batches;
    }
  }
}

}  // namespace rhino::simulate
