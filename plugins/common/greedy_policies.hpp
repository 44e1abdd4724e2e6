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

/// [attempt][mesh], each of one kind: Fs before the first B as many as fit, as eager-1F1B, and as
/// 1F1B. What is mostly better comes first.
inline std::vector<std::vector<GreedyPolicy>> uniform_policies(std::size_t num_meshes) {
  std::vector<std::vector<GreedyPolicy>> all;
  for (const GreedyTurns turns : kTurns) {
    for (const double least_gap : kGaps) {
      for (const std::int32_t ahead : {0, 2, 1}) {
        for (const double patience : kPatience) {
          std::vector<GreedyPolicy>& policies = all.emplace_back();
          for (auto left = static_cast<std::int32_t>(num_meshes); left > 0; --left)
            policies.push_back({least_gap, patience, turns,
                                ahead == 0 ? std::numeric_limits<std::int32_t>::max()
                                           : ahead * left - (ahead - 1)});
        }
      }
    }
  }
  return all;
}

/// With another one for some mesh.
inline std::vector<GreedyPolicy> changed(std::vector<GreedyPolicy> policies,
                                         CounterRandom& random) {
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

}  // namespace rhino::common
