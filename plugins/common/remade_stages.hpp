// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "common/cutting.hpp"
#include "common/linear_stages.hpp"
#include "common/partly_remade.hpp"
#include "common/shortlist.hpp"
#include "rhino/error.hpp"

namespace rhino::common {

/// Where memory binds, stages that make as little anew as they must, and take equally long so.
class RemadeStages {
 public:
  /// Both are borrowed; `problem` says how much memory there is.
  RemadeStages(const SearchProblem& problem, Cutting& cutting)
      : problem_(problem), cutting_(cutting) {}

  /// The quickest that fits by its estimate of those from `first` on, with as little of what it
  /// makes anew as the memory asks for.
  void run(std::size_t first, Shortlist& shortlist) const {
    const Candidate* quickest = nullptr;
    for (std::size_t i = first; i < shortlist.size(); ++i) {
      const Candidate& one = shortlist.all()[i];
      if (!is_small(problem_, one.estimate)) continue;
      if (quickest == nullptr || one.step_s() < quickest->step_s()) quickest = &one;
    }
    if (quickest == nullptr) return;
    const Recompute recompute = quickest->configuration.recompute;
    if (recompute == Recompute::all) return;
    const Candidate all = *quickest;
    PartlyRemade parts(problem_, cutting_.strategies());
    Candidate partly = partly_remade(all, parts);
    if (partly.strategy.recompute != all.strategy.recompute) shortlist.add(partly);
    for (int round = 0; round < kMostRounds && all.configuration.num_stages > 1; ++round) {
      Candidate other = recut_remade(all, partly);
      if (!is_small(problem_, other.estimate)) break;
      other = partly_remade(other, parts);
      shortlist.add(other);
      if (other.step_s() >= partly.step_s()) break;
      partly = std::move(other);
    }
  }

 private:
  /// With as much as can be of what the next less level makes anew, in place of its own.
  Candidate partly_remade(const Candidate& all, PartlyRemade& parts) const {
    const Recompute recompute = all.configuration.recompute;
    if (recompute == Recompute::nothing) return all;
    const auto less = static_cast<Recompute>(static_cast<int>(recompute) - 1);
    Candidate partly = parts.run(all, recomputed(problem_.program, less));
    if (partly.strategy.recompute != all.strategy.recompute) partly.strategy.name += " in part";
    return partly;
  }

  /// `all`, which makes anew all that it may, in stages that take equally long, or nearly, with as
  /// much made anew as `partly` does; too large where there are no such stages. What crosses inside
  /// of a layer may take longer than what stages lose that are a little unequal.
  Candidate recut_remade(const Candidate& all, const Candidate& partly) const {
    const CutChoice equal = cutting_.choice(all.configuration, Cutting::first_look);
    std::vector<double> seconds =
        equal.seconds(equal.solve(cutting_.timely(choice::kQuick)).labels);
    for (const ValueId id : partly.strategy.recompute) seconds[at(id)] *= 2;
    const LinearStages stages(problem_.program, seconds);
    Candidate best = all;
    best.estimate = {.step_s = kNever, .peak_bytes = kNever};
    for (const double most : {LinearStages::kEqual, 1.08, 1.15}) {
      Candidate other = all;
      try {
        Strategy made = uncut(problem_, cutting_.strategies(), all.configuration,
                              stages.cut(all.configuration.num_stages, most));
        other.strategy.chunks = std::move(made.chunks);
        other.strategy.chunk_of = std::move(made.chunk_of);
        other.estimate = cutting_.strategies().estimate(other.strategy);
      } catch (const Error& error) {
        cutting_.strategies().reject(all.configuration.name() + ", of equal times", error.what());
        break;
      }
      if (is_small(problem_, other.estimate) && other.step_s() < best.step_s())
        best = std::move(other);
    }
    return best;
  }

  static constexpr double kNever = std::numeric_limits<double>::infinity();
  static constexpr int kMostRounds = 4;

  const SearchProblem& problem_;
  Cutting& cutting_;
};

}  // namespace rhino::common
