// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "common/candidate.hpp"
#include "common/cutting.hpp"
#include "rhino/error.hpp"
#include "rhino/search.hpp"

namespace rhino::common {

/// Parameters cut one by one, as a person would, so that the plan takes fewer bytes, and of what
/// fits less time. Estimates have no say: of toys, whose tiles are smaller than what memory is
/// handed out in, they say little.
class WeightByWeight {
 public:
  /// All are borrowed. `zero`: states and gradients may be cut like the batch.
  WeightByWeight(const SearchProblem& problem, Strategies& strategies,
                 const Cutting::Options& options, int most_evaluations)
      : problem_(problem),
        strategies_(strategies),
        options_(options),
        num_left_(most_evaluations) {}

  /// Of configurations of one axis, those of fewest stages first, what fits; with all made anew, or
  /// nothing.
  std::vector<Candidate> run(std::vector<Configuration> all, Recompute recompute) {
    // Stages may be no runs of the program's ops.
    std::erase_if(all, [&](const Configuration& one) {
      return one.axes.size() > 1 || (options_.is_linear && one.num_stages > 1);
    });
    std::ranges::stable_sort(all, {}, &Configuration::num_stages);
    for (Configuration& one : all) {
      one.recompute = recompute;
      for (const AxisId batch_axis : {kNoAxis, AxisId{0}}) descend(one, batch_axis);
    }
    return std::move(found_);
  }

 private:
  static constexpr AxisId kNoAxis = -2;

  struct Price {
    double peak_bytes = std::numeric_limits<double>::infinity(), step_s = peak_bytes;
    /// Of what does not fit that of fewest bytes, of what does the quickest.
    bool operator<(const Price& other) const {
      return step_s != other.step_s ? step_s < other.step_s : peak_bytes < other.peak_bytes;
    }
  };

  void descend(const Configuration& configuration, AxisId batch_axis) {
    StrategyDraft draft{.name = configuration.name() + ", weight by weight",
                        .num_micro_batches = configuration.num_micro_batches,
                        .batch_axis = batch_axis,
                        .zero_stage = batch_axis == kNoAxis || !options_.zero ? 0 : 3};
    try {
      draft.chunks = strategies_.chunks(static_cast<std::int32_t>(configuration.num_stages),
                                        configuration.mesh_axes());
    } catch (const Error&) {
      return;
    }
    for (Chunk& chunk : draft.chunks) chunk.recompute = configuration.recompute == Recompute::all;
    Price best = price(configuration, draft);
    for (const Input& input : problem_.program.inputs) {
      if (input.kind != InputKind::parameter) continue;
      const std::size_t num_dims = problem_.program.shape(input.value).dims.size();
      for (std::size_t dim = 0; dim < num_dims; ++dim) {
        StrategyDraft other = draft;
        std::erase_if(other.annotations, [&](const auto& one) { return one.value == input.value; });
        other.annotations.push_back({input.value, std::vector<std::vector<AxisId>>(num_dims)});
        other.annotations.back().dims[dim] = {0};
        const Price now = price(configuration, other);
        if (now < best) best = now, draft = std::move(other);
      }
    }
  }

  Price price(const Configuration& configuration, const StrategyDraft& draft) {
    if (num_left_ <= 0) return {};
    try {
      Candidate made{configuration, strategies_.complete(draft)};
      if (!keeps_pins(problem_, made.strategy)) return {};
      --num_left_;
      const Evaluation evaluation = strategies_.evaluate(made.strategy);
      if (evaluation.peak_bytes <= 0) return {};
      if (!evaluation.feasible) return {.peak_bytes = evaluation.peak_bytes};
      made.estimate = strategies_.estimate(made.strategy);
      found_.push_back(std::move(made));
      return {evaluation.peak_bytes, evaluation.step_s};
    } catch (const Error&) {  // a dim does not divide, or the batch
      return {};
    }
  }

  const SearchProblem& problem_;
  Strategies& strategies_;
  Cutting::Options options_;
  int num_left_;
  std::vector<Candidate> found_;
};

}  // namespace rhino::common
