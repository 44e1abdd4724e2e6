// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "evaluate/crossing_time.hpp"
#include "evaluate/pass_price.hpp"
#include "evaluate/planner.hpp"
#include "rhino/search.hpp"

namespace rhino::evaluate {

/// A strategy priced by tables, pass by pass; a change prices those passes again that it touches.
class TableTrial : public Trial {
 public:
  /// What prices are worked out with, and kept in. Borrowed.
  struct Means {
    const PlanContext& context;
    Tables& tables;
    CrossingTimes& crossings;
  };
  /// `frame` is one of the strategy, or of one that differs in specs alone. Throws Error where
  /// specs do not fit.
  TableTrial(const Means& means, std::shared_ptr<const Frame> frame, const Strategy& strategy);

  const Strategy& strategy() const override { return strategy_; }
  void set(ValueId value, const ShardingSpec& spec) override;
  void undo() override;
  Estimate price() override;

 private:
  /// What a set() has replaced.
  struct Change {
    ValueId value = kNoValue;
    ShardingSpec spec;
    FormId form = -1;
    std::vector<std::pair<ValueId, const OpPrice*>> ops;
  };

  FormId form_of(ValueId id);
  const OpPrice* op_price(ValueId id);
  void replace(ValueId id, const OpPrice* price);
  void touch(ValueId id);
  std::int32_t mesh_index(ValueId id) const;
  double crossing_s(std::span<const CrossingValue> together) const;
  StepParts parts(bool bounds) const;
  PipelineProblem problem(const StepParts& parts) const;
  double peak_bytes(const PipelineSchedule& schedule) const;

  const PlanContext& context_;
  Tables& tables_;
  CrossingTimes& crossings_;
  std::shared_ptr<const Frame> frame_;
  Strategy strategy_;
  Cuts cuts_;
  PassPricer pricer_;
  std::vector<PassPricer::Price> times_;  ///< per pass
  std::vector<bool> is_stale_;
  std::vector<Change> changes_;
  std::vector<FormId> asked_;  ///< of the op that is looked up
};

}  // namespace rhino::evaluate
