// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "evaluate/evaluator.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "plan/lives.hpp"
#include "plan/validate.hpp"
#include "planning.hpp"
#include "rhino/index.hpp"

namespace rhino::test {
namespace {

/// Of one mesh, and keeps what it was asked last.
class WeightsLast : public Schedule {
 public:
  Placement placement(int) override { return {{0}}; }
  PipelineSchedule schedule(const PipelineProblem& asked) override {
    problem = asked;
    room_bytes = std::max(room_bytes, asked.activation_limit_bytes.at(0));
    PipelineSchedule schedule{{{}}};
    for (const ActionKind kind : {ActionKind::forward, ActionKind::backward, ActionKind::weight})
      for (std::int32_t m = 0; m < 4; ++m) schedule.order[0].push_back({kind, 0, m});
    return schedule;
  }
  PipelineProblem problem;
  double room_bytes = 0;  ///< the most of all that were asked: estimates ask without any, too
};

}  // namespace

TEST_CASE("what is left for activations is what a plan keeps nothing else in") {
  WeightsLast schedule;
  Planning planning(small_gpt_step(), modelled_cluster(2));
  StrategyDraft draft{.num_micro_batches = 4, .chunks = planning.chunks(1, {{"data", 2}})};
  draft.batch_axis = 0;
  draft.zero_stage = GENERATE(0, 3);
  CAPTURE(draft.zero_stage);
  const plan::ExecutionPlan plan = evaluate::make_plan(
      {small_gpt_step(), planning.cost(), planning.context().resharding, schedule},
      sharding::complete(small_gpt_step(), draft));
  // Behind the last W but one there are, beside all that lasts, activations of one micro-batch.
  const plan::Role& role = plan.roles[0];
  const std::vector<std::int64_t> alive = plan::live_bytes(role);
  double kept = 0;
  for (std::size_t i = 0; i < role.instructions.size(); ++i) {
    const plan::Instruction& free = role.instructions[i];
    if (free.phase != plan::InstructionPhase::weight || free.instance != 2) continue;
    kept = static_cast<double>(alive[i]);
    if (free.kind != plan::InstructionKind::free) continue;
    for (const std::int32_t buffer : free.inputs)
      kept -= static_cast<double>(num_bytes(role.buffers[static_cast<std::size_t>(buffer)].shape));
  }
  const ChunkCost& chunk = schedule.problem.chunks[0];
  const double activations = chunk.forward_to_weight_bytes + chunk.backward_to_weight_bytes;
  CHECK(schedule.problem.activation_limit_bytes == std::vector{1e9 - (kept - activations)});
}

TEST_CASE("what is left for activations is what the device with the least memory has") {
  const auto room_bytes = [](const std::vector<double>& memory_bytes) {
    Cluster cluster = modelled_cluster(2);
    cluster.models.resize(2, cluster.models[0]);
    cluster.model_of = {0, 1};
    for (std::size_t i = 0; i < 2; ++i) cluster.models[i].memory_bytes = memory_bytes[i];
    Planning planning(small_gpt_step(), cluster);
    StrategyDraft draft{.num_micro_batches = 4, .chunks = planning.chunks(1, {{"data", 2}})};
    draft.batch_axis = 0;
    const Strategy strategy = sharding::complete(small_gpt_step(), draft);
    WeightsLast of_estimate, of_plan;
    const auto context = [&](Schedule& schedule) -> evaluate::PlanContext {
      return {small_gpt_step(), planning.cost(), planning.context().resharding, schedule};
    };
    static_cast<void>(evaluate::PlanEvaluator(context(of_estimate), 0).estimate(strategy));
    static_cast<void>(evaluate::make_plan(context(of_plan), strategy));
    return std::vector{of_estimate.room_bytes, of_plan.room_bytes};
  };
  const std::vector<double> least = room_bytes({1e9, 1e9});
  CHECK(least.at(0) > 0);
  CHECK(least.at(1) > 0);
  CHECK(room_bytes({4e9, 1e9}) == least);
  CHECK(room_bytes({1e9, 4e9}) == least);
  CHECK(room_bytes({4e9, 4e9}) == std::vector{least[0] + 3e9, least[1] + 3e9});
  CHECK(room_bytes({0, 1e9}) == least);  // what says nothing limits nothing
  CHECK(room_bytes({0, 0}) == std::vector{0.0, 0.0});
}

TEST_CASE("what has no room for a micro-batch is too large, and no fault of the schedule") {
  const std::string schedule = GENERATE("schedule/zero_bubble", "schedule/auto");
  CAPTURE(schedule);
  const auto planning_of = [&](Cluster& cluster) {
    return Planning(small_gpt_step(), cluster, schedule);
  };
  const auto strategy_of = [&](Planning& planning) {
    StrategyDraft draft{.num_micro_batches = 4, .chunks = planning.chunks(2, {{"data", 2}})};
    draft.batch_axis = 0;
    return sharding::complete(small_gpt_step(), draft);
  };
  Cluster cluster = modelled_cluster(4);
  Planning ample = planning_of(cluster);
  const double most =
      evaluate::PlanEvaluator(ample.context(), 0).evaluate(strategy_of(ample)).peak_bytes;
  int num_fitting = 0, num_large = 0;
  for (double share = 0.1; share < 1.05; share += 0.05) {
    CAPTURE(share);
    cluster.models[0].memory_bytes = share * most;
    Planning planning = planning_of(cluster);
    evaluate::PlanEvaluator evaluator(planning.context(), share * most);
    const Strategy strategy = strategy_of(planning);
    CHECK(evaluator.estimate(strategy).peak_bytes > 0);
    const Evaluation evaluation = evaluator.evaluate(strategy);
    ++(evaluation.feasible ? num_fitting : num_large);
    if (!evaluation.feasible) {
      CHECK(evaluation.peak_bytes > share * most);
      CHECK_THAT(evaluation.reason, Catch::Contains("of memory per device, and there are"));
    }
  }
  CHECK(num_fitting > 0);
  CHECK(num_large > 0);
}

/// As much as lies in memory at a time is the least that any packing takes.
TEST_CASE("chunks of a mesh that keep the most at different times lend each other memory") {
  const std::string name = GENERATE("1f1b", "interleaved_1f1b", "zb_v", "dualpipe_v", "hanayo");
  CAPTURE(name);
  const Program step = ir::training_step(
      models::gpt_forward({.num_layers = 16, .hidden = 64, .vocabulary = 256, .sequence = 64}, 32),
      {});
  Planning planning(step, modelled_cluster(4), "schedule/" + name);
  StrategyDraft draft{.num_micro_batches = 32, .chunks = planning.chunks(4, {{"data", 1}})};
  draft.batch_axis = 0;
  const plan::ExecutionPlan plan =
      evaluate::make_plan(planning.context(), sharding::complete(step, draft));
  for (const plan::Role& role : plan.roles) {
    const double least = static_cast<double>(std::ranges::max(plan::live_bytes(role)));
    CHECK(static_cast<double>(role.arena_bytes) >= least);
    CHECK(static_cast<double>(role.arena_bytes) < 1.08 * least);
  }
}

/// What an update frees makes room for what it makes, and so it is with passes that run once.
TEST_CASE("blocks that run once keep no more than lies in memory at a time") {
  const std::int32_t zero_stage = GENERATE(0, 1, 2, 3);
  const std::int64_t num_micro_batches = GENERATE(1, 4);
  CAPTURE(zero_stage, num_micro_batches);
  const Program step = ir::training_step(
      models::gpt_forward({.num_layers = 8, .hidden = 128, .vocabulary = 256, .sequence = 32}, 16),
      {});
  Planning planning(step, modelled_cluster(4));
  StrategyDraft draft{.num_micro_batches = num_micro_batches,
                      .chunks = planning.chunks(1, {{"data", 4}})};
  draft.batch_axis = 0;
  draft.zero_stage = zero_stage;
  const plan::ExecutionPlan plan =
      evaluate::make_plan(planning.context(), sharding::complete(step, draft));
  const plan::Role& role = plan.roles[0];
  const double least = static_cast<double>(std::ranges::max(plan::live_bytes(role)));
  CHECK(static_cast<double>(role.arena_bytes) >= least);
  CHECK(static_cast<double>(role.arena_bytes) < 1.08 * least);
}

TEST_CASE("plans that are written again and again until they fit are as valid") {
  const std::string schedule = GENERATE("schedule/1f1b", "schedule/zero_bubble");
  CAPTURE(schedule);
  Cluster cluster = modelled_cluster(4);
  std::vector<double> peaks;
  for (bool fits = true; fits;) {
    Planning planning(small_gpt_step(), cluster, schedule);
    StrategyDraft draft{.num_micro_batches = 4, .chunks = planning.chunks(2, {{"data", 2}})};
    draft.batch_axis = 0;
    plan::ExecutionPlan plan =
        evaluate::make_plan(planning.context(), sharding::complete(small_gpt_step(), draft));
    peaks.push_back(static_cast<double>(plan::peak_bytes(plan)));
    fits = peaks.back() <= cluster.models[0].memory_bytes;
    if (!fits) plan.cluster.models[0].memory_bytes = 1e12;
    plan::validate(plan);
    cluster.models[0].memory_bytes = peaks.back() - 1;
  }
  CHECK(peaks.size() > 1);
}

}  // namespace rhino::test
