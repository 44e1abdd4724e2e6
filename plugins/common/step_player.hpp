// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/joint_order.hpp"
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
  /// When all that crosses to it is there.
  double there_s(const PassUse& use) const {
    double there = 0;
    for (const PassGraph::Source& source : graph_.crossing(use.pass))
      there = std::max(there, end_s({source.pass, use.micro_batch}) + source.seconds);
    return there;
  }
  double end_s(const PassUse& use) const { return ends_s_[index(use)]; }
  void set(const PassUse& use, double seconds) { ends_s_[index(use)] = seconds; }
  void clear() { std::ranges::fill(ends_s_, kNever); }

 private:
  std::size_t index(const PassUse& use) const {
    return static_cast<std::size_t>(use.micro_batch) *
               static_cast<std::size_t>(graph_.num_passes()) +
           static_cast<std::size_t>(use.pass);
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
      : graph_(graph), joint_(graph), ends_{PassEnds(graph), PassEnds(graph), PassEnds(graph)} {}

  /// Each list is an order, see is_order. Never: they wait for each other in a circle.
  StepTimes play(const PassLists& lists) {
    if (!joint_.follow(lists)) return {};
    return play(joint_.order(), {&ends_[0], &ends_[1], &ends_[2]});
  }
  /// The lists in one, every pass after what it reads. What ends() say then is of the last step.
  StepTimes play(const PassList& order) { return play(order, {&ends_[0], &ends_[0], &ends_[0]}); }

  // Of the lists that were played last.
  const PassEnds& ends(std::size_t step) const { return ends_[step]; }
  /// Of the first step, and of all of them.
  double first_s(std::size_t mesh) const { return ended_s_[mesh]; }
  double last_s(std::size_t mesh) const { return now_s_[mesh]; }

 private:
  StepTimes play(const PassList& order, const std::array<PassEnds*, kSteps>& ends) {
    now_s_.assign(graph_.num_meshes(), 0);
    for (std::size_t step = 0; step < kSteps; ++step) {
      for (const PassUse& use : order) {
        double& now_s = now_s_[static_cast<std::size_t>(graph_.mesh_of(use.pass))];
        now_s = std::max(now_s, ends[step]->there_s(use)) + graph_.seconds(use.pass);
        ends[step]->set(use, now_s);
      }
      for (std::size_t mesh = 0; mesh < now_s_.size(); ++mesh)
        now_s_[mesh] += graph_.update_s(mesh);
      if (step == 0) ended_s_ = now_s_;
      if (graph_.is_step_joint()) std::ranges::fill(now_s_, std::ranges::max(now_s_));
      if (step == 0) first_s_ = now_s_;
    }
    StepTimes times{0, 0};
    for (std::size_t mesh = 0; mesh < now_s_.size(); ++mesh) {
      times.makespan_s = std::max(times.makespan_s, first_s_[mesh]);
      times.period_s = std::max(times.period_s, (now_s_[mesh] - first_s_[mesh]) / (kSteps - 1));
    }
    return times;
  }

  const PassGraph& graph_;
  JointOrder joint_;
  std::array<PassEnds, kSteps> ends_;
  /// [mesh]: of steps so far; of the first, before and after the mesh has waited for others.
  std::vector<double> now_s_, ended_s_, first_s_;
};

}  // namespace rhino::common
