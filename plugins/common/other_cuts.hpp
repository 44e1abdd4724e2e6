// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/cutting.hpp"
#include "common/samples_over.hpp"

namespace rhino::common {

/// Cuts of the configuration of `quickest`, a cut of it, with more work, with less of the
/// communication counted, and of several axes with samples alone over one; estimated. What may
/// take less than `least_s` is worth the most work, samples alone what is promising.
inline std::vector<Candidate> other_cuts(Cutting& cutting, const Candidate& quickest,
                                         double least_s, bool is_promising = true) {
  const Configuration& configuration = quickest.configuration;
  const std::int64_t level = cutting.options().level;
  std::vector<Candidate> others;
  std::vector<ShardingSpec> last = quickest.strategy.specs;
  for (const double share : cutting.shares_of_communication()) {
    Candidate other = cutting.cheapest(configuration, level, share);
    if (other.strategy.specs == std::exchange(last, other.strategy.specs)) continue;
    other.estimate = cutting.strategies().estimate(other.strategy);
    if (share < 1 && cutting.is_quick() && may_be_found(other, least_s)) {
      other = cutting.cheapest(configuration, Cutting::whole, share);
      other.estimate = cutting.strategies().estimate(other.strategy);
    }
    others.push_back(std::move(other));
  }
  if (configuration.axes.size() == 1 || !is_promising) return others;
  for (Candidate& one : with_samples_alone(cutting, configuration)) {
    const auto is_twin = [&](const Candidate& other) {  // of axes that are alike
      return other.table_s == one.table_s && other.estimate == one.estimate;
    };
    if (std::ranges::none_of(others, is_twin)) others.push_back(std::move(one));
  }
  return others;
}

}  // namespace rhino::common
