// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "common/greedy_policies.hpp"
#include "common/step_player.hpp"

namespace rhino::common {

/// As many passes as a draft may play (PipelineProblem::is_draft).
inline constexpr std::int64_t kDraftWork = 400'000;

/// The quickest order of a graph that greedy meshes find: all of one policy, then with changes of
/// single meshes'. What is as quick as the best takes its place, since changes may add up.
class GreedyClimb {
 public:
  /// Ends after about so many passes have been played; tries one policy at least.
  GreedyClimb(const PassGraph& graph, std::int64_t most_work)
      : graph_(graph), greedy_(graph), player_(graph), most_work_(most_work) {
    for (std::int32_t pass = 0; pass < graph.num_passes(); ++pass)
      num_uses_ += graph.is_run(pass) ? graph.num_micro_batches() : 0;
  }

  /// Changes end, too, where the mesh that has most to do idles no more.
  TimedOrder run(std::int64_t num_changes) {
    for (const Policies& policies : uniform_policies(graph_.num_meshes())) {
      if (has_work() || best_.lists.empty()) attempt(policies);
    }
    CounterRandom random(1);
    for (std::int64_t i = 0; i < num_changes && has_work() && !policies_.empty() && !is_least();
         ++i)
      attempt(changed(policies_, random));
    return std::move(best_);
  }

 private:
  using Policies = std::vector<GreedyPolicy>;  ///< [mesh]
  /// A greedy pass takes about as long as so many that are played by lists.
  static constexpr std::int64_t kPlayed = 12;

  bool has_work() const { return work_ < most_work_; }
  bool is_least() const { return best_.times.period_s <= graph_.busiest_s() * (1 + 1e-9); }

  void attempt(const Policies& tried) {
    const PassList& played = greedy_.play(tried);
    work_ += kPlayed * std::ssize(played);
    if (std::ssize(played) < num_uses_) return;  // it ran out of room
    const StepTimes taken = player_.play(played);
    if (is_shorter(best_.times, taken)) return;
    best_ = {lists_of(graph_, played), taken};
    policies_ = tried;
  }

  const PassGraph& graph_;
  GreedyPasses greedy_;
  StepPlayer player_;
  const std::int64_t most_work_;
  TimedOrder best_;
  Policies policies_;
  std::int64_t num_uses_ = 0, work_ = 0;
};

}  // namespace rhino::common
