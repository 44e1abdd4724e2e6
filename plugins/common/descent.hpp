// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "common/local_costs.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "rhino/search.hpp"

namespace rhino::common {

/// Per value whether it is no parameter, state or other input, none that is kept for the next step,
/// and not pinned.
inline std::vector<bool> free_values(const SearchProblem& problem, const StrategySpace& space) {
  std::vector<bool> is_free(at(problem.program.size()), true);
  for (const auto& [value, renewed] : space.updates)
    is_free[at(value)] = is_free[at(renewed)] = false;
  for (const Input& input : problem.program.inputs) is_free[at(input.value)] = false;
  for (const Pin& pin : problem.pins) is_free[at(pin.value)] = false;
  return is_free;
}

/// Makes a strategy quicker value by value, by its estimate: what overlaps counts here, and what
/// kernels have in common. Parameters, states and what is pinned stay as they are.
class Descent {
 public:
  /// `space` is that of the strategy's meshes; borrowed. At most so many changes are looked at, and
  /// as many in a row that are no better.
  Descent(const SearchProblem& problem, const StrategySpace& space, int most_changes, int most_vain)
      : problem_(problem),
        space_(space),
        num_left_(most_changes),
        most_vain_(most_vain),
        is_free_(free_values(problem, space)) {}

  /// Stays within the memory there is if `strategy` does.
  Strategy run(Strategies& strategies, const Strategy& strategy, Estimate& estimate) {
    const std::unique_ptr<Trial> trial = strategies.try_out(strategy);
    LocalCosts local(problem_.program, space_, strategy);
    for (bool is_better = true; is_better && num_left_ > 0;) {
      is_better = false;
      for (const OpClass& op : space_.classes) {
        for (const ValueId id : op.values) {
          if (is_free_[at(id)]) is_better |= improve(*trial, local, op, id, estimate);
        }
      }
    }
    return trial->strategy();
  }

 private:
  bool improve(Trial& trial, LocalCosts& local, const OpClass& op, ValueId id, Estimate& estimate) {
    bool is_better = false;
    std::int32_t last = -1;
    for (const OpStrategy& strategy : op.strategies) {
      if (strategy.result == last || num_vain_ >= most_vain_ || num_left_-- <= 0) continue;
      last = strategy.result;
      const ShardingSpec& spec = space_.layouts[at(op.result_set)].specs[at(last)];
      const bool is_dear = local.added_s(id, last) > kMostAdded * estimate.step_s;
      const bool is_taken = !is_dear && accepts(trial, id, spec, estimate);
      if (is_taken) local.set(id, last);
      num_vain_ = is_taken ? 0 : num_vain_ + 1;
      is_better |= is_taken;
    }
    return is_better;
  }

  bool accepts(Trial& trial, ValueId id, const ShardingSpec& spec, Estimate& estimate) const {
    if (trial.strategy().specs[at(id)] == spec) return false;
    try {
      trial.set(id, spec);
    } catch (const Error&) {
      return false;
    }
    const Estimate now = trial.price();
    const double limit = std::max(problem_.memory_limit_bytes, estimate.peak_bytes);
    const bool fits = problem_.memory_limit_bytes <= 0 || now.peak_bytes <= limit;
    if (fits && now.step_s < estimate.step_s * (1 - 1e-6)) {
      estimate = now;
      return true;
    }
    trial.undo();
    return false;
  }

  /// By tables, which know nothing of what fuses, as a share of a step: no trial is worth it.
  static constexpr double kMostAdded = 0.25;

  const SearchProblem& problem_;
  const StrategySpace& space_;
  int num_left_, most_vain_, num_vain_ = 0;
  std::vector<bool> is_free_;  ///< per value
};

}  // namespace rhino::common
