// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "check/numerics.hpp"
#include "plan/execution_plan.hpp"
#include "runtime/session.hpp"

namespace rhino::measure {

/// The whole step on one device as a plan, without micro-batches.
plan::ExecutionPlan single_device_plan(const Program& step);

/// The steps that are compared, by their number: the first two, and one at which no correction of
/// an optimizer's beginning is left. Step k begins from the initial values of seed + k, so that
/// both sides begin equally.
inline constexpr std::array<std::int64_t, 3> kCheckedSteps = {1, 2, 1000};

/// Brings a session to where checked step k >= 1 begins. A new session is where step 0 does.
void begin_checked_step(runtime::Session& session, std::uint64_t seed, std::size_t k);

/// Loss and gradients of the checked steps, of one worker.
std::vector<check::StepValues> reference_values(const Program& step,
                                                runtime::SessionOptions options);

/// Reference values by model and device, each made by the first cell that is checked against them.
class References {
 public:
  /// `model` names the step.
  const std::vector<check::StepValues>& of(const std::string& model, const Program& step,
                                           const runtime::SessionOptions& options);

 private:
  std::map<std::string, std::vector<check::StepValues>> made_;
};

/// What a session has just run: checked step `number` of `seed`.
struct CheckedStep {
  const Program& step;
  std::uint64_t seed = 0;
  std::size_t number = 0;
};

/// Compares it with the reference, then the optimizer on the session's own gradients.
check::CheckResult check_step(runtime::Session& session, const CheckedStep& what,
                              const std::vector<check::StepValues>& reference, double tolerance);

}  // namespace rhino::measure
