// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "common/cutting.hpp"
#include "common/memory_fit.hpp"
#include "common/shortlist.hpp"

namespace rhino::common {

/// Adds cuts of a configuration that fit into the memory of `problem`. True where its cheapest cut
/// does: to make more anew does not help then. Of large programs what promises more than `most_s`
/// is left out, and at level 2 what is as small as can be where something else fits, or may.
inline bool add_fitted(const SearchProblem& problem, Cutting& cutting,
                       const Configuration& configuration, double most_s, Shortlist& shortlist) {
  constexpr int kMostSolved = 4, kSomeSolved = 12, kManySolved = 60;
  constexpr double kWholeNear = 0.001, kQuickNear = 0.005;  // of the cheapest that has room
  const bool is_large = cutting.is_large(), is_few = problem.program.size() < kFewOps,
             is_whole = cutting.options().level == Cutting::whole;
  constexpr double kAll = std::numeric_limits<double>::infinity();
  const bool is_last = most_s == kAll && configuration.recompute == Recompute::all;
  const CutChoice choice = cutting.choice(
      configuration, is_large ? std::int64_t{Cutting::first_look} : cutting.options().level);
  MemoryFit fit(problem, cutting.strategies(), choice,
                cutting.timely(is_large ? choice::kLight : choice::kCareful),
                cutting.timely(is_large ? choice::kQuick : choice::kCareful),
                {.most_solved = is_large             ? kMostSolved
                                : cutting.is_brisk() ? kSomeSolved
                                                     : kManySolved,
                 // Of many ops the room, a guess itself, is not worth the work of proofs.
                 .near = is_whole && (is_large || is_few) ? kWholeNear : kQuickNear,
                 .most_anew = 1,
                 .most_s = is_large ? most_s : kAll,
                 .smallest = !cutting.is_quick() || is_last},
                cutting.solutions());
  std::vector<MemoryFit::Found> found;
  const bool is_cheapest = fit.run(found);
  if (!is_cheapest && is_few) fit.run_prices(found);
  for (MemoryFit::Found& one : found) {
    Candidate fitted{.configuration = configuration,
                     .strategy = std::move(one.strategy),
                     .estimate = one.estimate};
    if (is_few) shortlist.add_written(fitted);
    shortlist.add(std::move(fitted));
  }
  return is_cheapest;
}

}  // namespace rhino::common
