// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cost/cost.hpp"
#include "lower/lowerings.hpp"
#include "plan/execution_plan.hpp"
#include "plan/step_trace.hpp"

namespace rhino::simulate {

struct SimulateOptions {
  std::int32_t num_steps = 1;  ///< run back to back; the period of the last is the steady state
  bool keep_events = true;
  /// As a check: every device, not one of each class, and every micro-batch, steady state or not.
  bool walk_all = false;
  lower::Lowerings* lowerings = nullptr;  ///< where programs may be known, nullptr: nowhere
};

/// Discrete events over a plan: one compute stream per device, links and one network interface per
/// host shared fairly (max-min), latencies. Deterministic. Of devices that behave alike one is
/// walked (simulate/classes.hpp), and DeviceTrace::alike says for which; of micro-batches that pass
/// in a steady state those of one period (simulate/steady_state.hpp): the very same times.
plan::StepTrace simulate(const plan::ExecutionPlan& plan, const cost::CostModel& cost,
                         const SimulateOptions& options = {});

}  // namespace rhino::simulate
