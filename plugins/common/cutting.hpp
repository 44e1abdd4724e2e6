// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/cut_choice.hpp"
#include "common/shortlist.hpp"
#include "rhino/error.hpp"

namespace rhino::common {

/// How a search cuts the values of a configuration, and with how much work.
class Cutting {
 public:
  /// How much work a cut is worth.
  enum Level : std::int64_t {
    first_look = 1,
    segments = 2,  ///< ops that repeat are cut alike
    whole = 3,     ///< op by op where that is affordable
  };
  struct Options {
    bool zero = true, strided = true, is_linear = false;
  };

  /// Both are borrowed; of the problem its memory does not matter.
  Cutting(const SearchProblem& problem, Strategies& strategies, const Options& options)
      : problem_(problem),
        strategies_(strategies),
        options_(options),
        uncut_(problem, strategies, options.is_linear) {}

  const SearchProblem& problem() const { return problem_; }
  Strategies& strategies() const { return strategies_; }
  const Options& options() const { return options_; }

  /// Over several axes ops that repeat are then cut alike, and less is looked at.
  bool is_large() const { return problem_.program.size() > kMostUntied; }

  /// `share`: of seconds in collectives, the rest lying beside kernels; `stage_of` as of
  /// StrategyDraft::chunk_of. Throws Error where the batch does not divide.
  CutChoice choice(const Configuration& configuration, std::int64_t level, double share = 1,
                   const std::vector<std::int32_t>& stage_of = {}) {
    return {problem_,
            strategies_,
            uncut_.of(configuration, stage_of),
            configuration,
            {.tied = !is_exact(configuration, level),
             .zero = options_.zero,
             .strided = options_.strided,
             .reshard_share = share}};
  }

  /// The cheapest one by tables. Throws Error where there is none.
  Candidate cheapest(const Configuration& configuration, std::int64_t level, double share = 1,
                     const std::vector<std::int32_t>& stage_of = {}) {
    const CutChoice cuts = choice(configuration, level, share, stage_of);
    const choice::Solution found = cuts.solve(effort(configuration, level));
    if (found.cost >= choice::kForbidden) throw Error("no cut of it keeps to the pins");
    Candidate made{configuration, cuts.strategy(found.labels)};
    made.table_s = cuts.step_s(found.cost);
    made.table_bound_s = cuts.step_s(found.bound);
    return made;
  }

  choice::Effort effort(const Configuration& configuration, std::int64_t level) const {
    if (is_exact(configuration, level)) return choice::kExact;
    if (level == first_look && is_large()) return choice::kQuick;
    return level < whole ? choice::kThorough : choice::Effort{};
  }

 private:
  static constexpr std::int32_t kMostUntied = 4000;

  /// Whether op by op is affordable: over one axis eliminating nodes is exact.
  bool is_exact(const Configuration& configuration, std::int64_t level) const {
    return level == whole && (!is_large() || configuration.axes.size() == 1);
  }

  const SearchProblem& problem_;
  Strategies& strategies_;
  Options options_;
  Uncut uncut_;
};

}  // namespace rhino::common
