// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "common/written.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "rhino/search.hpp"

namespace rhino::common {

/// A strategy as a person would write it, in all ways: each is completed once, and priced once as
/// it makes nothing anew.
class Writing {
 public:
  struct Written {
    Strategy strategy;
    Estimate estimate;
  };

  /// The first two are borrowed. `zero`: states and gradients may be cut like the batch.
  Writing(const Program& program, Strategies& strategies, const Strategy& of, bool zero)
      : program_(program),
        strategies_(strategies),
        zero_(zero),
        drafts_(written_ways(program, of)) {
    for (StrategyDraft& draft : drafts_) {
      draft.recompute.clear();
      for (Chunk& chunk : draft.chunks) chunk.recompute = false;
    }
  }

  std::size_t num_ways() const { return drafts_.size(); }

  /// Leaves what is annotated besides weights, alike values together, to propagation where that
  /// takes less by estimate: not each sum is worth scattering, and what is gathered anew for the
  /// gradient of a weight may cost more than to keep it.
  void choose_scattered(std::size_t way) {
    if (!chosen_.insert(way).second) return;
    const int zero_stage = std::min(most_zero(way), 1);
    for (const std::vector<ValueId>& alike : annotated_alike(drafts_[way])) {
      const Written* const now = of(way, zero_stage);
      if (now == nullptr) return;
      StrategyDraft fewer = drafts_[way];
      std::erase_if(fewer.annotations, [&](const Annotation& one) {
        return std::ranges::count(alike, one.value) > 0;
      });
      const Written other = completed(fewer, zero_stage);
      if (other.strategy.chunks.empty() || other.estimate.step_s >= now->estimate.step_s) continue;
      drafts_[way] = std::move(fewer);
      std::erase_if(known_, [&](const auto& known) { return known.first.first == way; });
      known_[{way, zero_stage}] = other;
    }
  }

  int most_zero(std::size_t way) const { return zero_ && drafts_[way].batch_axis >= 0 ? 3 : 0; }

  /// None: the batch does not divide by so many devices, or dims are cut into strips.
  const Written* of(std::size_t way, int zero_stage) {
    const auto [found, is_new] = known_.try_emplace({way, zero_stage});
    if (is_new) found->second = completed(drafts_[way], zero_stage);
    return found->second.strategy.chunks.empty() ? nullptr : &found->second;
  }

  /// The step by estimate, states cut like the batch; infinite: it cannot be made.
  double least_s(std::size_t way) {
    const Written* const one = of(way, std::min(most_zero(way), 1));
    return one == nullptr ? std::numeric_limits<double>::infinity() : one->estimate.step_s;
  }
  /// The least of all ways.
  double least_s() {
    double least_s = std::numeric_limits<double>::infinity();
    for (std::size_t way = 0; way < num_ways(); ++way)
      least_s = std::min(least_s, this->least_s(way));
    return least_s;
  }

  /// The least of all ways that fit with as much cut like the batch as can be, by estimate.
  double least_small_s(const SearchProblem& problem) {
    double least_s = std::numeric_limits<double>::infinity();
    for (std::size_t way = 0; way < num_ways(); ++way) {
      const Written* const one = of(way, most_zero(way));
      if (one != nullptr && one->estimate.peak_bytes <= problem.memory_limit_bytes)
        least_s = std::min(least_s, one->estimate.step_s);
    }
    return least_s;
  }

 private:
  /// Annotated values but inputs, those of one shape that are made of one shape and cut alike.
  std::vector<std::vector<ValueId>> annotated_alike(const StrategyDraft& draft) const {
    using Dims = std::vector<std::int64_t>;
    std::map<std::tuple<Dims, Dims, std::vector<std::vector<AxisId>>>, std::vector<ValueId>> groups;
    for (const Annotation& one : draft.annotations) {
      const Op& op = program_.op(one.value);
      if (op.operands.empty()) continue;
      groups[{op.shape.dims, program_.shape(op.operands.front()).dims, one.dims}].push_back(
          one.value);
    }
    std::vector<std::vector<ValueId>> alike;
    for (auto& [like, values] : groups) alike.push_back(std::move(values));
    return alike;
  }

  Written completed(StrategyDraft draft, int zero_stage) const {
    draft.zero_stage = zero_stage;
    try {
      Strategy made = strategies_.complete(draft);
      const Estimate estimate = strategies_.estimate(made);
      return {std::move(made), estimate};
    } catch (const Error&) {
      return {};
    }
  }

  const Program& program_;
  Strategies& strategies_;
  bool zero_;
  std::vector<StrategyDraft> drafts_;
  std::set<std::size_t> chosen_;  ///< ways of which what to scatter is
  std::map<std::pair<std::size_t, int>, Written> known_;
};

}  // namespace rhino::common
