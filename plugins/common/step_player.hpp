// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/pass_graph.hpp"

namespace rhino::common {

/// When passes of one step end; those that have not been played end never.
class PassEnds {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  explicit PassEnds(const PassGraph& graph)
      : graph_(graph),
        ends_s_(static_cast<std::size_t>(graph.num_passes()) *
                    static_cast<std::size_t>(graph.num_micro_batches()),
                kNever) {}

  /// When all that a pass reads is there.
  double ready_s(std::int32_t pass, std::int32_t micro_batch) const {
    double ready = 0;
    for (const PassGraph::Source& source : graph_.sources(pass))
      ready = std::max(ready, end_s({source.pass, micro_batch}) + source.seconds);
    return ready;
  }
  double end_s(const PassUse& use) const { return ends_s_[index(use)]; }
  void set(const PassUse& use, double seconds) { ends_s_[index(use)] = seconds; }
  void clear() { std::ranges::fill(ends_s_, kNever); }

 private:
  std::size_t index(const PassUse& use) const {
    return static_cast<std::size_t>(use.pass) *
               static_cast<std::size_t>(graph_.num_micro_batches()) +
           static_cast<std::size_t>(use.micro_batch);
  }

  const PassGraph& graph_;
  std::vector<double> ends_s_;
};

struct StepTimes {
  double period_s = PassEnds::kNever;    ///< of steps back to back, on the mesh that takes longest
  double makespan_s = PassEnds::kNever;  ///< of the first
  bool operator==(const StepTimes&) const = default;
};

/// An order of all meshes and what it takes.
struct TimedOrder {
  PassLists lists;  ///< empty: none was found
  StepTimes times;
};

/// Of schedules, that with the shorter period is better; of equal ones that with the shorter step.
inline bool is_shorter(const StepTimes& a, const StepTimes& b) {
  constexpr double kEqual = 1e-9;
  if (a.period_s < b.period_s * (1 - kEqual)) return true;
  return a.period_s <= b.period_s * (1 + kEqual) && a.makespan_s < b.makespan_s * (1 - kEqual);
}

/// Meshes that work off lists, step after step, what crosses delaying its receiver alone.
class StepPlayer {
 public:
  static constexpr std::size_t kSteps = 3;

  explicit StepPlayer(const PassGraph& graph)
      : graph_(graph), ends_{PassEnds(graph), PassEnds(graph), PassEnds(graph)} {}

  /// Never: the lists wait for each other in a circle.
  StepTimes play(const PassLists& lists) {
    now_s_.assign(lists.size(), 0);
    for (std::size_t step = 0; step < kSteps; ++step) {
      if (!play(lists, ends_[step])) return {};
      if (step == 0) first_s_ = now_s_;
    }
    StepTimes times{0, 0};
    for (std::size_t mesh = 0; mesh < lists.size(); ++mesh) {
      times.makespan_s = std::max(times.makespan_s, first_s_[mesh]);
      times.period_s = std::max(times.period_s, (now_s_[mesh] - first_s_[mesh]) / (kSteps - 1));
    }
    return times;
  }

  // Of the lists that were played last.
  const PassEnds& ends(std::size_t step) const { return ends_[step]; }
  /// Of the first step, and of all of them.
  double first_s(std::size_t mesh) const { return first_s_[mesh]; }
  double last_s(std::size_t mesh) const { return now_s_[mesh]; }

 private:
  bool play(const PassLists& lists, PassEnds& ends) {
    ends.clear();
    next_.assign(lists.size(), 0);
    std::size_t num_done = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t mesh = 0; mesh < lists.size(); ++mesh) {
        const std::size_t begin = next_[mesh];
        for (std::size_t& next = next_[mesh]; next < lists[mesh].size(); ++next) {
          const PassUse& use = lists[mesh][next];
          const double ready_s = ends.ready_s(use.pass, use.micro_batch);
          if (ready_s == PassEnds::kNever) break;
          now_s_[mesh] = std::max(now_s_[mesh], ready_s) + graph_.seconds(use.pass);
          ends.set(use, now_s_[mesh]);
        }
        moved = moved || next_[mesh] > begin;
      }
    }
    for (std::size_t mesh = 0; mesh < lists.size(); ++mesh)
      num_done += next_[mesh] == lists[mesh].size() ? 1 : 0;
    return num_done == lists.size();
  }

  const PassGraph& graph_;
  std::array<PassEnds, kSteps> ends_;
  std::vector<double> now_s_, first_s_;
  std::vector<std::size_t> next_;
};

}  // namespace rhino::common
