// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "check/numerics.hpp"
#include "plan/execution_plan.hpp"
#include "runtime/session.hpp"

namespace rhino::measure {

/// The whole step on one device as a plan, without micro-batches.
plan::ExecutionPlan single_device_plan(const Program& step);

/// Loss and gradients of the first step of one worker.
check::StepValues reference_values(const Program& step, runtime::SessionOptions options);

/// Reference values by model and device, each made by the first cell that is checked against them.
class References {
 public:
  /// `model` names the step.
  const check::StepValues& of(const std::string& model, const Program& step,
                              const runtime::SessionOptions& options);

 private:
  std::map<std::string, check::StepValues> made_;
};

/// Compares the first step of a session with the reference, then the optimizer on the session's own
/// gradients.
check::CheckResult check_session(runtime::Session& session, const Program& step,
                                 const check::StepValues& reference, std::uint64_t seed,
                                 double tolerance);

}  // namespace rhino::measure
