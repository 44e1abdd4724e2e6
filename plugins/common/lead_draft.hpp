// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "common/counter_random.hpp"
#include "common/greedy_policies.hpp"
#include "common/lead_policies.hpp"
#include "common/step_player.hpp"

namespace rhino::common {

/// A draft of a pipeline too large for greedy meshes to play it through often: some leads are, once
/// each, and the order in which no mesh takes long from its first pass to its last is the answer,
/// or that of greedy meshes of one policy.
class LeadDraft {
 public:
  /// `ways`: whose backward passes are whole, each tried. None where the pipeline is small, has
  /// several chunks on a mesh, or no leads fit.
  static std::optional<PipelineSchedule> of(const PipelineProblem& problem,
                                            const std::vector<std::vector<bool>>& ways,
                                            std::int64_t most_in_flight) {
    const std::int64_t all = static_cast<std::int64_t>(kNumPasses) * std::ssize(problem.chunks) *
                             problem.num_micro_batches;
    if (all < kLeastUses) return std::nullopt;
    const bool is_alone = ways.size() == 1;
    const std::int64_t most = is_alone && all <= kMostGreedyUses ? kMostUses / 2 : kMostUses;
    LeadDraft draft(is_alone, std::max<std::int64_t>(1, most / (all * std::ssize(ways))));
    for (const std::vector<bool>& is_whole : ways) {
      const PassGraph graph(problem, is_whole, most_in_flight);
      if (!LeadOrder::is_for(graph)) return std::nullopt;
      draft.look_at(graph);
    }
    if (draft.answer_.order.empty()) return std::nullopt;
    return std::move(draft.answer_);
  }

 private:
  static constexpr std::int64_t kLeastUses = 10'000, kMostUses = 250'000, kMostGreedyUses = 24'000;

  LeadDraft(bool is_alone, std::int64_t most_orders)
      : is_alone_(is_alone), most_orders_(most_orders) {}

  void look_at(const PassGraph& graph) {
    LeadTurns turns(graph);
    const std::int64_t all = num_uses(graph);
    CounterRandom random(1);
    const std::vector<LeadTurns::Policies> starts = turns.starts();
    LeadTurns::Policies best;
    double least_s = std::numeric_limits<double>::infinity();
    PassList quickest;
    for (std::int64_t i = 0; i < most_orders_; ++i) {
      if (i >= std::ssize(starts) && best.empty()) break;
      const LeadTurns::Policies leads = i < std::ssize(starts) ? starts[static_cast<std::size_t>(i)]
                                                               : turns.changed(best, random);
      if (std::ssize(turns.play(leads)) < all || turns.longest_s() > least_s) continue;
      least_s = turns.longest_s();
      turns.swap_order(quickest);
      best = leads;
    }
    if (is_alone_ && all <= kMostGreedyUses) take_greedy(graph, quickest);
    if (least_s >= least_s_ || quickest.empty()) return;
    least_s_ = least_s;
    answer_ = schedule_of(graph, quickest);
  }

  /// What greedy meshes would do in its place, if that is shorter.
  static void take_greedy(const PassGraph& graph, PassList& quickest) {
    GreedyPolicies greedy(graph);
    StepPlayer player(graph);
    const PassList& played = greedy.play(greedy.starts().front());
    if (std::ssize(played) < num_uses(graph)) return;
    if (quickest.empty() || is_shorter(player.play(played), player.play(quickest)))
      quickest = played;
  }

  const bool is_alone_;  ///< there is one way
  const std::int64_t most_orders_;
  PipelineSchedule answer_;
  double least_s_ = std::numeric_limits<double>::infinity();
};

}  // namespace rhino::common
