// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "common/candidate.hpp"
#include "common/written.hpp"
#include "rhino/error.hpp"
#include "rhino/search.hpp"

namespace rhino::common {

/// A candidate as a person would write it, made quicker by its estimate weight by weight: along
/// each axis a parameter is cut by any one dim, or by none, all else propagated anew. Values change
/// with it that no step from value to value changes together.
class Rewriting {
 public:
  /// Both are borrowed.
  Rewriting(const SearchProblem& problem, Strategies& strategies)
      : problem_(problem), strategies_(strategies) {}

  /// `candidate` where nothing that fits is quicker.
  Candidate run(const Candidate& candidate) const {
    std::optional<Candidate> best;
    each(candidate, [&](Candidate& next) {
      if (!is_small(problem_, next.estimate)) return false;
      if (best && next.step_s() >= best->step_s()) return false;
      best = std::move(next);
      return true;
    });
    return best && best->step_s() < candidate.step_s() ? *best : candidate;
  }

  /// `takes`: of a Candidate&, as it is written and then with a parameter that is cut otherwise,
  /// whether those that follow differ from that one.
  template <typename Takes>
  void each(const Candidate& candidate, const Takes& takes) const {
    StrategyDraft draft = written(problem_.program, candidate.strategy, false);
    const auto looks = [&](const StrategyDraft& next) {
      std::optional<Candidate> made = this->made(candidate, next);
      return made && takes(*made);
    };
    looks(draft);
    for (const Input& input : problem_.program.inputs) {
      if (input.kind != InputKind::parameter) continue;
      const auto num_dims =
          static_cast<std::int64_t>(problem_.program.shape(input.value).dims.size());
      const auto num_axes = static_cast<AxisId>(candidate.configuration.axes.size());
      for (AxisId axis = 0; axis < num_axes; ++axis) {
        for (std::int64_t dim = -1; dim < num_dims && axis != draft.batch_axis; ++dim) {
          StrategyDraft other = draft;
          if (cut(other, input.value, axis, dim) && looks(other)) draft = std::move(other);
        }
      }
    }
  }

 private:
  /// By `dim` and no other along the axis; -1: by none. False: so it is.
  bool cut(StrategyDraft& draft, ValueId value, AxisId axis, std::int64_t dim) const {
    auto found = std::ranges::find(draft.annotations, value, &Annotation::value);
    if (found == draft.annotations.end()) {
      const std::size_t rank = problem_.program.shape(value).dims.size();
      draft.annotations.push_back({value, std::vector<std::vector<AxisId>>(rank)});
      found = draft.annotations.end() - 1;
    }
    const std::vector<std::vector<AxisId>> before = found->dims;
    for (std::vector<AxisId>& axes : found->dims) std::erase(axes, axis);
    if (dim >= 0) found->dims[at(dim)].push_back(axis);
    return found->dims != before;
  }

  std::optional<Candidate> made(const Candidate& like, const StrategyDraft& draft) const {
    try {
      Candidate one{like.configuration, strategies_.complete(draft)};
      one.strategy.name = like.configuration.name() + ", weight by weight";
      one.strategy.recompute = like.strategy.recompute;
      if (!keeps_pins(problem_, one.strategy)) return {};
      one.estimate = strategies_.estimate(one.strategy);
      return one;
    } catch (const Error&) {  // a dim does not divide
      return {};
    }
  }

  const SearchProblem& problem_;
  Strategies& strategies_;
};

}  // namespace rhino::common
