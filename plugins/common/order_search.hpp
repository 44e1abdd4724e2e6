// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/counter_random.hpp"
#include "common/critical_moves.hpp"
#include "common/step_player.hpp"

namespace rhino::common {

/// Changes an order where it is critical, one mesh at a time, a single micro-batch or all in which
/// the same pass waits for the same: what takes hardly longer than the best so far is kept, by less
/// and less, and the search begins at the best again (record-to-record travel: Dueck, 1993).
class OrderSearch {
 public:
  OrderSearch(const PassGraph& graph, TimedOrder from, std::uint64_t seed = 1)
      : graph_(graph), player_(graph), random_(seed), best_(std::move(from)) {
    for (const PassList& list : best_.lists) num_uses_ += std::ssize(list);
  }

  /// The best order after about so many passes have been played, or so many orders.
  TimedOrder run(std::int64_t most_work, std::int64_t most_orders) {
    most_work = std::min(most_work, most_orders * play_work());
    for (std::int64_t round = 0; work_ < most_work && round < kMostRounds; ++round) {
      if (is_least() && round == kRoundsForMakespan) break;
      current_ = best_;
      is_played_ = false;
      moves_.clear();
      const std::int64_t begin = work_, length = most_work / kLeastRounds;
      const double most = kAllowances[static_cast<std::size_t>(round) % std::size(kAllowances)];
      for (bool goes_on = true; goes_on && work_ < begin + length;) {
        const auto share = static_cast<double>(work_ - begin) / static_cast<double>(length);
        goes_on = step(most * (1 - share));
      }
    }
    return std::move(best_);
  }

 private:
  static constexpr std::int64_t kLeastRounds = 8, kMostRounds = 400, kRoundsForMakespan = 2;
  static constexpr double kAllowances[] = {0.01, 0.03, 0.1, 0.3};
  static constexpr double kMakespanWeight = 0.01;

  std::int64_t play_work() const { return num_uses_ * std::int64_t{StepPlayer::kSteps}; }
  static double cost(const StepTimes& times) {
    return times.period_s + kMakespanWeight * times.makespan_s;
  }
  bool is_least() const { return best_.times.period_s <= graph_.busiest_s() * (1 + 1e-9); }

  /// False: there is nothing left to try.
  bool step(double allowance) {
    if (moves_.empty()) look();
    if (moves_.empty()) return false;
    const std::size_t chosen = random_.below(moves_.size());
    const PassMove move = moves_[chosen];
    moves_[chosen] = moves_.back();
    moves_.pop_back();
    PassList& list = current_.lists[static_cast<std::size_t>(graph_.mesh_of(move.anchor.pass))];
    PassList before = list;
    if (!change(move, list)) {
      work_ += std::ssize(list);
      list = std::move(before);
      return !moves_.empty();
    }
    work_ += play_work();
    const StepTimes taken = player_.play(current_.lists);
    is_played_ = cost(taken) <= cost(best_.times) * (1 + allowance);
    if (!is_played_) {
      list = std::move(before);
      return !moves_.empty();
    }
    current_.times = taken;
    if (is_shorter(taken, best_.times)) best_ = current_;
    moves_.clear();
    return true;
  }

  /// Where the lists that were played last wait.
  void look() {
    if (!is_played_) player_.play(current_.lists);
    is_played_ = true;
    std::size_t longest = 0, latest = 0;
    for (std::size_t mesh = 0; mesh < graph_.num_meshes(); ++mesh) {
      const auto grown = [&](std::size_t m) { return player_.last_s(m) - player_.first_s(m); };
      if (grown(mesh) > grown(longest)) longest = mesh;
      if (player_.first_s(mesh) > player_.first_s(latest)) latest = mesh;
    }
    const bool is_first = graph_.is_step_joint() || is_least() || random_.below(4) == 0;
    CriticalMoves critical(graph_, player_, current_.lists);
    moves_ = is_first ? critical.find(0, latest) : critical.find(StepPlayer::kSteps - 1, longest);
  }

  /// The move alone, with all like it, or with those from its micro-batch on or up to it.
  bool change(const PassMove& move, PassList& list) {
    const std::uint64_t extent = random_.below(5);
    bool is_changed = apply(move, list);
    if (extent > 1) {
      for (const PassMove& other : moves_) {
        const bool is_later = other.moved.micro_batch > move.moved.micro_batch;
        if (other.is_like(move) && (extent == 2 || is_later == (extent == 3)))
          is_changed = apply(other, list) || is_changed;
      }
    }
    return is_changed && is_order(graph_, list);
  }

  const PassGraph& graph_;
  StepPlayer player_;
  CounterRandom random_;
  TimedOrder current_, best_;
  std::vector<PassMove> moves_;  ///< not tried yet
  bool is_played_ = false;       ///< current_, by what was played last
  std::int64_t num_uses_ = 0, work_ = 0;
};

}  // namespace rhino::common
