// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "cost/cost.hpp"
#include "lower/lower.hpp"
#include "plan/execution_plan.hpp"

namespace rhino::evaluate {

/// A time no execution can beat: which limit, and its seconds.
struct Bound {
  double seconds = 0;
  /// "compute", "memory", "network" or "pipeline" (compute behind the first arrival)
  std::string kind;
};

/// Rate of dots and convolutions that a device never exceeds: that of f32 where it has none of the
/// dtype's own; infinity where it has neither, for arithmetic is free then.
double peak_flops(const DeviceModel& device, DType dtype);

/// Of all dots and convolutions of a program, those that kernels cannot leave out: of an attention
/// that is one kernel, the scores that a causal mask shows. By dtype of the operands.
std::map<DType, double> needed_flops(const Program& program, lower::Kernels kernels);

/// Lower bound of one step of a program on a cluster, whatever the strategy: all dots and
/// convolutions (needed_flops) at the peaks of all devices together, or the bytes of parameters and
/// states, each read and written by some device, over the memory rates of all, whichever is longer.
/// The first `cached_bytes` may stay in caches from step to step.
Bound cell_bound(const Program& step, const Cluster& cluster, double cached_bytes);

/// Lower bound of the period of steps of `plan` as it stands: per device needed_flops() over the
/// peak; from the last message that a role hands back to those before it in a pipeline to the first
/// micro-batch that it gets of them in the next step; and the bytes over each network interface.
/// Memory traffic is not in it. Peaks are those of the calibration (or model), so it is below every
/// measurement.
Bound step_bound(const plan::ExecutionPlan& plan, const cost::CostModel& cost);

}  // namespace rhino::evaluate
