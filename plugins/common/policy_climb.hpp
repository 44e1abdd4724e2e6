// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "common/counter_random.hpp"
#include "common/step_player.hpp"

namespace rhino::common {

/// As many passes as a draft may play (PipelineProblem::is_draft).
inline constexpr std::int64_t kDraftWork = 400'000;

/// The quickest order of a graph that policies of its meshes lead to: some for a start, then
/// changes of the best. What is as quick as that takes its place, since changes may add up.
/// `Family` says which policies there are: starts(), changed(policies, random), and play(policies),
/// the passes of all meshes, each after what it reads, fewer than all where a mesh runs out of
/// room.
template <class Family>
class PolicyClimb {
 public:
  /// Ends before more than so many passes are played; tries one start at least. `family`: what else
  /// the family is made of.
  template <class... Of>
  PolicyClimb(const PassGraph& graph, std::int64_t most_work, Of... family)
      : graph_(graph),
        family_(graph, family...),
        player_(graph),
        num_uses_(num_uses(graph)),
        most_work_(most_work) {}

  /// Changes end, too, where the mesh that has most to do idles no more.
  TimedOrder run(std::int64_t num_changes) {
    for (const Policies& policies : family_.starts()) {
      if (has_work() || best_.lists.empty()) attempt(policies);
    }
    CounterRandom random(1);
    for (std::int64_t i = 0; i < num_changes && has_work() && !policies_.empty() && !is_least();
         ++i)
      attempt(family_.changed(policies_, random));
    return std::move(best_);
  }

 private:
  using Policies = typename Family::Policies;

  bool has_work() const { return work_ + Family::kPlayed * num_uses_ <= most_work_; }
  bool is_least() const { return best_.times.period_s <= graph_.busiest_s() * (1 + 1e-9); }

  void attempt(const Policies& tried) {
    const PassList& played = family_.play(tried);
    work_ += Family::kPlayed * std::ssize(played);
    if (std::ssize(played) < num_uses_) return;
    const StepTimes taken = player_.play(played);
    if (is_shorter(best_.times, taken)) return;
    best_ = {lists_of(graph_, played), taken};
    policies_ = tried;
  }

  const PassGraph& graph_;
  Family family_;
  StepPlayer player_;
  const std::int64_t num_uses_, most_work_;
  std::int64_t work_ = 0;
  TimedOrder best_;
  Policies policies_;
};

}  // namespace rhino::common
