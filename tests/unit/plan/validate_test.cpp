// SPDX-License-Identifier: Apache-2.0
#include "plan/validate.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <limits>

#include "plan_harness.hpp"
#include "rhino/error.hpp"
#include "sharding/complete.hpp"

namespace rhino::test {
namespace {

/// Two stages of two devices each, four micro-batches, one after the other in turn.
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

std::string refusal(const std::function<void(plan::ExecutionPlan&)>& mutate) {
  plan::ExecutionPlan plan = valid_plan();
  mutate(plan);
  try {
    plan::validate(plan);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

using Predicate = std::function<bool(const plan::Instruction&)>;

Predicate is(plan::InstructionKind kind, std::int32_t instance = -2) {
  return [=](const plan::Instruction& i) {
    return i.kind == kind && (instance == -2 || i.instance == instance);
  };
}
Predicate is_run(Phase phase, std::int32_t micro_batch) {
  return [=](const plan::Instruction& i) {
    return i.kind == plan::InstructionKind::run && i.phase == phase && i.instance == micro_batch;
  };
}
/// The first instruction of a role that fits.
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

using Catch::Contains;

}  // namespace

TEST_CASE("a plan as assembled is valid") { CHECK_NOTHROW(plan::validate(valid_plan())); }

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

TEST_CASE("a missing pass of a micro-batch is refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               std::erase_if(plan.roles[1].instructions, is_run(Phase::backward, 3));
             }),
             Contains("device 2 (role 1) lacks the backward of chunk 1 for micro-batch 3"));
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               std::erase_if(plan.roles[0].instructions, is_run(Phase::forward, 0));
             }),
             Contains("lacks the forward of chunk 0"));
}

TEST_CASE("a pass that runs a second time is refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               const auto run = find(plan.roles[1], is_run(Phase::backward, 2));
               plan.roles[1].instructions.insert(run, plan::Instruction(*run));
             }),
             Contains("backward of chunk 1, micro-batch 2: runs a second time"));
}

TEST_CASE("a read of a buffer that nothing wrote is refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               plan::Role& role = plan.roles[0];
               const auto run = find(role, is_run(Phase::backward, 0));
               role.buffers.push_back(role.buffers[static_cast<std::size_t>(run->inputs[0])]);
               role.buffers.back().offset = role.arena_bytes;
               role.arena_bytes += num_bytes(role.buffers.back().shape) + 64;
               run->inputs[0] = static_cast<std::int32_t>(role.buffers.size()) - 1;
             }),
             Contains("device 0 (role 0)") && Contains("which nothing has written"));
}

TEST_CASE("a read before the transfer has ended is refused") {
  CHECK_THAT(
      refusal([](plan::ExecutionPlan& plan) {
        plan::Role& role = plan.roles[1];
        const auto wait = find(role, is_transfer(plan, plan::InstructionKind::wait, 1, false));
        const auto run = std::find_if(wait, role.instructions.end(), is_run(Phase::forward, 1));
        std::rotate(wait, wait + 1, run + 1);
      }),
      Contains("while a communication still writes it"));
}

TEST_CASE("buffers that overlap while both are alive are refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               plan::Role& role = plan.roles[0];
               const auto run = find(role, is_run(Phase::forward, 0));
               role.buffers[static_cast<std::size_t>(run->outputs.back())].offset =
                   role.buffers[static_cast<std::size_t>(role.inputs.front().buffer)].offset;
             }),
             Contains("over buffer") || Contains("has overwritten") || Contains("is overwritten"));
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

TEST_CASE("a Run that reads another micro-batch's value is refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               plan::Role& role = plan.roles[0];
               std::vector<std::int32_t> batch;
               for (const plan::PlanInput& input : role.inputs) {
                 if (input.micro_dim >= 0 && input.micro_batch < 2) batch.push_back(input.buffer);
               }
               const auto run = find(role, is_run(Phase::forward, 0));
               for (std::int32_t& buffer : run->inputs) {
                 if (buffer == batch[0]) buffer = batch[1];
               }
             }),
             Contains("which holds a value of micro-batch 1"));
}

TEST_CASE("a plan that does not fit the device is refused with the bytes") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) { plan.cluster.models[0].memory_bytes = 1024; }),
             Contains("device 0 needs") && Contains("bytes") && Contains("has 1024"));
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) { plan.roles[0].arena_bytes -= 64; }),
             Contains("lies outside of the arena"));
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) { plan.roles[0].buffers[0].offset += 8; }),
             Contains("is not aligned"));
}

TEST_CASE("memory that no sum can hold is refused") {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t bytes : {kMost, kMost - 100, std::int64_t{1} << 54, std::int64_t{-1}}) {
    CHECK_THAT(refusal([&](plan::ExecutionPlan& plan) { plan.roles[0].workspace_bytes = bytes; }),
               Contains("role 0 has memory of " + std::to_string(bytes) + " bytes"));
    CHECK_THAT(refusal([&](plan::ExecutionPlan& plan) { plan.roles[1].arena_bytes = bytes; }),
               Contains("role 1 has memory of " + std::to_string(bytes) + " bytes"));
  }
}

TEST_CASE("micro-batches that no batch can hold are refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) { plan.num_micro_batches <<= 40; }),
             Contains("a plan of 4398046511104 micro-batches"));
}

TEST_CASE("tiles that claim to be of one tensor and are not are refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               std::vector<plan::PlanOutput>& outputs = plan.roles[0].outputs;
               const auto other = std::find_if(outputs.begin(), outputs.end(),
                                               [&](const plan::PlanOutput& output) {
                                                 return output.global != outputs[0].global;
                                               });
               REQUIRE(other != outputs.end());
               other->output = outputs[0].output;
             }),
             Contains("output ") && Contains(" is f64[") && Contains(" and f64["));
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               plan::PlanInput again = plan.roles[0].inputs[0];
               again.initializer.a += 1;
               plan.roles[0].inputs.push_back(again);
             }),
             Contains("has two different initial values"));
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

TEST_CASE("buffers of other shapes than the program's or communication's are refused") {
  CHECK_THAT(
      refusal([](plan::ExecutionPlan& plan) {
        const auto run = find(plan.roles[0], is_run(Phase::forward, 0));
        plan.roles[0].buffers[static_cast<std::size_t>(run->outputs[0])].shape.dims.push_back(1);
      }),
      Contains("is meant") || Contains("is a tile"));
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               find(plan.roles[0], is_run(Phase::forward, 0))->inputs.pop_back();
             }),
             Contains("inputs and"));
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               find(plan.roles[0], is(plan::InstructionKind::start))->inputs.clear();
             }),
             Contains("parts"));
}

TEST_CASE("an output that is never written is refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               for (plan::Role& role : plan.roles)
                 std::erase_if(role.instructions, [](const plan::Instruction& i) {
                   return i.kind == plan::InstructionKind::run && i.phase == Phase::update;
                 });
             }),
             Contains("is not written, or overwritten, at the end of the step") ||
                 Contains("which nothing has written"));
}

TEST_CASE("a collective hidden inside a Run is refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               plan.programs[0].ops.back().kind = OpKind::all_reduce;
             }),
             Contains("program 0: holds the collective all-reduce"));
}

TEST_CASE("a program whose shapes do not follow is refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               plan.programs[0].ops.back().shape.dims.push_back(7);
             }),
             Contains("program 0: "));
}

TEST_CASE("a device with two roles is refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               plan.roles[1].mesh.devices = {1, 3};
             }),
             Contains("device 1 has two roles"));
}

}  // namespace rhino::test
