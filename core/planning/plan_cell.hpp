// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "config/experiment.hpp"
#include "cost/cost.hpp"
#include "planning/answer.hpp"
#include "planning/cell_inputs.hpp"
#include "plugin/registry.hpp"

namespace rhino::planning {

/// What planning a cell needs. Borrowed.
struct PlanCellInput {
  const config::CellSpec& cell;
  const CellModel& model;
  const cost::CostModel& cost;
  const plugin::Registry& registry;
  std::vector<std::string> folders;  ///< where strategy files are looked for
  std::uint64_t seed = 0;
  plugin::ChildLimits limits;
  bool changes_prices = false;  ///< candidates tell what they take under other prices, too
};

/// Of the child that plans a cell.
plugin::ChildLimits planning_limits(const config::Experiment& experiment,
                                    std::function<bool()> is_interrupted = {});

/// Searches, partitions, schedules, assembles and validates in a forked child, where every plugin
/// call happens; the result comes back through the plan codec and is validated again. Plugins that
/// throw, crash, hang, write to stdout or plan wrongly end in `failed`, named.
PlannedCell plan_cell(const PlanCellInput& input);

/// A plan that is given instead of made (--plan; see plan_fit.hpp), on the cell's cluster.
PlannedCell planned_as(const plan::ExecutionPlan& plan, const Cluster& cluster);

}  // namespace rhino::planning
