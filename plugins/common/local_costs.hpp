// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "common/space_layouts.hpp"
#include "rhino/index.hpp"
#include "rhino/program.hpp"
#include "rhino/strategy.hpp"
#include "rhino/strategy_space.hpp"

namespace rhino::common {

/// What it adds to the seconds of a step to cut one value of a strategy otherwise, by tables, which
/// know nothing of what overlaps or is brought once for several readers: far less work than a
/// Trial, and enough to tell what may be worth one.
class LocalCosts {
 public:
  /// All are borrowed; `space` is of the meshes of the strategy.
  LocalCosts(const Program& program, const StrategySpace& space, const Strategy& strategy)
      : program_(program),
        space_(space),
        layouts_(space, 1),
        num_micro_batches_(strategy.num_micro_batches) {
    readers_.resize(at(program.size()));
    for (ValueId id = 0; id < program.size(); ++id) {
      layout_.push_back(layout_of(id, strategy.specs[at(id)]));
      for (const ValueId operand : program.op(id).operands) {
        std::vector<ValueId>& readers = readers_[at(operand)];
        if (readers.empty() || readers.back() != id) readers.push_back(id);
      }
    }
  }

  /// `layout`: of the set in which the class of `value` has its results.
  void set(ValueId value, std::int32_t layout) { layout_[at(value)] = layout; }
  double added_s(ValueId value, std::int32_t layout) {
    double added = difference_s(value, value, layout);
    for (const ValueId reader : readers_[at(value)]) added += difference_s(reader, value, layout);
    return added;
  }

 private:
  const OpClass& class_of(ValueId id) const { return space_.classes[at(space_.class_of[at(id)])]; }

  /// -1: it is no layout of the space.
  std::int32_t layout_of(ValueId id, const ShardingSpec& spec) const {
    if (space_.class_of[at(id)] < 0) return -1;
    const std::vector<ShardingSpec>& specs = space_.layouts[at(class_of(id).result_set)].specs;
    const auto found = std::ranges::find(specs, spec);
    return found == specs.end() ? -1 : static_cast<std::int32_t>(found - specs.begin());
  }

  /// Of an op as `changed` is cut otherwise; 0 where tables do not know how it is cut.
  double difference_s(ValueId op, ValueId changed, std::int32_t layout) {
    if (space_.class_of[at(op)] < 0) return 0;
    const std::optional<double> before = seconds(op);
    const std::int32_t own = std::exchange(layout_[at(changed)], layout);
    const std::optional<double> after = seconds(op);
    layout_[at(changed)] = own;
    return before && after ? *after - *before : 0;
  }

  /// Of an op in a step, with what brings its operands, as quick as they allow.
  std::optional<double> seconds(ValueId id) {
    const OpClass& op = class_of(id);
    double least = choice::kForbidden;
    for (const OpStrategy& strategy : op.strategies) {
      if (strategy.result != layout_[at(id)]) continue;
      double own = strategy.seconds;
      for (std::size_t i = 0; i < strategy.operands.size() && own < least; ++i)
        own += reshard_s(id, op, i, strategy.operands[i]);
      least = std::min(least, own);
    }
    if (least >= choice::kForbidden) return {};
    return op.per_micro_batch ? static_cast<double>(num_micro_batches_) * least : least;
  }

  double reshard_s(ValueId id, const OpClass& op, std::size_t operand, std::int32_t need) {
    const std::int32_t set = op.operand_sets[operand];
    const ValueId value = program_.op(id).operands[operand];
    if (set < 0 || need < 0 || space_.class_of[at(value)] < 0) return 0;
    const std::int32_t made = layout_[at(value)];
    const std::int32_t there =
        made < 0 ? -1 : layouts_.translated(class_of(value).result_set, set)[at(made)];
    if (there < 0) return choice::kForbidden;
    return layouts_.reshards(set)[at(there) * space_.layouts[at(set)].specs.size() + at(need)];
  }

  const Program& program_;
  const StrategySpace& space_;
  SpaceLayouts layouts_;
  std::int64_t num_micro_batches_;
  std::vector<std::int32_t> layout_;           ///< per value
  std::vector<std::vector<ValueId>> readers_;  ///< per value
};

}  // namespace rhino::common
