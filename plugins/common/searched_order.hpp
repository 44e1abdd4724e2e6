// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "common/remaining_work.hpp"

namespace rhino::common {

struct SearchedOrder {
  HostSchedule schedule;
  bool is_proved = false;  ///< none is better
};

namespace detail {

/// Depth-first branch and bound over order and senders (AlpaComm, section 3: DFS with pruning, here
/// with a valid bound, and with a budget of nodes in place of a clock).
///
/// Tasks are appended in the order in which they start, and by number where they start together:
/// every schedule can be sorted so without changing a start, and no two sorted ones are the same.
/// Tasks of one kind are interchangeable.
class OrderSearch {
 public:
  OrderSearch(const std::vector<HostTask>& tasks, HostSchedule incumbent, std::int64_t node_budget)
      : tasks_(tasks),
        kinds_(task_kinds(tasks)),
        work_(kinds_),
        times_(num_hosts(tasks)),
        best_(makespan(tasks, incumbent)),
        best_schedule_(std::move(incumbent)),
        nodes_left_(node_budget) {}

  SearchedOrder run() {
    root_bound_ = work_.bound(times_);
    const bool is_few = tasks_.size() * kinds_.size() <= kMostLooks;
    if (is_few) dive({}, 0);
    const bool is_proved = best_ <= root_bound_ || (is_few && nodes_left_ > 0);
    return {std::move(best_schedule_), is_proved};
  }

 private:
  static constexpr std::size_t kMostLooks = std::size_t{1} << 18;  ///< until the first schedule

  struct Step {
    std::int64_t start = 0;
    std::size_t kind = 0;
    std::int32_t sender = -1;
    std::int64_t urgency = 0;  ///< until when the busiest of its hosts is busy at least

    auto place() const { return std::tuple(start, kind, sender); }
  };

  bool is_over() const { return nodes_left_ <= 0 || best_ <= root_bound_; }

  /// Completes the schedule after `last` in all ways that may end before the best one.
  void dive(const Step& last, std::int64_t end) {
    if (steps_.size() == tasks_.size()) {
      best_ = end;
      write_best();
      return;
    }
    for (const Step& step : next_steps(last)) {
      if (is_over()) return;
      --nodes_left_;
      visit(step, end);
    }
  }

  void visit(const Step& step, std::int64_t end) {
    const HostTask& task = kinds_[step.kind].task;
    const std::int64_t sending = times_.sending(step.sender);
    std::vector<std::int64_t> receiving;
    for (const std::int32_t host : task.receivers) receiving.push_back(times_.receiving(host));
    end = std::max(end, times_.run(task, step.sender));
    work_.add(step.kind, -1);
    steps_.push_back(step);
    if (end < best_ && work_.bound(times_, step.start, best_) < best_) dive(step, end);
    steps_.pop_back();
    work_.add(step.kind, 1);
    times_.sending(step.sender) = sending;
    for (std::size_t i = 0; i < receiving.size(); ++i)
      times_.receiving(task.receivers[i]) = receiving[i];
  }

  /// What may come after `last`: the earliest first, then the most urgent, then from the sender
  /// with the least that it alone can send.
  std::vector<Step> next_steps(const Step& last) const {
    std::vector<Step> steps;
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      if (work_.num_left(k) == 0) continue;
      const HostTask& task = kinds_[k].task;
      for (const std::int32_t sender : task.senders) {
        const Step step{times_.start(task, sender), k, sender, urgency(task, sender)};
        if (step.place() > last.place()) steps.push_back(step);
      }
    }
    const auto rank = [this](const Step& step) {
      return std::tuple(step.start, -step.urgency, busy_until(step.sender), step.kind, step.sender);
    };
    std::sort(steps.begin(), steps.end(),
              [&](const Step& a, const Step& b) { return rank(a) < rank(b); });
    return steps;
  }

  std::int64_t urgency(const HostTask& task, std::int32_t sender) const {
    std::int64_t time = task.senders.size() == 1 ? busy_until(sender) : 0;
    for (const std::int32_t host : task.receivers)
      time = std::max(time, times_.receiving(host) + work_.incoming(host));
    return time;
  }
  std::int64_t busy_until(std::int32_t sender) const {
    return times_.sending(sender) + work_.forced(sender);
  }

  void write_best() {
    std::vector<std::size_t> used(kinds_.size(), 0);
    best_schedule_.order.clear();
    for (const Step& step : steps_) {
      const std::int32_t task = kinds_[step.kind].members[used[step.kind]++];
      best_schedule_.order.push_back(task);
      best_schedule_.sender[static_cast<std::size_t>(task)] = step.sender;
    }
  }

  const std::vector<HostTask>& tasks_;
  const std::vector<TaskKind> kinds_;
  RemainingWork work_;
  NicTimes times_;
  std::vector<Step> steps_;  ///< so far
  std::int64_t best_;        ///< makespan
  HostSchedule best_schedule_;
  std::int64_t nodes_left_, root_bound_ = 0;
};

}  // namespace detail

/// The best schedule that branch and bound finds within `node_budget` nodes, starting from
/// `incumbent`; optimal where it needs fewer. Every node looks at all kinds of tasks: where there
/// are too many of both (512 of as many kinds, 4096 of 64) the incumbent stays.
inline SearchedOrder searched_order(const std::vector<HostTask>& tasks, HostSchedule incumbent,
                                    std::int64_t node_budget) {
  constexpr std::size_t kMostTasks = 4096;
  if (tasks.size() > kMostTasks) return {std::move(incumbent), false};
  return detail::OrderSearch(tasks, std::move(incumbent), node_budget).run();
}

}  // namespace rhino::common
