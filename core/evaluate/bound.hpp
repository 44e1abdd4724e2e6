// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cost/cost.hpp"
#include "plan/execution_plan.hpp"

namespace rhino::evaluate {

/// A time no execution can beat: which limit, and its seconds.
struct Bound {
  double seconds = 0;
  std::string kind;  ///< "compute", "memory", "network", "pipeline"
};

/// Lower bound of one step of `plan`: per device max(FLOPs / peak, compulsory bytes / memory rate),
/// bytes over each network interface, and for pipelines the fill of the first micro-batch. Peaks
/// are those of the calibration (or model), so it is below every measurement.
Bound step_bound(const plan::ExecutionPlan& plan, const cost::CostModel& cost);

}  // namespace rhino::evaluate
