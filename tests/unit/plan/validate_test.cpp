// SPDX-License-Identifier: Apache-2.0
#include "plan/validate.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "plan_harness.hpp"
#include "refusals.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"

namespace rhino::test {

using Catch::Contains;

TEST_CASE("a plan as assembled is valid") { CHECK_NOTHROW(plan::validate(valid_plan())); }

TEST_CASE("a missing pass of a micro-batch is refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               std::erase_if(plan.roles[1].instructions,
                             is_run(plan::InstructionPhase::backward, 3));
             }),
             Contains("device 2 (role 1) lacks the backward of chunk 1 for micro-batch 3"));
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               std::erase_if(plan.roles[0].instructions,
                             is_run(plan::InstructionPhase::forward, 0));
             }),
             Contains("lacks the forward of chunk 0"));
}

TEST_CASE("a last pass that adds less up than others is refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               plan::Role& role = plan.roles[1];
               std::int32_t* sum = nullptr;
               for (plan::Instruction& run : role.instructions) {
                 if (!is_run(plan::InstructionPhase::backward, 3)(run)) continue;
                 for (std::int32_t& buffer : run.outputs)
                   if (contains(run.inputs, buffer)) sum = &buffer;
               }
               REQUIRE(sum != nullptr);
               role.buffers.push_back(role.buffers[static_cast<std::size_t>(*sum)]);
               role.buffers.back().offset = role.arena_bytes;
               role.arena_bytes += num_bytes(role.buffers.back().shape) + 64;
               *sum = static_cast<std::int32_t>(role.buffers.size()) - 1;
             }),
             Contains("device 2 (role 1) adds less up in the backward of chunk 1, micro-batch 3"));
}

TEST_CASE("a last pass that lacks any one of its Runs is refused") {
  // All parameters that can be are cut over the second axis, and sums leave in small buckets.
  StrategyDraft draft;
  draft.num_micro_batches = 4;
  draft.chunks = chunks_on({{2, 2}});
  draft.batch_axis = 0;
  for (const Input& input : tiny_gpt_step().inputs) {
    const std::vector<std::int64_t>& dims = tiny_gpt_step().shape(input.value).dims;
    if (input.kind != InputKind::parameter || dims.size() != 2) continue;
    draft.annotations.push_back({input.value, {{}, {1}}});
  }
  draft.gradient_sums.bucket_bytes = 64;
  Chain resharding;
  const plan::ExecutionPlan cut =
      plan_of(tiny_gpt_step(), sharding::complete(tiny_gpt_step(), draft), "1f1b", resharding);
  int num_left_out = 0;
  for (const plan::ExecutionPlan* whole : {&valid_plan(), &cut}) {
    for (std::size_t r = 0; r < whole->roles.size(); ++r) {
      for (std::size_t i = 0; i < whole->roles[r].instructions.size(); ++i) {
        const plan::Instruction& run = whole->roles[r].instructions[i];
        if (run.kind != plan::InstructionKind::run || run.instance != 3) continue;
        plan::ExecutionPlan plan = *whole;
        plan.roles[r].instructions.erase(plan.roles[r].instructions.begin() +
                                         static_cast<std::ptrdiff_t>(i));
        INFO("role " << r << ", instruction " << i);
        CHECK(refusal_of(plan) != "accepted");
        ++num_left_out;
      }
    }
  }
  CHECK(num_left_out > 30);
}

TEST_CASE("a pass that runs a second time is refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               const auto run = find(plan.roles[1], is_run(plan::InstructionPhase::backward, 2));
               plan.roles[1].instructions.insert(run, plan::Instruction(*run));
             }),
             Contains("backward of chunk 1, micro-batch 2: runs a second time"));
}

TEST_CASE("a read of a buffer that nothing wrote is refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               plan::Role& role = plan.roles[0];
               const auto run = find(role, is_run(plan::InstructionPhase::backward, 0));
               role.buffers.push_back(role.buffers[static_cast<std::size_t>(run->inputs[0])]);
               role.buffers.back().offset = role.arena_bytes;
               role.arena_bytes += num_bytes(role.buffers.back().shape) + 64;
               run->inputs[0] = static_cast<std::int32_t>(role.buffers.size()) - 1;
             }),
             Contains("device 0 (role 0)") && Contains("which nothing has written"));
}

TEST_CASE("buffers that overlap while both are alive are refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               plan::Role& role = plan.roles[0];
               const auto run = find(role, is_run(plan::InstructionPhase::forward, 0));
               role.buffers[static_cast<std::size_t>(run->outputs.back())].offset =
                   role.buffers[static_cast<std::size_t>(role.inputs.front().buffer)].offset;
             }),
             Contains("over buffer") || Contains("has overwritten") || Contains("is overwritten"));
}

TEST_CASE("a Run that reads another micro-batch's value is refused") {
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               plan::Role& role = plan.roles[0];
               std::vector<std::int32_t> batch;
               for (const plan::PlanInput& input : role.inputs) {
                 if (input.micro_dim >= 0 && input.micro_batch < 2) batch.push_back(input.buffer);
               }
               const auto run = find(role, is_run(plan::InstructionPhase::forward, 0));
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

TEST_CASE("buffers of other shapes than the program's or communication's are refused") {
  CHECK_THAT(
      refusal([](plan::ExecutionPlan& plan) {
        const auto run = find(plan.roles[0], is_run(plan::InstructionPhase::forward, 0));
        plan.roles[0].buffers[static_cast<std::size_t>(run->outputs[0])].shape.dims.push_back(1);
      }),
      Contains("is meant") || Contains("is a tile"));
  CHECK_THAT(refusal([](plan::ExecutionPlan& plan) {
               find(plan.roles[0], is_run(plan::InstructionPhase::forward, 0))->inputs.pop_back();
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
                   return i.kind == plan::InstructionKind::run &&
                          i.phase == plan::InstructionPhase::update;
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

TEST_CASE("a logical reduction of floating-point values is refused") {
  const std::string why = refusal([](plan::ExecutionPlan& plan) {
    const auto reduces = std::ranges::find(plan.communications, plan::CommunicationKind::all_reduce,
                                           &plan::Communication::kind);
    REQUIRE(reduces != plan.communications.end());
    REQUIRE(is_floating(reduces->parts.front().dtype));
    reduces->reduction = Reduction::logical_and;
  });
  CHECK_THAT(why, Catch::Contains("reduces floating-point values by a logical operation"));
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
