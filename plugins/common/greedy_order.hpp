// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "common/counter_random.hpp"
#include "common/nic_model.hpp"

namespace rhino {

namespace detail {

/// AlpaComm's randomised greedy (section 3): round by round the tasks that go next are the best of
/// many random sets that do not conflict, none sharing a sending or a receiving host. Best is the
/// set of most tasks, then the one that leaves the senders' loads most even. All draws together
/// take about `kMostDrawn` looks at tasks, so that many tasks get few draws each.
class RandomisedGreedy {
 public:
  RandomisedGreedy(const std::vector<HostTask>& tasks, std::uint64_t seed)
      : tasks_(tasks),
        random_(seed),
        left_(tasks.size()),
        place_(tasks.size()),
        senders_(num_hosts(tasks)),
        receivers_(num_hosts(tasks)) {
    std::iota(left_.begin(), left_.end(), 0);
    std::iota(place_.begin(), place_.end(), 0);
    for (const HostTask& task : tasks) count(task, 1);
  }

  HostSchedule run() {
    const std::size_t num_draws =
        std::clamp<std::size_t>(kMostDrawn / std::max<std::size_t>(1, tasks_.size()), 1, 100);
    HostSchedule schedule{{}, std::vector<std::int32_t>(tasks_.size(), 0)};
    while (!left_.empty()) {
      Draw best;
      for (std::size_t i = 0; i < num_draws; ++i) {
        Draw next = draw();
        if (is_better(next, best)) best = std::move(next);
      }
      for (const auto& [task, sender] : best.picks) {
        schedule.order.push_back(task);
        schedule.sender[at(task)] = sender;
        take(task, sender);
      }
    }
    return schedule;
  }

 private:
  static constexpr std::size_t kMostDrawn = std::size_t{1} << 19;
  static constexpr std::size_t kMostMisses = 256;  ///< tasks in a row that conflict end a draw

  struct Draw {
    std::vector<std::pair<std::int32_t, std::int32_t>> picks;  ///< (task, sending host)
    double unevenness = 0;
  };
  /// One side of a host's interface.
  struct Side {
    std::int64_t load = 0;      ///< bytes
    std::int64_t num_left = 0;  ///< tasks that may use it
    std::uint64_t used_in = 0;  ///< the last draw that did
  };

  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }
  static bool is_better(const Draw& a, const Draw& b) {
    if (a.picks.size() != b.picks.size()) return a.picks.size() > b.picks.size();
    return a.unevenness < b.unevenness;
  }

  /// A random order of what is left, as far as it is looked at, and of it all that fits.
  Draw draw() {
    ++draw_;
    Draw draw;
    std::size_t misses = 0;
    for (std::size_t i = 0; i < left_.size() && misses < kMostMisses; ++i) {
      move_to(i, i + random_.below(left_.size() - i));
      const std::int32_t task = left_[i];
      const std::int32_t sender = is_receiving(tasks_[at(task)]) ? -1 : pick_sender(task);
      if (sender < 0) {
        ++misses;
        continue;
      }
      misses = 0;
      senders_[at(sender)].used_in = draw_;
      for (const std::int32_t host : tasks_[at(task)].receivers)
        receivers_[at(host)].used_in = draw_;
      draw.picks.emplace_back(task, sender);
      num_busy_receivers_ += tasks_[at(task)].receivers.size();
      if (draw.picks.size() == num_open_senders_ || num_busy_receivers_ == num_open_receivers_)
        break;
    }
    num_busy_receivers_ = 0;
    draw.unevenness = unevenness_after(draw);
    return draw;
  }

  void move_to(std::size_t i, std::size_t j) {
    std::swap(left_[i], left_[j]);
    place_[at(left_[i])] = i;
    place_[at(left_[j])] = j;
  }

  bool is_receiving(const HostTask& task) const {
    for (const std::int32_t host : task.receivers) {
      if (receivers_[at(host)].used_in == draw_) return true;
    }
    return false;
  }

  /// At random among the free ones, those with less load with more weight; -1 where none is.
  std::int32_t pick_sender(std::int32_t task) {
    std::int64_t most = -1;
    const auto is_free = [&](std::int32_t host) { return senders_[at(host)].used_in != draw_; };
    for (const std::int32_t host : tasks_[at(task)].senders) {
      if (is_free(host)) most = std::max(most, senders_[at(host)].load);
    }
    if (most < 0) return -1;
    std::uint64_t sum = 0;
    const auto weight = [&](std::int32_t host) {
      return is_free(host) ? static_cast<std::uint64_t>(most - senders_[at(host)].load + 1) : 0;
    };
    for (const std::int32_t host : tasks_[at(task)].senders) sum += weight(host);
    std::uint64_t ticket = random_.below(sum);
    for (const std::int32_t host : tasks_[at(task)].senders) {
      if (ticket < weight(host)) return host;
      ticket -= weight(host);
    }
    return -1;
  }

  /// The variance of the senders' loads, but for factors that all draws share.
  double unevenness_after(const Draw& draw) const {
    double sum = sum_, squares = squares_;
    for (const auto& [task, sender] : draw.picks) {
      const auto bytes = static_cast<double>(tasks_[at(task)].bytes);
      sum += bytes;
      squares += bytes * (2 * static_cast<double>(senders_[at(sender)].load) + bytes);
    }
    return squares - sum * sum / static_cast<double>(num_senders_);
  }

  void take(std::int32_t task, std::int32_t sender) {
    const auto bytes = static_cast<double>(tasks_[at(task)].bytes);
    sum_ += bytes;
    squares_ += bytes * (2 * static_cast<double>(senders_[at(sender)].load) + bytes);
    senders_[at(sender)].load += tasks_[at(task)].bytes;
    count(tasks_[at(task)], -1);
    move_to(place_[at(task)], left_.size() - 1);
    left_.pop_back();
  }

  void count(const HostTask& task, std::int64_t change) {
    const auto count_side = [&](Side& side, std::size_t& num_open) {
      num_open -= side.num_left > 0;
      side.num_left += change;
      num_open += side.num_left > 0;
    };
    for (const std::int32_t host : task.senders) count_side(senders_[at(host)], num_open_senders_);
    for (const std::int32_t host : task.receivers)
      count_side(receivers_[at(host)], num_open_receivers_);
    num_senders_ = std::max(num_senders_, num_open_senders_);
  }

  const std::vector<HostTask>& tasks_;
  CounterRandom random_;
  std::vector<std::int32_t> left_;  ///< tasks
  std::vector<std::size_t> place_;  ///< [task] in left_
  std::vector<Side> senders_, receivers_;
  std::size_t num_senders_ = 0, num_open_senders_ = 0, num_open_receivers_ = 0;
  std::size_t num_busy_receivers_ = 0;
  std::uint64_t draw_ = 0;
  double sum_ = 0, squares_ = 0;  ///< of the senders' loads
};

}  // namespace detail

inline HostSchedule greedy_order(const std::vector<HostTask>& tasks, std::uint64_t seed) {
  return detail::RandomisedGreedy(tasks, seed).run();
}

}  // namespace rhino
