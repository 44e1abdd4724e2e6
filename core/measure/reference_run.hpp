// SPDX-License-Identifier: Apache-2.0
#pragma once

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
/// an optimizer's beginning is left (1000). Of a dynamic loss scale also the first that doubles it
/// and the one before, and, where there are dots of f16, one whose scale makes gradients overflow.
/// Step k of them begins from the initial values of seed + k, so that both sides begin equally.
std::vector<std::int64_t> checked_steps(const Program& step);

/// Loss and gradients of the checked steps, of one worker; outputs of steps without gradients.
std::vector<check::StepValues> reference_values(const Program& step,
                                                runtime::SessionOptions options);

/// Reference values by model and device, each made by the first cell that is checked against them.
class References {
 public:
  /// `model` names the step.
  const std::vector<check::StepValues>& of(const std::string& model, const Program& step,
                                           const runtime::SessionOptions& options);
  /// Those of a step of 16 bits if it is rounded otherwise: in f32, where it has such a form, and
  /// with sums in halves. Where `options` ask for tf32, with factors rounded to that, too.
  std::vector<const std::vector<check::StepValues>*> otherwise(
      const std::string& model, const Program& step, const runtime::SessionOptions& options);

 private:
  std::map<std::string, std::vector<check::StepValues>> made_;
};

/// What a session has just run: a step that began as number `number` from the values of `seed`. Of
/// a model of `dtype`, whose f32 products may have rounded their factors.
struct CheckedStep {
  const Program& step;
  DType dtype = DType::f32;
  std::uint64_t seed = 0;
  std::int64_t number = 1;
  bool uses_tf32 = false;
};

/// Compares it with the reference, then the optimizer on the session's own gradients, if there are
/// any. `otherwise` as in check::compare_steps().
check::CheckResult check_step(runtime::Session& session, const CheckedStep& what,
                              const check::StepValues& reference,
                              const std::vector<const check::StepValues*>& otherwise = {});

}  // namespace rhino::measure
