// SPDX-License-Identifier: Apache-2.0
// Pipelines that are there twice, in opposite directions.
#include "sharding/replicas.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "plan/validate.hpp"
#include "plan_harness.hpp"
#include "plan_interpreter.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"

namespace rhino::test {
namespace {

/// Chunks of both replicas, the second one's from the last mesh to the first.
std::vector<Chunk> both_ways(std::vector<Chunk> chunks) {
  for (std::size_t c = chunks.size(); c-- > 0;) chunks.push_back(chunks[c]);
  return chunks;
}

/// All forwards, then all backwards; odd micro-batches through the second replica. `is_cut`: with
/// their halves one after the other.
PipelineSchedule in_turn(const PipelineProblem& problem, bool is_cut) {
  PipelineSchedule schedule;
  schedule.order.resize(at(problem.num_meshes));
  const std::size_t each = problem.chunks.size() / 2;
  const auto add = [&](ActionKind kind) {
    for (std::int32_t m = 0; m < problem.num_micro_batches; ++m) {
      for (std::size_t c = 0; c < each; ++c) {
        const std::size_t chunk = at(m % 2) * each + c;
        schedule.order[at(problem.chunks[chunk].mesh)].push_back(
            {kind, static_cast<std::int32_t>(chunk), m});
      }
    }
  };
  add(ActionKind::forward);
  add(is_cut ? ActionKind::backward : ActionKind::backward_weight);
  if (is_cut) add(ActionKind::weight);
  return schedule;
}

plan::ExecutionPlan plan_both_ways(const Program& program, const Strategy& strategy, bool is_cut) {
  const sharding::ReplicatedStep step =
      sharding::replicate(program, strategy, both_ways(strategy.chunks));
  Chain resharding;
  plan::ExecutionPlan plan =
      plan_of({step.program, step.strategy, resharding, {}, 2},
              [&](const PipelineProblem& problem) { return in_turn(problem, is_cut); });
  for (plan::Role& role : plan.roles) {
    for (plan::PlanInput& input : role.inputs) input.input = step.inputs[at(input.input)];
    for (plan::PlanOutput& output : role.outputs) output.output = step.outputs[at(output.output)];
  }
  return plan;
}

void check_both_ways(const Program& program, const Strategy& strategy, bool is_cut,
                     double tolerance) {
  const plan::ExecutionPlan plan = plan_both_ways(program, strategy, is_cut);
  plan::validate(plan);
  for (const Eagerness eagerness : {Eagerness::early, Eagerness::late})
    check_against_reference(plan, program, random_inputs(program, 5), eagerness, tolerance);
}

}  // namespace

TEST_CASE("a gpt in two directions equals the single device, in both replicas") {
  const std::vector<std::vector<std::vector<std::int64_t>>> all_meshes = {
      {{1}, {1}}, {{2}, {2}}, {{1, 2}, {1, 2}}, {{1}, {1}, {1}}};
  const auto meshes = GENERATE_COPY(from_range(all_meshes));
  const auto num_micro_batches = GENERATE(2, 4);
  const auto zero_stage = GENERATE(0, 1, 2, 3);
  const bool is_cut = GENERATE(false, true);
  CAPTURE(meshes, num_micro_batches, zero_stage, is_cut);
  if (zero_stage > 0 && meshes != all_meshes[1]) return;
  StrategyDraft draft;
  draft.name = "gpt";
  draft.num_micro_batches = num_micro_batches;
  draft.chunks = chunks_on(meshes);
  draft.batch_axis = 0;
  draft.zero_stage = zero_stage;
  check_both_ways(tiny_gpt_step(), sharding::complete(tiny_gpt_step(), draft), is_cut, 1e-8);
}

TEST_CASE("random programs in two directions equal the single device") {
  int num_checked = 0;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    CAPTURE(seed);
    const Program program = ir::training_step(
        models::random_forward(seed, 8, 24),
        {.kind = ir::Optimizer::Kind::sgd, .learning_rate = 0.01, .momentum = 0.9});
    StrategyDraft draft;
    draft.num_micro_batches = 2 + 2 * static_cast<std::int64_t>(seed % 2);
    draft.chunks = chunks_on(seed % 3 == 0 ? std::vector<std::vector<std::int64_t>>{{1}, {1}, {1}}
                                           : std::vector<std::vector<std::int64_t>>{{2}, {2}});
    draft.batch_axis = 0;
    Strategy strategy;
    try {
      strategy = sharding::complete(program, draft);
    } catch (const Error&) {
      continue;  // fewer dots than chunks
    }
    check_both_ways(program, strategy, seed % 2 == 0, 1e-4);
    ++num_checked;
  }
  CHECK(num_checked >= 6);
}

TEST_CASE("replicas that cannot be are refused") {
  StrategyDraft draft;
  draft.num_micro_batches = 2;
  draft.chunks = chunks_on({{1}, {2}});
  draft.batch_axis = 0;
  const Strategy uneven = sharding::complete(tiny_gpt_step(), draft);
  CHECK_THROWS_WITH(sharding::replicate(tiny_gpt_step(), uneven, both_ways(uneven.chunks)),
                    Catch::Contains("meshes of different axes in different replicas"));
  draft.chunks = chunks_on({{1}, {1}});
  const Strategy strategy = sharding::complete(tiny_gpt_step(), draft);
  const auto order_of = [&](const std::function<void(PipelineSchedule&)>& change) {
    return [&, change] {
      const sharding::ReplicatedStep step =
          sharding::replicate(tiny_gpt_step(), strategy, both_ways(strategy.chunks));
      Chain resharding;
      plan_of({step.program, step.strategy, resharding, {}, 2},
              [&](const PipelineProblem& problem) {
                PipelineSchedule schedule = in_turn(problem, false);
                change(schedule);
                return schedule;
              });
    };
  };
  // Micro-batch 1 through the first replica, too; through that alone; not to its end.
  CHECK_THROWS_WITH(order_of([](PipelineSchedule& schedule) {
                      schedule.order[0].push_back({ActionKind::forward, 0, 1});
                    })(),
                    Catch::Contains("runs micro-batch 1 through replicas 0 and 1"));
  CHECK_THROWS_WITH(order_of([](PipelineSchedule& schedule) {
                      for (std::vector<Action>& order : schedule.order) {
                        for (Action& action : order) {
                          if (action.micro_batch == 1) action.chunk = 3 - action.chunk;
                        }
                      }
                    })(),
                    Catch::Contains("runs no micro-batch through replica 1"));
  CHECK_THROWS_WITH(order_of([](PipelineSchedule& schedule) { schedule.order[1].pop_back(); })(),
                    Catch::Contains("the schedule lacks backward of chunk 2, micro-batch 1"));
}

}  // namespace rhino::test
