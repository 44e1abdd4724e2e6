// SPDX-License-Identifier: Apache-2.0
#include "simulate/steady_state.hpp"

#include <algorithm>
#include <limits>
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

/// How often the instructions of a period from `first` on follow upon themselves, and what comes
/// next is what comes next then.
std::int64_t RepeatCounter::count(const Period& period, std::int64_t first) {
  const Instructions& list = plan_.roles[at(period.role)].instructions;
  Alike& alike = known_[period];
  if (first < alike.begin || first > alike.end) {
    alike = {first, first};
    const std::int64_t size = period.size;
    while (alike.end + size < std::ssize(list) &&
           is_alike(list[at(alike.end)], list[at(alike.end + size)], period.num_micro_batches))
      ++alike.end;
  }
  return std::max<std::int64_t>(0, alike.end - first - 1) / period.size;
}

std::int64_t RepeatCounter::operator()(const Moment& from, const Moment& to) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  bool is_any = false;
  for (std::size_t p = 0; p < from.places.size(); ++p) {
    const Moment::Place& place = from.places[p];
    const std::int64_t size = to.places[p].instruction - place.instruction;
    if (size == 0) continue;
    is_any = true;
    least = std::min(
        least, count({place.role, to.micro_batch - from.micro_batch, size}, place.instruction));
  }
  return is_any ? least : 0;
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
