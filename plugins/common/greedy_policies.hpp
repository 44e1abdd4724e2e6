// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include "common/counter_random.hpp"
#include "common/greedy_passes.hpp"

namespace rhino::common {

using GreedyTurns = GreedyPolicy::Turns;
inline constexpr GreedyTurns kTurns[] = {GreedyTurns::strict, GreedyTurns::soft, GreedyTurns::none};
inline constexpr double kGaps[] = {0, 0.5, 1}, kPatience[] = {0, 0.5, 1};

/// Greedy meshes of policies that differ in how they begin (zero_bubble's; see PolicyClimb).
class GreedyPolicies {
 public:
  using Policies = std::vector<GreedyPolicy>;  ///< [mesh]
  /// A pass takes about as long as so many that are played by lists.
  static constexpr std::int64_t kPlayed = 12;

  explicit GreedyPolicies(const PassGraph& graph)
      : num_meshes_(graph.num_meshes()), greedy_(graph) {}

  const PassList& play(const Policies& policies) { return greedy_.play(policies); }

  /// Each of one kind: Fs before the first B as many as fit, as eager-1F1B, and as 1F1B. What is
  /// mostly better comes first.
  std::vector<Policies> starts() const {
    std::vector<Policies> all;
    for (const GreedyTurns turns : kTurns) {
      for (const double least_gap : kGaps) {
        for (const std::int32_t ahead : {0, 2, 1}) {
          for (const double patience : kPatience) {
            Policies& policies = all.emplace_back();
            for (auto left = static_cast<std::int32_t>(num_meshes_); left > 0; --left)
              policies.push_back({.least_gap = least_gap,
                                  .patience = patience,
                                  .turns = turns,
                                  .most_ahead = ahead == 0
                                                    ? std::numeric_limits<std::int32_t>::max()
                                                    : ahead * left - (ahead - 1)});
          }
        }
      }
    }
    return all;
  }

  /// With another one for some mesh.
  static Policies changed(Policies policies, CounterRandom& random) {
    const std::size_t stages = policies.size();
    GreedyPolicy& policy = policies[random.below(stages)];
    switch (random.below(4)) {
      case 0: policy.least_gap = kGaps[random.below(std::size(kGaps))]; break;
      case 1: policy.patience = kPatience[random.below(std::size(kPatience))]; break;
      case 2: policy.turns = kTurns[random.below(std::size(kTurns))]; break;
      default: policy.most_ahead = 1 + static_cast<std::int32_t>(random.below(2 * stages)); break;
    }
    return policies;
  }

 private:
  std::size_t num_meshes_;
  GreedyPasses greedy_;
};

}  // namespace rhino::common
