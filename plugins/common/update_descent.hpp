// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "rhino/search.hpp"

namespace rhino::common {

/// Makes a strategy quicker weight by weight, by its estimate: a weight with its states, its
/// gradient and all of its update is cut as another strategy of the same meshes has them. Tables
/// know that a whole update takes longer than its parts, but not that sums of gradients lie beside
/// backward passes, and what is gathered for the next step beside nothing.
class UpdateDescent {
 public:
  /// Values of weights of one shape, by its dims and how many values there are of each.
  using Groups = std::map<std::pair<std::vector<std::int64_t>, std::size_t>, std::vector<ValueId>>;

  /// `space` is that of the strategy's meshes; both are borrowed.
  UpdateDescent(const SearchProblem& problem, const StrategySpace& space)
      : problem_(problem), weight_of_(at(problem.program.size()), kNoValue) {
    find_stored(space);
    std::map<ValueId, std::vector<ValueId>> values;
    for (ValueId id = 0; id < problem.program.size(); ++id) {
      ValueId& weight = weight_of_[at(id)];
      if (weight == kNoValue) weight = only_weight(problem.program.op(id));
      if (weight != kNoValue) values[weight].push_back(id);
    }
    for (const Pin& pin : problem.pins) values.erase(weight_of_[at(pin.value)]);
    for (const auto& [weight, own] : values) {
      std::vector<ValueId>& alike = groups_[{problem.program.shape(weight).dims, own.size()}];
      alike.insert(alike.end(), own.begin(), own.end());
    }
  }

  /// Weights of one shape are cut anew together. Stays within the memory there is if `strategy`
  /// does; true: it is quicker.
  bool run(Strategies& strategies, const Strategy& other, Strategy& strategy,
           Estimate& estimate) const {
    const std::unique_ptr<Trial> trial = strategies.try_out(strategy);
    bool is_better = false;
    for (const auto& [like, values] : groups_)
      is_better |= accepts(*trial, values, other.specs, estimate);
    if (is_better) strategy = trial->strategy();
    return is_better;
  }

  const Groups& groups() const { return groups_; }

 private:
  void find_stored(const StrategySpace& space) {
    const std::vector<Input>& inputs = problem_.program.inputs;
    for (const Input& input : inputs)
      if (input.kind == InputKind::parameter) weight_of_[at(input.value)] = input.value;
    for (const auto& [weight, state] : space.states) weight_of_[at(state)] = weight;
    for (const Output& output : problem_.program.outputs)
      if (output.kind == OutputKind::gradient)
        weight_of_[at(output.value)] = inputs[at(output.input)].value;
  }

  /// That an op of the update is about.
  ValueId only_weight(const Op& op) const {
    ValueId only = kNoValue;
    if (op.phase != Phase::update) return only;
    for (const ValueId operand : op.operands) {
      const ValueId weight = weight_of_[at(operand)];
      if (weight == kNoValue || weight == only) continue;
      if (only != kNoValue) return kNoValue;
      only = weight;
    }
    return only;
  }

  bool accepts(Trial& trial, const std::vector<ValueId>& values,
               const std::vector<ShardingSpec>& specs, Estimate& estimate) const {
    int num_set = 0;
    const bool is_cut = cut(trial, values, specs, num_set);
    if (is_cut && num_set > 0) {
      const Estimate now = trial.price();
      const double limit = std::max(problem_.memory_limit_bytes, estimate.peak_bytes);
      const bool fits = problem_.memory_limit_bytes <= 0 || now.peak_bytes <= limit;
      if (fits && now.step_s < estimate.step_s * (1 - 1e-6)) return estimate = now, true;
    }
    for (; num_set > 0; --num_set) trial.undo();
    return false;
  }

  /// False: some op cannot be cut so.
  static bool cut(Trial& trial, const std::vector<ValueId>& values,
                  const std::vector<ShardingSpec>& specs, int& num_set) {
    for (const ValueId value : values) {
      if (trial.strategy().specs[at(value)] == specs[at(value)]) continue;
      try {
        trial.set(value, specs[at(value)]);
      } catch (const Error&) {
        return false;
      }
      ++num_set;
    }
    return true;
  }

  const SearchProblem& problem_;
  std::vector<ValueId> weight_of_;  ///< per value that one weight's update is about
  Groups groups_;
};

}  // namespace rhino::common
