// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "plan/validate.hpp"
#include "plan_harness.hpp"
#include "rhino/error.hpp"
#include "sharding/complete.hpp"
#include "sharding/partition.hpp"

namespace rhino::test {
namespace {

Strategy two_stages(std::int64_t num_micro_batches) {
  StrategyDraft draft;
  draft.num_micro_batches = num_micro_batches;
  draft.chunks = chunks_on({{1}, {1}});
  draft.batch_axis = 0;
  return sharding::complete(tiny_gpt_step(), draft);
}

std::string refusal(const std::function<void(PipelineSchedule&)>& mutate) {
  const Strategy strategy = two_stages(4);
  SendRecv resharding;
  try {
    plan::validate(plan_of({tiny_gpt_step(), strategy, resharding}, [&](const PipelineProblem& p) {
      PipelineSchedule schedule = schedule_of("1f1b", p);
      mutate(schedule);
      return schedule;
    }));
  } catch (const Error& error) {
    CHECK_THAT(error.what(), Catch::Matchers::StartsWith("the schedule "));
    return error.what();
  }
  return "accepted";
}

std::size_t index_of(const plan::Role& role, plan::InstructionKind kind, std::int32_t communication,
                     std::int32_t instance) {
  const auto found = std::find_if(
      role.instructions.begin(), role.instructions.end(), [&](const plan::Instruction& i) {
        return i.kind == kind && i.index == communication && i.instance == instance;
      });
  REQUIRE(found != role.instructions.end());
  return static_cast<std::size_t>(found - role.instructions.begin());
}
std::size_t first_run(const plan::Role& role, plan::InstructionPhase phase, std::int32_t instance) {
  const auto found = std::find_if(
      role.instructions.begin(), role.instructions.end(), [&](const plan::Instruction& i) {
        return i.kind == plan::InstructionKind::run && i.phase == phase && i.instance == instance;
      });
  REQUIRE(found != role.instructions.end());
  return static_cast<std::size_t>(found - role.instructions.begin());
}

using Catch::Contains;

}  // namespace

TEST_CASE("a schedule that lacks, repeats or misplaces an action is refused") {
  CHECK(refusal([](PipelineSchedule&) {}) == "accepted");
  CHECK_THAT(refusal([](PipelineSchedule& s) { s.order[1].pop_back(); }),
             Contains("lacks backward of chunk 1, micro-batch 3"));
  CHECK_THAT(refusal([](PipelineSchedule& s) { s.order[0].push_back(s.order[0].front()); }),
             Contains("runs forward of chunk 0, micro-batch 0 twice"));
  CHECK_THAT(refusal([](PipelineSchedule& s) { s.order[0].front().chunk = 5; }),
             Contains("runs chunk 5 of 2"));
  CHECK_THAT(refusal([](PipelineSchedule& s) { s.order[0].front().micro_batch = 9; }),
             Contains("micro-batch 9 of 4"));
  CHECK_THAT(refusal([](PipelineSchedule& s) { s.order[0].back().chunk = 1; }),
             Contains("on another mesh than its own"));
  CHECK_THAT(refusal([](PipelineSchedule& s) { s.order.push_back(s.order[0]); }),
             Contains("orders for 3 of 2 meshes"));
  CHECK_THAT(refusal([](PipelineSchedule& s) { std::swap(s.order[1][0], s.order[1][1]); }),
             Contains("before its forward"));
  CHECK_THAT(refusal([](PipelineSchedule& s) { s.order[0].front().kind = ActionKind::weight; }),
             Contains("weight of chunk 0, micro-batch 0 before its backward"));
  CHECK_THAT(refusal([](PipelineSchedule& s) { s.order[0].back().kind = ActionKind::backward; }),
             Contains("lacks weight of chunk 0, micro-batch 3"));
}

TEST_CASE("of a chunk that is cut a whole backward pass is its halves in turn") {
  CHECK(refusal([](PipelineSchedule& s) {
          s.order[0].back().kind = ActionKind::backward;
          s.order[0].push_back({ActionKind::weight, 0, 3});
        }) == "accepted");
}

TEST_CASE("a schedule whose meshes wait for each other is refused") {
  // Stage 0 wants the gradient of micro-batch 0 before it makes micro-batch 1, stage 1 the reverse.
  CHECK_THAT(
      refusal([](PipelineSchedule& s) {
        s.order[0] = {{ActionKind::forward, 0, 0}, {ActionKind::backward_weight, 0, 0}};
        for (std::int32_t m = 1; m < 4; ++m)
          s.order[0].insert(s.order[0].end(),
                            {{ActionKind::forward, 0, m}, {ActionKind::backward_weight, 0, m}});
        s.order[1] = {{ActionKind::forward, 1, 0},         {ActionKind::forward, 1, 1},
                      {ActionKind::backward_weight, 1, 0}, {ActionKind::backward_weight, 1, 1},
                      {ActionKind::forward, 1, 2},         {ActionKind::backward_weight, 1, 2},
                      {ActionKind::forward, 1, 3},         {ActionKind::backward_weight, 1, 3}};
      }),
      Contains("the schedule deadlocks: mesh 0 waits for ever to begin backward of chunk 0"));
}

TEST_CASE("an overlapped pair is its forward and its backward") {
  CHECK(refusal([](PipelineSchedule& s) {
          std::vector<Action>& order = s.order[1];  // F0 B0 F1 B1 ...
          order = {order[0], {ActionKind::forward_backward, 1, 1, 1, 0},
                   order[3], order[4],
                   order[5], order[6],
                   order[7]};
        }) == "accepted");
}

TEST_CASE("the halves of an overlapped pair may not wait for each other") {
  CHECK_THAT(refusal([](PipelineSchedule& s) {
               std::vector<Action>& order = s.order[1];
               order.erase(order.begin());
               order.front() = {ActionKind::forward_backward, 1, 0, 1, 0};
             }),
             Contains("the schedule deadlocks"));
}

TEST_CASE(
    "a receive is posted before the action that precedes its use, and waited for at its use") {
  const Strategy strategy = two_stages(4);
  SendRecv resharding;
  const plan::ExecutionPlan plan = plan_of(tiny_gpt_step(), strategy, "1f1b", resharding);
  const plan::Role& last = plan.roles[1];  // F0 B0 F1 B1 F2 B2 F3 B3
  for (const plan::Instruction& start : last.instructions) {
    const bool receives = start.kind == plan::InstructionKind::start && start.instance > 0 &&
                          start.outputs.front() >= 0;
    if (!receives) continue;
    const std::size_t post =
        index_of(last, plan::InstructionKind::start, start.index, start.instance);
    const std::size_t wait =
        index_of(last, plan::InstructionKind::wait, start.index, start.instance);
    CHECK(post < first_run(last, plan::InstructionPhase::backward, start.instance - 1));
    CHECK(post > first_run(last, plan::InstructionPhase::forward, start.instance - 1));
    CHECK(wait > first_run(last, plan::InstructionPhase::backward, start.instance - 1));
  }
  CHECK(resharding.num_calls >= 2);
  CHECK(resharding.num_calls <= static_cast<int>(plan.communications.size()));
}

TEST_CASE("buffers do not multiply with micro-batches beyond those that are alive together") {
  SendRecv resharding;
  const auto num_buffers = [&](std::int64_t m, const char* schedule) {
    const plan::ExecutionPlan plan = plan_of(tiny_gpt_step(), two_stages(m), schedule, resharding);
    plan::validate(plan);
    std::vector<std::size_t> counts;
    for (const plan::Role& role : plan.roles)
      counts.push_back(role.buffers.size() -
                       static_cast<std::size_t>(std::count_if(
                           role.inputs.begin(), role.inputs.end(),
                           [](const plan::PlanInput& i) { return i.micro_dim >= 0; })));
    return counts;
  };
  const std::vector<std::size_t> four = num_buffers(4, "1f1b"), eight = num_buffers(8, "1f1b");
  for (std::size_t role = 0; role < four.size(); ++role) CHECK(eight[role] <= four[role]);
  CHECK(num_buffers(4, "gpipe")[0] < num_buffers(8, "gpipe")[0]);
}

TEST_CASE("meshes that overlap without being equal are refused") {
  Strategy strategy = two_stages(1);
  strategy.chunks[1].mesh.devices = {0};
  strategy.chunks[1].mesh.axes[0].name = "other";
  SendRecv resharding;
  CHECK_THROWS_WITH(plan_of(tiny_gpt_step(), strategy, "1f1b", resharding),
                    Contains("chunk 1 shares device 0 with chunk 0 but not its mesh"));
}

}  // namespace rhino::test
