// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "plan/execution_plan.hpp"

namespace rhino::test {

/// Two stages of two devices each, four micro-batches, one after the other in turn.
const plan::ExecutionPlan& valid_plan();

/// What validate() says of a plan; "accepted" where it throws nothing.
std::string refusal_of(const plan::ExecutionPlan& plan);
/// The same of valid_plan() once it is changed so.
std::string refusal(const std::function<void(plan::ExecutionPlan&)>& mutate);

using Predicate = std::function<bool(const plan::Instruction&)>;

/// Of any micro-batch where `instance` is -2.
Predicate is(plan::InstructionKind kind, std::int32_t instance = -2);
Predicate is_run(plan::InstructionPhase phase, std::int32_t micro_batch);
/// Of a transfer; a Start that sends, or one that does not.
Predicate is_transfer(const plan::ExecutionPlan& plan, plan::InstructionKind kind,
                      std::int32_t instance, bool sends);

/// The first instruction of a role that fits.
std::vector<plan::Instruction>::iterator find(plan::Role& role, const Predicate& fits);

}  // namespace rhino::test
