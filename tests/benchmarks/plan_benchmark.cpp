// SPDX-License-Identifier: Apache-2.0
/// How long planning takes: gpt 2.6b on eight devices (two stages of two data x two tensor ranks),
/// phase by phase and as a whole, how validation grows with the plan, and how long plans take to
/// encode and to decode.
#include <benchmark/benchmark.h>

#include <map>

#include "plan/assemble.hpp"
#include "plan/plan_file.hpp"
#include "plan/validate.hpp"
#include "planning_setup.hpp"

namespace rhino::test {
namespace {

constexpr std::int64_t kMicroBatches = 8, kBatch = 128;

Program build() { return models::gpt_forward(models::gpt_preset("2.6b"), kBatch); }

/// Every phase's result, made once.
struct Made {
  Program forward = build();
  Program step = differentiate(forward);
  Strategy strategy = strategy_for(step, kMicroBatches);
  std::vector<sharding::ChunkProgram> whole = sharding::partition(step, strategy);
  std::vector<sharding::ChunkProgram> cut =
      sharding::partition(step, strategy, std::vector<bool>(strategy.chunks.size(), true));
  PipelineProblem problem = evaluate::pipeline_problem(strategy, whole, cut, setup().cost);
  plan::PassOrder order = plan::pass_order(problem, setup().schedule->schedule(problem));
  plan::ExecutionPlan assemble(const Cluster& cluster = setup().cost.cluster()) const {
    return plan::assemble({step, strategy, whole, cluster, problem, order, *setup().resharding});
  }
  plan::ExecutionPlan plan = assemble();
};
const Made& made() {
  static const Made made;
  return made;
}

std::int64_t num_instructions(const plan::ExecutionPlan& plan) {
  std::int64_t count = 0;
  for (const plan::Role& role : plan.roles)
    count += static_cast<std::int64_t>(role.instructions.size());
  return count;
}

void plan_build(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(build());
  state.counters["ops"] = made().forward.size();
}

void plan_autodiff(benchmark::State& state) {
  const Program& forward = made().forward;
  for (auto _ : state) benchmark::DoNotOptimize(differentiate(forward));
  state.counters["ops"] = made().step.size();
}

void plan_complete(benchmark::State& state) {
  const Program& step = made().step;
  for (auto _ : state) benchmark::DoNotOptimize(strategy_for(step, kMicroBatches));
}

/// Another draft of a program of which drafts have been completed before, as searchers do.
void complete_warm(benchmark::State& state) {
  const Program& step = made().step;
  const std::vector<Chunk> chunks = evaluate::place_chunks(
      setup().cost.cluster(), *setup().schedule, setup().file.num_stages, setup().file.axes);
  const StrategyDraft draft = config::draft_of(setup().file, step, chunks, kMicroBatches);
  const sharding::Completer completer(step);
  benchmark::DoNotOptimize(completer.complete(draft));
  for (auto _ : state) benchmark::DoNotOptimize(completer.complete(draft));
}

void plan_partition(benchmark::State& state) {
  const Made& all = made();
  for (auto _ : state) benchmark::DoNotOptimize(sharding::partition(all.step, all.strategy));
}

/// The backward passes whole and cut, prices of all passes, and the schedule plugin's answer.
void plan_schedule(benchmark::State& state) {
  const Made& all = made();
  for (auto _ : state) {
    sharding::Partitioner partitioner(all.step, all.strategy);
    const PipelineProblem problem = evaluate::pipeline_problem(
        all.strategy, partitioner.programs(), partitioner.cut_passes(), setup().cost);
    benchmark::DoNotOptimize(plan::pass_order(problem, setup().schedule->schedule(problem)));
  }
}

void plan_assemble(benchmark::State& state) {
  const Made& all = made();
  for (auto _ : state) benchmark::DoNotOptimize(all.assemble());
  state.counters["instructions"] = static_cast<double>(num_instructions(all.plan));
}

/// With so many percent of the memory that the plan takes.
void plan_assemble_short(benchmark::State& state) {
  const Made& all = made();
  Cluster cluster = setup().cost.cluster();
  for (DeviceModel& model : cluster.models) {
    model.memory_bytes =
        static_cast<double>(plan::peak_bytes(all.plan)) * static_cast<double>(state.range(0)) / 100;
  }
  for (auto _ : state) benchmark::DoNotOptimize(all.assemble(cluster));
}

void plan_validate(benchmark::State& state) {
  const plan::ExecutionPlan& plan = made().plan;
  for (auto _ : state) plan::validate(plan);
}

/// From nothing to a plan that is proved: the target is two seconds.
void plan_whole(benchmark::State& state) {
  for (auto _ : state) {
    const Program step = differentiate(build());
    const Strategy strategy = strategy_for(step, kMicroBatches);
    plan::validate(plan_for(step, strategy));
  }
}

/// Plans of more and more micro-batches: the complexity is fitted over their instructions.
void validate_growing(benchmark::State& state) {
  static std::map<std::int64_t, plan::ExecutionPlan> plans;
  plan::ExecutionPlan& plan = plans[state.range(0)];
  if (plan.roles.empty()) {
    const Program& step = made().step;
    const Strategy strategy = strategy_for(step, state.range(0));
    plan = plan_for(step, strategy);
  }
  for (auto _ : state) plan::validate(plan);
  state.SetComplexityN(num_instructions(plan));
  state.counters["instructions"] = static_cast<double>(num_instructions(plan));
}

/// A plan of so many micro-batches on its way to a file or to another process.
const plan::ExecutionPlan& plan_of(std::int64_t num_micro_batches) {
  static std::map<std::int64_t, plan::ExecutionPlan> plans;
  plan::ExecutionPlan& plan = plans[num_micro_batches];
  if (plan.roles.empty()) {
    const Program step = differentiate(models::gpt_forward(models::gpt_preset("2.6b"), 256));
    const Strategy strategy = strategy_for(step, num_micro_batches);
    plan = plan_for(step, strategy);
  }
  return plan;
}

void count_bytes(benchmark::State& state, const std::string& written) {
  state.counters["bytes"] = static_cast<double>(written.size());
}

void write_json(benchmark::State& state) {
  const plan::ExecutionPlan& plan = plan_of(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(plan::encode(plan));
  count_bytes(state, plan::encode(plan));
}

void read_json(benchmark::State& state) {
  const std::string text = plan::encode(plan_of(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(plan::decode_plan(text, "plan"));
}

void write_bytes(benchmark::State& state) {
  const plan::ExecutionPlan& plan = plan_of(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(plan::to_bytes(plan));
  count_bytes(state, plan::to_bytes(plan));
}

void read_bytes(benchmark::State& state) {
  const std::string bytes = plan::to_bytes(plan_of(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(plan::plan_from_bytes(bytes, "plan"));
}

BENCHMARK(plan_build)->Unit(benchmark::kMillisecond);
BENCHMARK(plan_autodiff)->Unit(benchmark::kMillisecond);
BENCHMARK(plan_complete)->Unit(benchmark::kMillisecond);
BENCHMARK(complete_warm)->Unit(benchmark::kMillisecond);
BENCHMARK(plan_partition)->Unit(benchmark::kMillisecond);
BENCHMARK(plan_schedule)->Unit(benchmark::kMillisecond);
BENCHMARK(plan_assemble)->Unit(benchmark::kMillisecond);
BENCHMARK(plan_assemble_short)->Arg(99)->Arg(50)->Unit(benchmark::kMillisecond);
BENCHMARK(plan_validate)->Unit(benchmark::kMillisecond);
BENCHMARK(plan_whole)->Unit(benchmark::kMillisecond);
BENCHMARK(validate_growing)
    ->RangeMultiplier(2)
    ->Range(2, 64)
    ->Complexity(benchmark::oN)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(write_json)->Arg(16)->Arg(128)->Unit(benchmark::kMillisecond);
BENCHMARK(read_json)->Arg(16)->Arg(128)->Unit(benchmark::kMillisecond);
BENCHMARK(write_bytes)->Arg(16)->Arg(128)->Unit(benchmark::kMillisecond);
BENCHMARK(read_bytes)->Arg(16)->Arg(128)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rhino::test

BENCHMARK_MAIN();
