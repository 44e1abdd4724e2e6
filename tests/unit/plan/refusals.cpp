// SPDX-License-Identifier: Apache-2.0
#include "refusals.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "plan/validate.hpp"
#include "plan_harness.hpp"
#include "rhino/error.hpp"
#include "sharding/complete.hpp"

namespace rhino::test {

const plan::ExecutionPlan& valid_plan() {
  static const plan::ExecutionPlan plan = [] {
    StrategyDraft draft;
    draft.num_micro_batches = 4;
    draft.chunks = chunks_on({{2}, {2}});
    draft.batch_axis = 0;
    Chain resharding;
    return plan_of(tiny_gpt_step(), sharding::complete(tiny_gpt_step(), draft), "1f1b", resharding);
  }();
  return plan;
}

std::string refusal_of(const plan::ExecutionPlan& plan) {
  try {
    plan::validate(plan);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

std::string refusal(const std::function<void(plan::ExecutionPlan&)>& mutate) {
  plan::ExecutionPlan plan = valid_plan();
  mutate(plan);
  return refusal_of(plan);
}

Predicate is(plan::InstructionKind kind, std::int32_t instance) {
  return [=](const plan::Instruction& i) {
    return i.kind == kind && (instance == -2 || i.instance == instance);
  };
}

Predicate is_run(plan::InstructionPhase phase, std::int32_t micro_batch) {
  return [=](const plan::Instruction& i) {
    return i.kind == plan::InstructionKind::run && i.phase == phase && i.instance == micro_batch;
  };
}

std::vector<plan::Instruction>::iterator find(plan::Role& role, const Predicate& fits) {
  const auto found = std::find_if(role.instructions.begin(), role.instructions.end(), fits);
  REQUIRE(found != role.instructions.end());
  return found;
}

Predicate is_transfer(const plan::ExecutionPlan& plan, plan::InstructionKind kind,
                      std::int32_t instance, bool sends) {
  return [&plan, kind, instance, sends](const plan::Instruction& i) {
    if (i.kind != kind || i.instance != instance) return false;
    if (plan.communications[static_cast<std::size_t>(i.index)].kind !=
        plan::CommunicationKind::transfer)
      return false;
    return kind == plan::InstructionKind::wait ||
           std::any_of(i.inputs.begin(), i.inputs.end(), [](std::int32_t b) { return b >= 0; }) ==
               sends;
  };
}

}  // namespace rhino::test
