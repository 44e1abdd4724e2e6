// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "plan/validate.hpp"
#include "plan_harness.hpp"
#include "plan_interpreter.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"
#include "sharding/partition.hpp"

namespace rhino::test {
namespace {

/// Of less than the gradients of a layer.
constexpr std::int64_t kSmallBucketBytes = 1000;

void check(const Program& program, const Strategy& strategy, const std::string& schedule,
           Resharding& resharding, double tolerance = 1e-8) {
  const plan::ExecutionPlan plan =
      plan_of(program, strategy, schedule, resharding, kSmallBucketBytes);
  plan::validate(plan);
  const std::vector<ir::Tensor> inputs = random_inputs(program, 5);
  for (const Eagerness eagerness : {Eagerness::early, Eagerness::late})
    check_against_reference(plan, program, inputs, eagerness, tolerance);
}

}  // namespace

TEST_CASE("an assembled gpt step equals the single device, step after step") {
  const std::vector<std::vector<std::vector<std::int64_t>>> all_meshes = {
      {{1}}, {{2}}, {{2}, {2}}, {{2, 2}, {2, 2}}, {{4}, {2}}, {{1}, {1}, {1}}};
  const auto meshes = GENERATE_COPY(from_range(all_meshes));
  const auto num_micro_batches = GENERATE(1, 2, 4);
  const auto zero_stage = GENERATE(0, 1, 3);
  const std::string schedule = GENERATE("gpipe", "1f1b", "eager_1f1b", "late_weights");
  CAPTURE(meshes, num_micro_batches, zero_stage, schedule);
  const bool is_new = meshes.size() > 1 || schedule == "1f1b" || schedule == "late_weights";
  if (num_micro_batches * meshes[0][0] > 8 || !is_new) return;
  StrategyDraft draft;
  draft.name = "gpt";
  draft.num_micro_batches = num_micro_batches;
  draft.chunks = chunks_on(meshes);
  draft.batch_axis = 0;
  draft.zero_stage = zero_stage;
  SendRecv resharding;
  check(tiny_gpt_step(), sharding::complete(tiny_gpt_step(), draft), schedule, resharding);
}

TEST_CASE("gradients are reduced beside the last backward pass, in buckets") {
  const auto num_micro_batches = GENERATE(1, 2, 4);
  const auto zero_stage = GENERATE(0, 1);
  const auto meshes = GENERATE(std::vector<std::vector<std::int64_t>>{{2}},
                               std::vector<std::vector<std::int64_t>>{{2, 2}},
                               std::vector<std::vector<std::int64_t>>{{2}, {2}});
  CAPTURE(num_micro_batches, zero_stage, meshes);
  if (num_micro_batches == 1 && zero_stage > 0) return;  // the pass scatters its terms itself
  StrategyDraft draft;
  draft.num_micro_batches = num_micro_batches;
  draft.chunks = chunks_on(meshes);
  draft.batch_axis = 0;
  draft.zero_stage = zero_stage;
  SendRecv resharding;
  const Strategy strategy = sharding::complete(tiny_gpt_step(), draft);
  const plan::ExecutionPlan plan =
      plan_of(tiny_gpt_step(), strategy, "1f1b", resharding, kSmallBucketBytes);
  for (const plan::Role& role : plan.roles) {
    std::int64_t num_early = 0, num_waits = 0, num_runs_beside = 0;
    std::map<std::int32_t, bool> under_way;
    for (const plan::Instruction& now : role.instructions) {
      if (now.kind == plan::InstructionKind::start &&
          now.phase == plan::InstructionPhase::backward &&
          plan.communications[at(now.index)].kind == (zero_stage > 0
                                                          ? plan::CommunicationKind::reduce_scatter
                                                          : plan::CommunicationKind::all_reduce)) {
        CHECK(now.instance == num_micro_batches - 1);
        under_way[now.index] = true;
        ++num_early;
      }
      if (now.kind == plan::InstructionKind::wait && under_way.erase(now.index) > 0)
        num_waits += now.phase == plan::InstructionPhase::update;
      if (now.kind == plan::InstructionKind::run && now.phase == plan::InstructionPhase::backward)
        num_runs_beside += !under_way.empty();
    }
    CHECK(num_waits == num_early);
    // The second stage still sends.
    const bool sends = &role != &plan.roles.front();
    CHECK((sends ? num_early == 0 : num_early >= 3));
    CHECK((sends ? num_runs_beside == 0 : num_runs_beside >= 2));
  }
}

TEST_CASE("reductions of a chunk whose pass sends follow it, where its mesh has passes left") {
  StrategyDraft draft;
  draft.num_micro_batches = GENERATE(2, 4);
  draft.chunks = chunks_on({{2}, {2}});
  for (const std::size_t mesh : {0, 1}) draft.chunks.push_back(Chunk(draft.chunks[mesh]));
  draft.batch_axis = 0;
  draft.zero_stage = GENERATE(0, 1);
  Strategy strategy = sharding::complete(tiny_gpt_step(), draft);
  strategy.gradient_sums.bucket_bytes = kSmallBucketBytes;
  SendRecv resharding;
  // All forward passes of a mesh's first chunk, then of its other one, and back.
  const plan::ExecutionPlan plan =
      plan_of({tiny_gpt_step(), strategy, resharding}, [](const PipelineProblem& problem) {
        PipelineSchedule schedule;
        for (const std::int32_t mesh : {0, 1}) {
          std::vector<Action>& order = schedule.order.emplace_back();
          for (const std::int32_t chunk : {mesh, mesh + 2, mesh + 2, mesh}) {
            const bool is_back = std::ssize(order) >= 2 * problem.num_micro_batches;
            for (std::int32_t m = 0; m < problem.num_micro_batches; ++m)
              order.push_back(
                  {is_back ? ActionKind::backward_weight : ActionKind::forward, chunk, m});
          }
        }
        return schedule;
      });
  plan::validate(plan);
  check_against_reference(plan, tiny_gpt_step(), random_inputs(tiny_gpt_step(), 5), Eagerness::late,
                          1e-8);
  for (const plan::Role& role : plan.roles) {
    const std::int32_t later = &role == &plan.roles.front() ? 2 : 3;  // the chunk that comes first
    std::set<std::int32_t> under_way;
    std::int64_t num_runs_beside = 0, num_behind = 0;
    for (const plan::Instruction& now : role.instructions) {
      if (now.kind == plan::InstructionKind::start &&
          now.phase == plan::InstructionPhase::backward && now.chunk == later &&
          plan.communications[at(now.index)].kind != plan::CommunicationKind::transfer)
        under_way.insert(now.index);
      if (now.kind == plan::InstructionKind::run && now.phase == plan::InstructionPhase::backward)
        (now.chunk == later ? num_behind : num_runs_beside) += !under_way.empty();
      if (now.kind == plan::InstructionKind::wait && under_way.contains(now.index))
        CHECK(now.phase == plan::InstructionPhase::update);
    }
    CHECK(under_way.size() >= 2);
    CHECK(num_behind == 0);
    CHECK(num_runs_beside > 0);
  }
}

TEST_CASE("where memory is short, or overlap not wanted, reductions wait for the update") {
  StrategyDraft draft;
  draft.num_micro_batches = 2;
  draft.chunks = chunks_on({{2}});
  draft.batch_axis = 0;
  Strategy strategy = sharding::complete(tiny_gpt_step(), draft);
  SendRecv resharding;
  const auto plan_with = [&](double memory_bytes, std::int64_t bucket_bytes) {
    Cluster cluster = cluster_of(2);
    cluster.models[0].memory_bytes = memory_bytes;
    strategy.gradient_sums.bucket_bytes = bucket_bytes;
    return plan_of({tiny_gpt_step(), strategy, resharding, cluster},
                   [](const PipelineProblem& problem) { return schedule_of("1f1b", problem); });
  };
  plan::ExecutionPlan late = plan_with(1e12, 1 << 30);
  const std::int64_t late_bytes = plan::peak_bytes(late);
  const std::int64_t early_bytes = plan::peak_bytes(plan_with(1e12, kSmallBucketBytes));
  REQUIRE(late_bytes < early_bytes);
  strategy.gradient_sums.overlap = false;
  CHECK(plan_with(1e12, kSmallBucketBytes) == late);
  strategy.gradient_sums.overlap = true;
  const auto middle_bytes = static_cast<double>(late_bytes + early_bytes) / 2;
  late.cluster.models[0].memory_bytes = middle_bytes;
  CHECK(plan_with(middle_bytes, kSmallBucketBytes) == late);
  const plan::ExecutionPlan never = plan_with(1000, kSmallBucketBytes);
  CHECK(plan::peak_bytes(never) == early_bytes);
}

TEST_CASE("a backward pass that is cut gives the same gradients to the last bit") {
  StrategyDraft draft;
  draft.num_micro_batches = 4;
  draft.chunks = chunks_on({{2}, {1}});
  draft.chunks[0].recompute = GENERATE(false, true);
  draft.batch_axis = 0;
  const Program& step = tiny_gpt_step();
  const Strategy strategy = sharding::complete(step, draft);
  SendRecv resharding;
  const std::vector<ir::Tensor> inputs = random_inputs(step, 5);
  const std::vector<ir::Tensor> shapes = ir::evaluate(step, inputs);
  const auto tiles_of = [&](const std::string& schedule) {
    const plan::ExecutionPlan plan = plan_of(step, strategy, schedule, resharding);
    PlanInterpreter interpreter(plan, inputs, Eagerness::late);
    interpreter.run_step();
    std::vector<std::vector<double>> tiles;
    for (std::size_t o = 0; o < shapes.size(); ++o) {
      for (auto& tile : interpreter.tiles(static_cast<std::int32_t>(o), shapes[o]))
        tiles.push_back(std::move(tile.actual));
    }
    return tiles;
  };
  const std::vector<std::vector<double>> whole = tiles_of("1f1b"), cut = tiles_of("late_weights");
  CHECK(whole.size() > shapes.size());
  CHECK((whole == cut));
}

TEST_CASE("every way of resharding brings the same numbers") {
  const std::vector<std::vector<std::vector<std::int64_t>>> all_meshes = {
      {{2}, {4}}, {{1, 1}, {2, 2}}, {{4}, {1}}, {{2}, {1}, {3}}};
  const auto meshes = GENERATE_COPY(from_range(all_meshes));
  CAPTURE(meshes);
  StrategyDraft draft;
  draft.num_micro_batches = 2;
  draft.chunks = chunks_on(meshes);
  draft.batch_axis = meshes[2 % meshes.size()].front() == 3 ? -2 : 0;
  const Strategy strategy = sharding::complete(tiny_gpt_step(), draft);
  SendRecv send_recv;
  Chain chain;
  ScatterGather scatter_gather;
  for (Resharding* resharding :
       std::initializer_list<Resharding*>{&send_recv, &chain, &scatter_gather})
    check(tiny_gpt_step(), strategy, "1f1b", *resharding);
}

TEST_CASE("transfers that block bring the same numbers, what leaves once a step last of all") {
  const std::vector<std::vector<std::vector<std::int64_t>>> all_meshes = {
      {{1}, {1}}, {{2}, {2}}, {{1, 1}, {2, 2}}, {{1}, {1}, {1}}};
  const auto meshes = GENERATE_COPY(from_range(all_meshes));
  const std::string schedule = GENERATE("gpipe", "1f1b", "eager_1f1b", "late_weights");
  CAPTURE(meshes, schedule);
  StrategyDraft draft;
  draft.num_micro_batches = 4;
  draft.chunks = chunks_on(meshes);
  draft.batch_axis = 0;
  const Strategy strategy = sharding::complete(tiny_gpt_step(), draft);
  SendRecv resharding;
  const plan::ExecutionPlan plan =
      plan_of({.program = tiny_gpt_step(),
               .strategy = strategy,
               .resharding = resharding,
               .blocking = {.transfers = true, .collectives = true}},
              [&](const PipelineProblem& problem) { return schedule_of(schedule, problem); });
  plan::validate(plan);
  for (const Eagerness eagerness : {Eagerness::early, Eagerness::late})
    check_against_reference(plan, tiny_gpt_step(), random_inputs(tiny_gpt_step(), 5), eagerness,
                            1e-8);
}

TEST_CASE("several chunks on one mesh share its memory and its turn") {
  StrategyDraft draft;
  draft.num_micro_batches = 2;
  draft.chunks = chunks_on({{2}, {2}});
  draft.chunks.push_back(draft.chunks[0]);
  draft.batch_axis = 0;
  const Program program =
      ir::training_step(models::branching_forward(8, 8, 4),
                        {.kind = ir::Optimizer::Kind::sgd, .learning_rate = 0.1, .momentum = 0.9});
  const Strategy strategy = sharding::complete(program, draft);
  PipelineSchedule schedule;
  schedule.order.resize(2);
  for (std::int32_t m = 0; m < 2; ++m)
    schedule.order[0].insert(schedule.order[0].end(),
                             {{ActionKind::forward, 0, m}, {ActionKind::forward, 2, m}});
  for (std::int32_t m = 0; m < 2; ++m)
    schedule.order[0].insert(schedule.order[0].end(), {{ActionKind::backward_weight, 2, m},
                                                       {ActionKind::backward_weight, 0, m}});
  for (const ActionKind kind : {ActionKind::forward, ActionKind::backward_weight}) {
    for (std::int32_t m = 0; m < 2; ++m) schedule.order[1].push_back({kind, 1, m});
  }
  SendRecv resharding;
  const plan::ExecutionPlan plan =
      plan_of({program, strategy, resharding}, [&](const PipelineProblem&) { return schedule; });
  plan::validate(plan);
  CHECK(plan.roles.size() == 2);
  for (const Eagerness eagerness : {Eagerness::early, Eagerness::late})
    check_against_reference(plan, program, random_inputs(program, 3), eagerness, 1e-4);
}

TEST_CASE("random programs over stages, data and micro-batches equal the single device") {
  int num_checked = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    CAPTURE(seed);
    const Program program = ir::training_step(
        models::random_forward(seed, 8, 24),
        {.kind = ir::Optimizer::Kind::sgd, .learning_rate = 0.01, .momentum = 0.9});
    StrategyDraft draft;
    draft.num_micro_batches = std::int64_t{1} << (seed % 3);
    const std::vector<std::vector<std::vector<std::int64_t>>> meshes = {
        {{2}, {2}}, {{2}}, {{1}, {2}}, {{2}, {1}, {2}}};
    draft.chunks = chunks_on(meshes[seed % meshes.size()]);
    draft.batch_axis = 0;
    draft.zero_stage = static_cast<std::int32_t>(seed % 2) * 3;
    Strategy strategy;
    try {
      strategy = sharding::complete(program, draft);
    } catch (const Error&) {
      continue;  // fewer dots than chunks, or nothing that ZeRO could split
    }
    Chain resharding;
    const char* schedules[] = {"1f1b", "gpipe", "late_weights"};
    check(program, strategy, schedules[seed % 3], resharding, 1e-4);
    ++num_checked;
  }
  CHECK(num_checked >= 8);
}

}  // namespace rhino::test
