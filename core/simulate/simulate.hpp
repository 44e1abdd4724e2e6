// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cost/cost.hpp"
#include "plan/execution_plan.hpp"
#include "plan/step_trace.hpp"

namespace rhino::simulate {

struct SimulateOptions {
  std::int32_t num_steps = 1;  ///< run back to back; the period of the last is the steady state
  bool keep_events = true;
};

/// Discrete events over a plan: one compute stream per device, links and one network interface per
/// host shared fairly (max-min), latencies. Deterministic.
plan::StepTrace simulate(const plan::ExecutionPlan& plan, const cost::CostModel& cost,
                         const SimulateOptions& options = {});

}  // namespace rhino::simulate
