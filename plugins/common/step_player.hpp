// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "common/joint_order.hpp"
#include "common/pass_graph.hpp"

namespace rhino::common {

/// What it takes to play a pass, side by side: orders are played by the thousand.
struct PassMoment {
  double seconds = 0, delay_s = 0;  ///< delay: from the end of the pass that it waits for
  std::int32_t mesh = 0, source = 0;
  bool has_more = false;  ///< it waits for others, too
};
/// [pass]
inline std::vector<PassMoment> moments_of(const PassGraph& graph) {
  std::vector<PassMoment> moments;
  for (std::int32_t pass = 0; pass < graph.num_passes(); ++pass) {
    const std::span<const PassGraph::Source> sources = graph.crossing(pass);
    PassMoment& moment = moments.emplace_back();
    moment.seconds = graph.seconds(pass);
    moment.mesh = graph.mesh_of(pass);
    moment.source = sources.empty() ? graph.num_passes() : sources.front().pass;
    moment.delay_s = sources.empty() ? 0 : sources.front().seconds;
    moment.has_more = sources.size() > 1;
  }
  return moments;
}

/// When passes of one step end; those that have not been played end never.
class PassEnds {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  explicit PassEnds(const PassGraph& graph) : PassEnds(graph, graph.num_micro_batches()) {}
  PassEnds(const PassGraph& graph, std::int32_t num_micro_batches)
      : graph_(graph),
        num_columns_(static_cast<std::size_t>(graph.num_passes()) + 1),
        ends_s_(num_columns_ * static_cast<std::size_t>(num_micro_batches)) {
    clear();
  }

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
  double there_s(const PassUse& use, const PassMoment& moment) {
    const double first_s = row(use.micro_batch)[moment.source] + moment.delay_s;
    return moment.has_more ? std::max(first_s, there_s(use)) : first_s;
  }
  double end_s(const PassUse& use) const { return ends_s_[index(use)]; }
  void set(const PassUse& use, double seconds) { ends_s_[index(use)] = seconds; }
  void clear() {
    std::ranges::fill(ends_s_, kNever);
    for (std::size_t last = num_columns_ - 1; last < ends_s_.size(); last += num_columns_)
      ends_s_[last] = 0;
  }
  /// [pass], of one micro-batch; behind them the end of a pass that is over before a step begins.
  double* row(std::int32_t micro_batch) {
    return &ends_s_[static_cast<std::size_t>(micro_batch) * num_columns_];
  }

 private:
  std::size_t index(const PassUse& use) const {
    return static_cast<std::size_t>(use.micro_batch) * num_columns_ +
           static_cast<std::size_t>(use.pass);
  }

  const PassGraph& graph_;
  std::size_t num_columns_;
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
      : graph_(graph),
        joint_(graph),
        moments_(moments_of(graph)),
        ends_{PassEnds(graph), PassEnds(graph), PassEnds(graph)} {}

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
  void play_step(const PassList& order, PassEnds& ends) {
    for (const PassUse& use : order) {
      const PassMoment& moment = moments_[static_cast<std::size_t>(use.pass)];
      double& now_s = now_s_[static_cast<std::size_t>(moment.mesh)];
      now_s = std::max(now_s, ends.there_s(use, moment)) + moment.seconds;
      ends.row(use.micro_batch)[use.pass] = now_s;
    }
  }
  StepTimes play(const PassList& order, const std::array<PassEnds*, kSteps>& ends) {
    now_s_.assign(graph_.num_meshes(), 0);
    for (std::size_t step = 0; step < kSteps; ++step) {
      play_step(order, *ends[step]);
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
  std::vector<PassMoment> moments_;  ///< [pass]
  std::array<PassEnds, kSteps> ends_;
  /// [mesh]: of steps so far; of the first, before and after the mesh has waited for others.
  std::vector<double> now_s_, ended_s_, first_s_;
};

}  // namespace rhino::common
