// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "common/cutting.hpp"
#include "common/descent.hpp"
#include "common/rewriting.hpp"
#include "common/shortlist.hpp"
#include "common/update_descent.hpp"

namespace rhino::common {

/// Makes the most promising of a shortlist quicker by their estimate, which knows what overlaps:
/// value by value, updates weight by weight, and of programs of some ops weights anew.
class Refinement {
 public:
  /// The first two are borrowed. Below Cutting::whole nothing is changed value by value, which
  /// takes the most time.
  Refinement(const SearchProblem& problem, Strategies& strategies, const Cutting::Options& options)
      : problem_(problem), strategies_(strategies), options_(options) {}

  /// Adds what it finds: of the most promising of all, and of each configuration.
  void run(Shortlist& shortlist) const {
    shortlist.sort();
    std::vector<Candidate>& fitting = shortlist.all();
    std::vector<Configuration> known;
    const std::size_t count = fitting.size();
    for (std::size_t i = 0; i < count && known.size() < kMostRefined; ++i) {
      if (!is_small(problem_, fitting[i].estimate)) continue;
      if (std::ranges::count(known, fitting[i].configuration) > 0) continue;
      known.push_back(fitting[i].configuration);
      Candidate better = refined(fitting[i]);
      Candidate rewritten = problem_.program.size() < kMostRewritten
                                ? Rewriting(problem_, strategies_).run(fitting[i])
                                : fitting[i];
      if (better.estimate != fitting[i].estimate) fitting.push_back(std::move(better));
      if (rewritten.estimate != fitting[i].estimate) fitting.push_back(std::move(rewritten));
    }
  }

 private:
  static constexpr std::size_t kMostRefined = 4;
  static constexpr int kMostChanges = 4000;
  static constexpr int kMostVain = 1000;  ///< changes in a row; of toys all are looked at
  static constexpr std::int32_t kMostRewritten = 1500;  ///< ops

  Candidate refined(Candidate candidate) const {
    const StrategySpace& space =
        strategies_.space({.mesh = candidate.strategy.chunks.front().mesh,
                           .num_micro_batches = candidate.configuration.num_micro_batches,
                           .strided = options_.strided});
    descend(space, candidate);
    if (candidate.writing == nullptr)
      candidate.writing = std::make_shared<Writing>(problem_.program, strategies_,
                                                    candidate.strategy, options_.zero);
    const UpdateDescent updates(problem_, space);
    bool is_better = false;
    for (std::size_t way = 0; way < candidate.writing->num_ways(); ++way) {
      const Writing::Written* const whole = candidate.writing->of(way, 0);
      if (whole != nullptr)
        is_better |=
            updates.run(strategies_, whole->strategy, candidate.strategy, candidate.estimate);
    }
    if (is_better) descend(space, candidate);
    return candidate;
  }

  void descend(const StrategySpace& space, Candidate& candidate) const {
    if (options_.level < Cutting::whole) return;
    const int most_vain = problem_.program.size() < kFewOps ? kMostChanges : kMostVain;
    candidate.strategy = Descent(problem_, space, kMostChanges, most_vain)
                             .run(strategies_, candidate.strategy, candidate.estimate);
  }

  const SearchProblem& problem_;
  Strategies& strategies_;
  Cutting::Options options_;
};

}  // namespace rhino::common
