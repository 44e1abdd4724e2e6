// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cost/cost.hpp"
#include "plan/execution_plan.hpp"

namespace rhino::simulate {

/// Seconds in which `num_cores` cores do the work of all messages of a plan's transfers, each once,
/// on emulated hosts, which share them: by the calibrated cost of a byte and of a piece between
/// hosts, and at the rate of a link inside. What takes longer than on the network is limited by it.
double cpu_s(const plan::ExecutionPlan& plan, const cost::Calibration& calibration, int num_cores);

}  // namespace rhino::simulate
