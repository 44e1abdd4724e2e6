// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "refusals.hpp"

namespace rhino::test {
namespace {

using Catch::Contains;

plan::Communication& transfer(plan::ExecutionPlan& plan) {
  const auto found = std::find_if(plan.communications.begin(), plan.communications.end(),
                                  [](const plan::Communication& c) { return c.steps.size() > 4; });
  REQUIRE(found != plan.communications.end());
  return *found;
}
plan::Communication& collective(plan::ExecutionPlan& plan) {
  const auto found = std::find_if(
      plan.communications.begin(), plan.communications.end(),
      [](const plan::Communication& c) { return c.kind != plan::CommunicationKind::transfer; });
  REQUIRE(found != plan.communications.end());
  return *found;
}
void drop_step(plan::Communication& communication, std::size_t index) {
  communication.steps.erase(communication.steps.begin() + static_cast<std::ptrdiff_t>(index));
  for (plan::TransferStep& step : communication.steps) {
    std::erase(step.after, static_cast<std::int32_t>(index));
    for (std::int32_t& earlier : step.after) earlier -= earlier > static_cast<std::int32_t>(index);
  }
}

}  // namespace

TEST_CASE("a transfer that misses an element is refused, with device and element") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               drop_step(transfer(plan), transfer(plan).steps.size() - 1);
             }),
             Contains("element [") && Contains("arrives at device") && Contains("never"));
}

TEST_CASE("a plan that declares itself incomplete may miss elements") {
  CHECK(refusal([](plan::ExecutionPlan& plan) {
          plan.incomplete = true;
          drop_step(transfer(plan), transfer(plan).steps.size() - 1);
        }) == "accepted");
}

TEST_CASE("a transfer that brings an element twice is refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               transfer(plan).steps.push_back(transfer(plan).steps.back());
             }),
             Contains("arrives at device") && Contains("2 times"));
}

TEST_CASE("a step that reads elsewhere than the element lies is refused") {
  const auto shifted = [](bool source) {
    return refusal([&](plan::ExecutionPlan& plan) {
      for (plan::TransferStep& step : transfer(plan).steps) {
        Box& box = source ? step.source : step.target;
        if (box.start.empty()) continue;
        box.start[0] += 1;
        return;
      }
    });
  };
  CHECK_THAT(shifted(true), Contains("reads element") && Contains("where another lies"));
  CHECK_THAT(shifted(false), Contains("writes element") && Contains("where another lies"));
}

TEST_CASE("a step from a device that is no holder is refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               transfer(plan).steps[0].from = transfer(plan).steps[0].to;
             }),
             Contains("has no part 0 to send"));
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               std::swap(transfer(plan).steps[0].from, transfer(plan).steps[0].to);
             }),
             Contains("is no target of part"));
}

TEST_CASE("a device that passes on what has not arrived is refused") {
  // Chains relay only where a slice has several receivers: parameters and replicated activations.
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               for (plan::Communication& communication : plan.communications) {
                 for (plan::TransferStep& step : communication.steps) {
                   if (step.relayed) return step.after.clear();
                 }
               }
               FAIL("no step is relayed");
             }),
             Contains("passes on element") && Contains("before it holds it"));
}

TEST_CASE("a Start that one side lacks is refused") {
  CHECK_THAT(
      refusal([](plan::ExecutionPlan& plan) {
        plan::Role& role = plan.roles[1];
        const auto start = find(role, is_transfer(plan, plan::InstructionKind::start, 2, false));
        const std::int32_t index = start->index;
        role.instructions.erase(start);
        role.instructions.erase(find(role, [&](const plan::Instruction& i) {
          return i.kind == plan::InstructionKind::wait && i.index == index && i.instance == 2;
        }));
      }),
      Contains("device 2 (role 1) never starts communication") && Contains("of micro-batch 2"));
}

TEST_CASE("a Start of another micro-batch's instance is refused") {
  CHECK_THAT(
      refusal([](plan::ExecutionPlan& plan) {
        find(plan.roles[1], is_transfer(plan, plan::InstructionKind::start, 2, false))->instance =
            1;
      }),
      Contains("twice"));
}

TEST_CASE("Starts in another order than the peer's are refused") {
  CHECK_THAT(
      refusal([](plan::ExecutionPlan& plan) {
        plan::Role& role = plan.roles[1];
        const auto first = find(role, is_transfer(plan, plan::InstructionKind::start, 0, false));
        const std::int32_t index = first->index;
        const auto second =
            std::find_if(first, role.instructions.end(), [&](const plan::Instruction& i) {
              return i.kind == plan::InstructionKind::start && i.index == index && i.instance == 1;
            });
        std::rotate(first, second, second + 1);
      }),
      Contains("role 0 sends communication") && Contains("where that one expects"));
}

TEST_CASE("a Wait without a Start, a Start without a Wait and a second Wait are refused") {
  CHECK_THAT(
      refusal([](plan::ExecutionPlan& plan) {
        plan.roles[0].instructions.erase(find(plan.roles[0], is(plan::InstructionKind::start)));
      }),
      Contains("which it has not started"));
  CHECK_THAT(
      refusal([](plan::ExecutionPlan& plan) {
        plan.roles[0].instructions.erase(find(plan.roles[0], is(plan::InstructionKind::wait)));
      }),
      Contains("never waits for it"));
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               const auto wait = find(plan.roles[0], is(plan::InstructionKind::wait));
               plan.roles[0].instructions.insert(wait, plan::Instruction(*wait));
             }),
             Contains("twice"));
}

TEST_CASE("roles that wait for each other in a cycle are refused") {
  // The second stage asks for its gradient's departure to end before it takes in the activations.
  CHECK_THAT(
      refusal([](plan::ExecutionPlan& plan) {
        plan::Role& role = plan.roles[0];
        const auto receive = find(role, is_transfer(plan, plan::InstructionKind::start, 0, false));
        const plan::Instruction moved = *receive;
        role.instructions.erase(receive);
        const auto wait = find(role, [&](const plan::Instruction& i) {
          return i.kind == plan::InstructionKind::wait && i.index == moved.index && i.instance == 0;
        });
        const plan::Instruction waited = *wait;
        role.instructions.erase(wait);
        const auto send = find(role, is_transfer(plan, plan::InstructionKind::start, 0, true));
        role.instructions.insert(role.instructions.insert(send, waited), moved);
      }),
      Contains("in a cycle") && Contains("waits for ever"));
}

TEST_CASE("a read before the transfer has ended is refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               plan::Role& role = plan.roles[1];
               const auto wait =
                   find(role, is_transfer(plan, plan::InstructionKind::wait, 1, false));
               const auto run = std::find_if(wait, role.instructions.end(),
                                             is_run(plan::InstructionPhase::forward, 1));
               std::rotate(wait, wait + 1, run + 1);
             }),
             Contains("while a communication still writes it"));
}

TEST_CASE("a send whose buffer is written again before its Wait is refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               plan::Role& role = plan.roles[0];
               const auto send =
                   find(role, is_transfer(plan, plan::InstructionKind::start, 0, true));
               const auto run = std::find_if(
                   send, role.instructions.end(),
                   [](const plan::Instruction& i) { return i.kind == plan::InstructionKind::run; });
               const std::int32_t sent = *std::find_if(send->inputs.begin(), send->inputs.end(),
                                                       [](std::int32_t b) { return b >= 0; });
               role.buffers[static_cast<std::size_t>(run->outputs.front())].offset =
                   role.buffers[static_cast<std::size_t>(sent)].offset;
             }),
             Contains("which a communication under way still reads") || Contains("over buffer"));
}

TEST_CASE("a collective whose groups lack or repeat a device is refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) { collective(plan).groups[0][1] = 3; }),
             Contains("has no group with device") || Contains("which is not of this role"));
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               collective(plan).groups[0][1] = collective(plan).groups[0][0];
             }),
             Contains("twice"));
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) { collective(plan).groups[0].pop_back(); }),
             Contains("has no group with device"));
}

}  // namespace rhino::test
