// SPDX-License-Identifier: Apache-2.0
/// What a pass takes in the order in which it was played.
#include <algorithm>
#include <utility>

#include "evaluate/cut_walk.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

/// A device, and the host that issues what it runs.
struct Clock {
  explicit Clock(double issue_s) : own_issue_s(issue_s) {}
  double now_s = 0, host_s = 0;
  double last_s = 0;   ///< when the last kernel was issued
  double sum_s = 0;    ///< of all issues
  double own_issue_s;  ///< of one

  void issue_for(double seconds) {
    host_s += seconds;
    sum_s += seconds;
  }
  /// Which begins no sooner.
  void issue_message(double seconds) {
    issue_for(seconds);
    if (seconds > 0) now_s = std::max(now_s, host_s);
  }
  /// The device runs the first of them as soon as it is issued, the last one no sooner than that.
  void issue_kernels(double count) {
    if (count > 0) now_s = std::max(now_s, host_s + own_issue_s);
    issue_for(count * own_issue_s);
    if (count > 0) last_s = host_s;
  }
};

}  // namespace

/// By what comes with the late arrival.
bool CutWalk::is_held_up(const LinkUse& use) const {
  return (late_links_[0] && use.busy_s[0] > 0) || (late_links_[1] && use.busy_s[1] > 0);
}

/// `is_sure`: units take what is sure, and nothing is launched.
CutWalk::Result CutWalk::timed(double arrival_s, const Costs& costs, const Price& price,
                               bool is_sure) {
  Result result{.departs_s = std::vector<double>(at(pass_.num_departures())),
                .num_before = std::vector<std::int32_t>(at(pass_.num_departures()))};
  Clock clock(costs.issue_s);
  links_.clear();
  double heavy_s = 0;
  for (const Step& step : steps_) {
    switch (step.kind) {
      case Step::Kind::unit:
        clock.issue_kernels(step.num_kernels);
        clock.now_s += is_sure ? step.sure_s : step.seconds;
        if (step.is_heavy) heavy_s += step.seconds;
        break;
      case Step::Kind::launch:
        if (is_sure) break;
        clock.issue_kernels(costs.kernels_per_launch);
        clock.now_s += costs.latency_s;
        ++result.num_launches;
        break;
      case Step::Kind::more:
        if (!is_sure) clock.now_s += step.seconds;
        break;
      case Step::Kind::end: clock.now_s = std::max(clock.now_s, clock.last_s); break;
      case Step::Kind::start: {
        ++result.num_messages;
        const Collective& sum = messages_[at(step.number)];
        clock.issue_message(costs.message_s(sum.kind));
        const LinkUse use = price(sum);
        for (std::size_t kind = 0; kind < 2; ++kind) result.busy_s[kind] += use.busy_s[kind];
        links_.start(sum.axes, use, std::max(clock.now_s, is_held_up(use) ? arrival_s : 0));
        break;
      }
      case Step::Kind::wait: {
        const double end_s = std::max(clock.now_s, links_.end_s(step.number));
        result.waited_s += end_s - std::exchange(clock.now_s, end_s);
        break;
      }
      case Step::Kind::depart:
        clock.issue_message(costs.issue_s);
        result.departs_s[at(step.number)] = clock.now_s;
        result.num_before[at(step.number)] = static_cast<std::int32_t>(result.arrives_s.size());
        result.heavy_before_s = heavy_s;
        break;
      case Step::Kind::arrive:
        if (!pass_.is_under_way(step.number)) {
          result.arrives_s.resize(at(step.number), clock.now_s);
          result.arrives_s.push_back(clock.now_s);
        }
        if (step.number == late_arrival_) clock.now_s = std::max(clock.now_s, arrival_s);
        clock.host_s = std::max(clock.host_s, clock.now_s);
        break;
    }
  }
  result.end_s = clock.now_s;
  result.issued_s = clock.sum_s;
  return result;
}

}  // namespace rhino::evaluate
