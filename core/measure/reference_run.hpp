// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "calibrate/machine.hpp"
#include "check/numerics.hpp"
#include "planning/plan_cell.hpp"
#include "runtime/session.hpp"

namespace rhino::measure {

/// The whole step on one device as a plan, without micro-batches.
plan::ExecutionPlan single_device_plan(const Program& step);

/// Loss and gradients of the first step of one worker.
check::StepValues reference_values(const Program& step, const calibrate::WorkerSetup& setup,
                                   std::uint64_t seed);

/// Compares the first step of a session with the reference, then the optimizer on the session's own
/// gradients.
check::CheckResult check_session(runtime::Session& session, const Program& step,
                                 const check::StepValues& reference, std::uint64_t seed,
                                 double tolerance);

}  // namespace rhino::measure
