// SPDX-License-Identifier: Apache-2.0
#include "evaluate/shared_links.hpp"

#include "rhino/index.hpp"

namespace rhino::evaluate {

void SharedLinks::clear() {
  flows_.clear();
  open_.clear();
  now_s_ = 0;
}

std::int32_t SharedLinks::start(std::uint32_t axes, const LinkUse& use, double now_s) {
  advance(now_s);
  const bool waits = std::ranges::any_of(
      open_, [&](std::int32_t other) { return flows_[at(other)].axes == axes; });
  open_.push_back(static_cast<std::int32_t>(flows_.size()));
  flows_.push_back({axes, use, waits ? kNever : now_s + use.latency_s});
  return open_.back();
}

double SharedLinks::end_s(std::int32_t flow) {
  advance(kNever, flow);
  return flows_[at(flow)].end_s;
}

/// Until then, or until that flow has ended.
void SharedLinks::advance(double until_s, std::int32_t until_over) {
  while (until_over < 0 || flows_[at(until_over)].end_s < 0) {
    const double next_s = std::min(until_s, share());
    if (next_s == kNever) return;
    for (const std::int32_t number : open_) {
      Flow& flow = flows_[at(number)];
      if (flow.begin_s <= now_s_) flow.left -= flow.rate_per_s * (next_s - now_s_);
    }
    now_s_ = next_s;
    for (std::size_t place = 0; place < open_.size();) {
      if (flows_[at(open_[place])].ends_s <= now_s_) end(place);
      else ++place;
    }
    if (next_s == until_s) return;
  }
}

/// Sets rates and ends: of each kind of links all that use it get equal parts, and what these leave
/// idle. Returns when the next flow begins or ends.
double SharedLinks::share() {
  std::array<double, 2> num_users = {}, used = {};
  const auto for_each_active = [&](auto visit) {
    for (const std::int32_t number : open_) {
      Flow& flow = flows_[at(number)];
      if (flow.begin_s <= now_s_ && flow.use.longest_s() > 0) visit(flow);
    }
  };
  for_each_active([&](Flow& flow) {
    for (std::size_t kind = 0; kind < 2; ++kind) num_users[kind] += flow.use.busy_s[kind] > 0;
  });
  for_each_active([&](Flow& flow) {
    flow.rate_per_s = kNever;
    for (std::size_t kind = 0; kind < 2; ++kind) {
      if (flow.use.busy_s[kind] > 0)
        flow.rate_per_s = std::min(flow.rate_per_s, 1 / (num_users[kind] * flow.use.busy_s[kind]));
    }
    for (std::size_t kind = 0; kind < 2; ++kind)
      used[kind] += flow.rate_per_s * flow.use.busy_s[kind];
  });
  double next_s = kNever;
  for_each_active([&](Flow& flow) {
    double more = kNever;
    for (std::size_t kind = 0; kind < 2; ++kind) {
      if (flow.use.busy_s[kind] > 0) more = std::min(more, 1 / used[kind]);
    }
    flow.rate_per_s *= more;
    flow.ends_s = now_s_ + flow.left / flow.rate_per_s;
    next_s = std::min(next_s, flow.ends_s);
  });
  for (const std::int32_t number : open_) {
    Flow& flow = flows_[at(number)];
    if (flow.use.longest_s() == 0) flow.ends_s = flow.begin_s;
    next_s = std::min(next_s, flow.begin_s > now_s_ ? flow.begin_s : flow.ends_s);
  }
  return next_s;
}

void SharedLinks::end(std::size_t place) {
  Flow& flow = flows_[at(open_[place])];
  flow.end_s = now_s_;
  open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(place));
  const auto next = std::ranges::find_if(
      open_, [&](std::int32_t other) { return flows_[at(other)].axes == flow.axes; });
  if (next != open_.end()) flows_[at(*next)].begin_s = now_s_ + flows_[at(*next)].use.latency_s;
}

}  // namespace rhino::evaluate
