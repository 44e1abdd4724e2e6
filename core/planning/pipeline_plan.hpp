// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/experiment.hpp"
#include "cost/cost.hpp"
#include "planning/answer.hpp"
#include "plugin/registry.hpp"

/// Cells of abstract stages: their plan and its bound.
namespace rhino::planning {

/// Asks the schedule, assembles and validates in a forked child, see plan_cell; on the devices of
/// `cost`, which are those of pipeline_cluster(). `infeasible` where the schedule keeps more
/// micro-batches than the stages allow.
PlannedCell plan_pipeline(const config::CellSpec& cell, const cost::CostModel& cost,
                          const plugin::Registry& registry, const plugin::ChildLimits& limits);

/// A plan that is given instead, see planned_as(), beside what the formula of its schedule says.
PlannedCell pipeline_as(const plan::ExecutionPlan& given, const config::CellSpec& cell,
                        const cost::CostModel& cost, const plugin::Registry& registry,
                        const plugin::ChildLimits& limits);

/// evaluate::pipeline_bound_s() of the stages, with their chunks as `plan` places them, on links no
/// slower than those of `cluster`, every transfer passing rate limiters that have been idle.
double pipeline_bound_s(const config::PipelineChoice& choice, const plan::ExecutionPlan& plan,
                        const Cluster& cluster);

}  // namespace rhino::planning
