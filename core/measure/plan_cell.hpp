// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "config/experiment.hpp"
#include "cost/cost.hpp"
#include "measure/cell_inputs.hpp"
#include "plan/execution_plan.hpp"
#include "plugin/registry.hpp"
#include "store/record.hpp"

namespace rhino::measure {

/// What planning a cell needs. Borrowed.
struct PlanCellInput {
  const config::CellSpec& cell;
  const CellModel& model;
  const cost::CostModel& cost;
  const plugin::Registry& registry;
  std::vector<std::string> folders;  ///< where strategy files are looked for
  double deadline_s = 60;
  std::uint64_t seed = 0;
  std::function<bool()> is_interrupted = {};  ///< as in ChildLimits
};

/// A cell's plan, or why there is none.
struct PlannedCell {
  store::Status status = store::Status::ok;  ///< ok | infeasible | oom | failed | timeout
  std::string message;
  Strategy strategy;
  plan::ExecutionPlan plan;
  std::vector<std::string> rejected;  ///< "candidate: reason"
  std::vector<std::string> ranking;   ///< strategies in order, with their predicted seconds
  std::int64_t num_evaluated = 0;
  double search_s = 0;
};

/// Searches, partitions, schedules, assembles and validates in a forked child, where every plugin
/// call happens; the result comes back through the plan codec and is validated again. Plugins that
/// throw, crash, hang, write to stdout or plan wrongly end in `failed`, named.
PlannedCell plan_cell(const PlanCellInput& input);

/// Throws Error with the place where the cell names a plugin or strategy file that does not exist,
/// or options that they do not know.
void check_choices(const config::CellSpec& cell, const plugin::Registry& registry,
                   const std::vector<std::string>& folders);

/// True where the choice is the path of a strategy file.
bool is_strategy_file(const config::Choice& search);

}  // namespace rhino::measure
