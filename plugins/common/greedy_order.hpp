// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "common/counter_random.hpp"
#include "common/task_kinds.hpp"
#include "rhino/index.hpp"

namespace rhino::common {

namespace detail {

/// AlpaComm's randomised greedy (section 3): round by round the tasks that go next are the best of
/// 100 random sets that do not conflict, none sharing a sending or a receiving host. Best is the
/// set of most tasks, then the one that leaves the senders' loads most even.
///
/// Tasks of one kind conflict, so sets are drawn from kinds. Where there are many tasks there are
/// fewer draws, and a draw ends when many in a row do not fit.
class RandomisedGreedy {
 public:
  RandomisedGreedy(const std::vector<HostTask>& tasks, std::uint64_t seed)
      : kinds_(task_kinds(tasks)),
        random_(seed),
        left_(kinds_.size()),
        place_(kinds_.size()),
        senders_(num_hosts(tasks)),
        receivers_(num_hosts(tasks)),
        num_tasks_(tasks.size()) {
    std::iota(left_.begin(), left_.end(), 0);
    std::iota(place_.begin(), place_.end(), 0);
    for (const TaskKind& kind : kinds_) count(kind.task, std::ssize(kind.members));
  }

  HostSchedule run() {
    const std::size_t num_draws =
        std::clamp<std::size_t>(kMostDrawn / std::max<std::size_t>(1, num_tasks_), 1, 100);
    HostSchedule schedule{{}, std::vector<std::int32_t>(num_tasks_, 0)};
    std::vector<std::size_t> num_done(kinds_.size(), 0);
    while (!left_.empty()) {
      Draw best;
      for (std::size_t i = 0; i < num_draws; ++i) {
        Draw next = draw();
        if (is_better(next, best)) best = std::move(next);
      }
      for (const auto& [kind, sender] : best.picks) {
        const std::int32_t task = kinds_[kind].members[num_done[kind]++];
        schedule.order.push_back(task);
        schedule.sender[static_cast<std::size_t>(task)] = sender;
        take(kind, sender, num_done[kind] == kinds_[kind].members.size());
      }
    }
    return schedule;
  }

 private:
  static constexpr std::size_t kMostDrawn = std::size_t{1} << 18;
  static constexpr std::size_t kMostMisses = 128;

  struct Draw {
    std::vector<std::pair<std::size_t, std::int32_t>> picks;  ///< (kind, sending host)
    double unevenness = 0;
  };
  /// One side of a host's interface.
  struct Side {
    std::int64_t load = 0;      ///< bytes
    std::int64_t num_left = 0;  ///< tasks that may use it
    std::uint64_t used_in = 0;  ///< the last draw that did
  };

  static bool is_better(const Draw& a, const Draw& b) {
    if (a.picks.size() != b.picks.size()) return a.picks.size() > b.picks.size();
    return a.unevenness < b.unevenness;
  }

  /// Of a random order of what is left all that fits.
  Draw draw() {
    ++draw_;
    Draw draw;
    std::size_t num_receiving = 0, misses = 0;
    for (std::size_t i = 0; i < left_.size() && misses < kMostMisses; ++i) {
      move_to(i, i + random_.below(left_.size() - i));
      const HostTask& task = kinds_[left_[i]].task;
      const std::int32_t sender = is_receiving(task) ? -1 : pick_sender(task);
      ++misses;
      if (sender < 0) continue;
      misses = 0;
      draw.picks.emplace_back(left_[i], sender);
      senders_[at(sender)].used_in = draw_;
      for (const std::int32_t host : task.receivers) receivers_[at(host)].used_in = draw_;
      num_receiving += task.receivers.size();
      if (draw.picks.size() == num_open_senders_ || num_receiving == num_open_receivers_) break;
    }
    draw.unevenness = unevenness_after(draw);
    return draw;
  }

  void move_to(std::size_t i, std::size_t j) {
    std::swap(left_[i], left_[j]);
    place_[left_[i]] = i;
    place_[left_[j]] = j;
  }

  bool is_receiving(const HostTask& task) const {
    for (const std::int32_t host : task.receivers) {
      if (receivers_[at(host)].used_in == draw_) return true;
    }
    return false;
  }

  /// At random among the free ones, those with less load with more weight; -1 where none is.
  std::int32_t pick_sender(const HostTask& task) {
    std::int64_t most = -1;
    const auto is_free = [&](std::int32_t host) { return senders_[at(host)].used_in != draw_; };
    for (const std::int32_t host : task.senders) {
      if (is_free(host)) most = std::max(most, senders_[at(host)].load);
    }
    if (most < 0) return -1;
    std::uint64_t sum = 0;
    const auto weight = [&](std::int32_t host) {
      return is_free(host) ? static_cast<std::uint64_t>(most - senders_[at(host)].load + 1) : 0;
    };
    for (const std::int32_t host : task.senders) sum += weight(host);
    std::uint64_t ticket = random_.below(sum);
    for (const std::int32_t host : task.senders) {
      if (ticket < weight(host)) return host;
      ticket -= weight(host);
    }
    return -1;
  }

  /// The variance of the senders' loads, but for factors that all draws share.
  double unevenness_after(const Draw& draw) const {
    double sum = sum_, squares = squares_;
    for (const auto& [kind, sender] : draw.picks) {
      const auto bytes = static_cast<double>(kinds_[kind].task.bytes);
      sum += bytes;
      squares += bytes * (2 * static_cast<double>(senders_[at(sender)].load) + bytes);
    }
    return squares - sum * sum / static_cast<double>(num_senders_);
  }

  void take(std::size_t kind, std::int32_t sender, bool was_last) {
    const HostTask& task = kinds_[kind].task;
    const auto bytes = static_cast<double>(task.bytes);
    sum_ += bytes;
    squares_ += bytes * (2 * static_cast<double>(senders_[at(sender)].load) + bytes);
    senders_[at(sender)].load += task.bytes;
    count(task, -1);
    if (!was_last) return;
    move_to(place_[kind], left_.size() - 1);
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

  const std::vector<TaskKind> kinds_;
  CounterRandom random_;
  std::vector<std::size_t> left_;   ///< kinds of which there are tasks left
  std::vector<std::size_t> place_;  ///< [kind] in left_
  std::vector<Side> senders_, receivers_;
  std::size_t num_tasks_;
  std::size_t num_senders_ = 0, num_open_senders_ = 0, num_open_receivers_ = 0;
  std::uint64_t draw_ = 0;
  double sum_ = 0, squares_ = 0;  ///< of the senders' loads
};

}  // namespace detail

inline HostSchedule greedy_order(const std::vector<HostTask>& tasks, std::uint64_t seed) {
  return detail::RandomisedGreedy(tasks, seed).run();
}

}  // namespace rhino::common
