// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "common/candidate.hpp"
#include "rhino/index.hpp"
#include "rhino/search.hpp"

namespace rhino::common {

/// Of two ways to make values anew, of which the one with more of it fits into memory: that one for
/// the first ops of each chunk, as many as it takes, and the other for the rest. Chunks that keep
/// fewer micro-batches need less of it, and of equal layers it does not matter which are made anew.
class PartlyRemade {
 public:
  /// Both are borrowed.
  PartlyRemade(const SearchProblem& problem, Strategies& strategies)
      : problem_(problem), strategies_(strategies) {}

  /// `candidate` fits by its estimate, and makes anew what it lists; chunk by chunk, the last one
  /// first, as much of that as can be gives way to `less`, as Strategy::recompute lists it.
  Candidate run(Candidate candidate, const std::vector<ValueId>& less) const {
    const std::vector<ValueId> more = candidate.strategy.recompute;
    const std::vector<std::vector<ValueId>> forward = forward_ops(candidate.strategy);
    std::vector<std::size_t> counts;  // per chunk the ops of which as much is made anew
    for (const std::vector<ValueId>& ops : forward) counts.push_back(ops.size());
    for (std::size_t chunk = forward.size(); chunk-- > 0;) {
      const std::size_t step = std::max<std::size_t>(forward[chunk].size() / kParts, 1);
      for (std::size_t least = 0; counts[chunk] > least;) {
        std::vector<std::size_t> fewer = counts;
        fewer[chunk] =
            least == 0 && counts[chunk] == forward[chunk].size() ? 0 : (least + counts[chunk]) / 2;
        Candidate other = candidate;
        other.strategy.recompute = mixed(candidate.strategy, {more, less}, forward, fewer);
        other.estimate = strategies_.estimate(other.strategy);
        if (is_small(problem_, other.estimate, kMargin))
          counts = fewer, candidate = std::move(other);
        else least = fewer[chunk] + 1;
        if (counts[chunk] - std::min(least, counts[chunk]) < step) break;
      }
    }
    return candidate;
  }

 private:
  static constexpr std::size_t kParts = 32;  ///< of a chunk
  static constexpr double kMargin = 0.98;    ///< plans need a little more than estimates say

  /// Per chunk, in the order of the program.
  std::vector<std::vector<ValueId>> forward_ops(const Strategy& strategy) const {
    std::vector<std::vector<ValueId>> ops(strategy.chunks.size());
    for (ValueId id = 0; id < problem_.program.size(); ++id) {
      const Op& op = problem_.program.op(id);
      if (op.phase == Phase::forward && !op.operands.empty() && strategy.chunk_of[at(id)] >= 0)
        ops[at(strategy.chunk_of[at(id)])].push_back(id);
    }
    return ops;
  }

  std::vector<ValueId> mixed(
      const Strategy& strategy,
      const std::pair<const std::vector<ValueId>&, const std::vector<ValueId>&>& more_and_less,
      const std::vector<std::vector<ValueId>>& forward,
      const std::vector<std::size_t>& counts) const {
    const auto& [more, less] = more_and_less;
    std::vector<bool> is_first(at(problem_.program.size()));
    for (std::size_t chunk = 0; chunk < forward.size(); ++chunk) {
      for (std::size_t i = 0; i < counts[chunk]; ++i) is_first[at(forward[chunk][i])] = true;
    }
    std::vector<ValueId> values;
    // What is cheap everywhere may lie in no chunk.
    for (const ValueId id : more)
      if (is_first[at(id)] || strategy.chunk_of[at(id)] < 0) values.push_back(id);
    for (const ValueId id : less)
      if (!is_first[at(id)] && strategy.chunk_of[at(id)] >= 0) values.push_back(id);
    std::ranges::sort(values);
    return values;
  }

  const SearchProblem& problem_;
  Strategies& strategies_;
};

}  // namespace rhino::common
