// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
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
  /// first, as much of that as can be gives way to `less`, as Strategy::recompute lists it. Of
  /// several calls each begins where the last one ended.
  Candidate run(Candidate candidate, const std::vector<ValueId>& less) {
    const std::vector<ValueId> more = candidate.strategy.recompute;
    const std::vector<std::vector<ValueId>> forward = forward_ops(candidate.strategy);
    std::vector<std::size_t> counts;  // per chunk the ops of which as much is made anew
    for (const std::vector<ValueId>& ops : forward) counts.push_back(ops.size());
    shares_.resize(forward.size());
    for (std::size_t chunk = forward.size(); chunk-- > 0;) {
      const std::size_t all = forward[chunk].size(), step = std::max<std::size_t>(all / kParts, 1);
      std::size_t least = 0;  // that may fit
      for (std::size_t next = first_guess(chunk, all); counts[chunk] > least;
           next = next_guess(chunk, {least, counts[chunk], all}, step)) {
        std::vector<std::size_t> fewer = counts;
        fewer[chunk] = next;
        Candidate other = candidate;
        other.strategy.recompute = mixed(candidate.strategy, {more, less}, forward, fewer);
        other.estimate = strategies_.estimate(other.strategy);
        if (is_small(problem_, other.estimate, kMargin))
          counts = fewer, candidate = std::move(other);
        else least = fewer[chunk] + 1;
        if (counts[chunk] - std::min(least, counts[chunk]) < step) break;
      }
      shares_[chunk] = all > 0 ? static_cast<double>(counts[chunk]) / static_cast<double>(all) : 0;
    }
    return candidate;
  }

 private:
  static constexpr std::size_t kParts = 32;  ///< of a chunk
  static constexpr double kMargin = 0.98;    ///< plans need a little more than estimates say

  struct Range {
    std::size_t least = 0, most = 0, all = 0;
  };

  /// Much as the last time, or as the chunk behind, which keeps fewer micro-batches; else nothing.
  std::size_t first_guess(std::size_t chunk, std::size_t all) const {
    const bool has_next = !shares_[chunk] && chunk + 1 < shares_.size();
    const std::optional<double>& share = has_next ? shares_[chunk + 1] : shares_[chunk];
    const auto guess = static_cast<std::size_t>(share.value_or(0) * static_cast<double>(all) + 0.5);
    return std::min(guess, all > 0 ? all - 1 : 0);
  }

  /// Once it is known whether the first one fits: a step less, if that is known of it; else half.
  std::size_t next_guess(std::size_t chunk, const Range& range, std::size_t step) const {
    const bool is_first = range.least == 0 && range.most < range.all;
    const std::size_t guess = first_guess(chunk, range.all);
    if (is_first && range.most == guess && guess > step) return guess - step;
    return (range.least + range.most) / 2;
  }

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
  std::vector<std::optional<double>> shares_;  ///< per chunk, of its ops, as the last time
};

}  // namespace rhino::common
