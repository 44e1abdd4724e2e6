// SPDX-License-Identifier: Apache-2.0
#include "simulate/steady_state.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "rhino/index.hpp"

namespace rhino::simulate {
namespace {

/// Moments that are kept: periods of half as many micro-batches are found, with a forward and a
/// backward pass of each.
constexpr std::size_t kMostMoments = 16;

using Instructions = std::vector<plan::Instruction>;

bool is_alike(const plan::Instruction& now, const plan::Instruction& later, std::int32_t shift) {
  return now.kind == later.kind && now.index == later.index &&
         later.instance == (now.instance < 0 ? now.instance : now.instance + shift);
}

/// How often the `size` instructions from `first` on follow upon themselves, and what comes next is
/// what comes next then.
std::int64_t num_repeats(const Instructions& list, std::int64_t first, std::int64_t size,
                         std::int32_t shift) {
  std::int64_t now = first;
  while (now + size < std::ssize(list) && is_alike(list[at(now)], list[at(now + size)], shift))
    ++now;
  return std::max<std::int64_t>(0, now - first - 1) / size;
}

}  // namespace

void repeat(plan::DeviceTrace& trace, const Moment::Place& since, std::int64_t num_instructions,
            const Repeats& repeats) {
  const std::size_t num_events = trace.events.size();
  for (std::int64_t k = 1; k <= repeats.count; ++k) {
    const double later_s = static_cast<double>(k) * repeats.period_s;
    for (std::size_t e = since.num_events; e < num_events; ++e) {
      plan::TraceEvent event = trace.events[e];
      event.instruction += static_cast<std::int32_t>(k * num_instructions);
      event.begin_s += later_s;
      event.end_s += later_s;
      trace.events.push_back(event);
    }
  }
  const auto add = [&](double& sum, double before) {
    sum += static_cast<double>(repeats.count) * (sum - before);
  };
  add(trace.compute_s, since.compute_s);
  add(trace.communication_s, since.communication_s);
  add(trace.exposed_communication_s, since.exposed_communication_s);
}

std::int64_t num_repeats(const plan::ExecutionPlan& plan, const Moment& from, const Moment& to) {
  std::map<std::tuple<std::int32_t, std::int64_t, std::int64_t>, std::int64_t> known;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::size_t p = 0; p < from.places.size(); ++p) {
    const auto& [role, first] = std::tie(from.places[p].role, from.places[p].instruction);
    const std::int64_t size = to.places[p].instruction - first;
    if (size == 0) continue;
    const auto [found, is_new] = known.try_emplace({role, first, size}, 0);
    if (is_new) {
      found->second = num_repeats(plan.roles[at(role)].instructions, first, size,
                                  to.micro_batch - from.micro_batch);
    }
    least = std::min(least, found->second);
  }
  return known.empty() ? 0 : least;
}

const Moment* Moments::find(const State& state) const {
  const auto same = std::ranges::find_if(
      list_, [&](const Moment& moment) { return moment.state.is_same(state); });
  return same == list_.end() ? nullptr : &*same;
}

void Moments::add(Moment moment) {
  if (list_.size() == kMostMoments) list_.pop_back();
  list_.push_front(std::move(moment));
}

}  // namespace rhino::simulate
