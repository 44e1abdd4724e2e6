// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "planning/pipeline_plan.hpp"
#include "planning/pipeline_stages.hpp"
#include "rhino/index.hpp"
#include "simulate/simulate.hpp"

/// How long schedules think about a pipeline of unequal stages, and how long one takes to be
/// planned in a child process, proved, and simulated.
namespace rhino {
namespace {

config::CellSpec cell_of(const std::string& schedule, std::int64_t stages, std::int64_t count) {
  const auto list = [&](std::int64_t size, int step) {
    std::string text;
    for (std::int64_t i = 0; i < size; ++i)
      text += (i > 0 ? ", 0.0" : "0.0") + std::to_string(10 + i * step % 5);
    return "[" + text + "]";
  };
  config::CellSpec cell;
  cell.schedule.id = "schedule/" + schedule;
  cell.pipeline =
      config::read_pipelines(
          config::YamlReader::text(
              "{stages: " + std::to_string(stages) + ", micro_batches: " + std::to_string(count) +
                  ", forward_s: " + list(stages, 2) + ", backward_s: " + list(stages, 3) +
                  ", weight_s: " + list(stages, 4) + ", transfer_s: " + list(stages - 1, 1) +
                  ", activation_limit: " + std::to_string(3 * stages / 2) + "}",
              "benchmark"))
          .front();
  return cell;
}

const plugin::Registry& registry() {
  static const plugin::Registry registry({RHINO_PLUGINS});
  return registry;
}

void think(benchmark::State& state, const char* name, bool is_draft = false) {
  const config::CellSpec cell = cell_of(name, state.range(0), state.range(1));
  const Cluster cluster = planning::pipeline_cluster(*cell.pipeline, std::nullopt);
  for (auto _ : state) {
    const auto schedule = plugin::make_schedule(registry().find(cell.schedule.id), Options());
    PipelineProblem problem = planning::pipeline_problem(
        *cell.pipeline, schedule->placement(static_cast<int>(state.range(0))), cluster);
    problem.is_draft = is_draft;
    benchmark::DoNotOptimize(schedule->schedule(problem));
  }
}

void plan_and_simulate(benchmark::State& state, const char* name) {
  config::CellSpec cell = cell_of(name, state.range(0), state.range(1));
  cell.pipeline->activation_limit.clear();
  const cost::CostModel cost(planning::pipeline_cluster(*cell.pipeline, std::nullopt));
  for (auto _ : state) {
    const planning::PlannedCell planned =
        planning::plan_pipeline(cell, cost, registry(), {.deadline_s = 600});
    if (!planned.message.empty()) state.SkipWithError(planned.message.c_str());
    else
      state.counters["step_s"] =
          simulate::simulate(planned.plan, cost, {.num_steps = 2, .keep_events = false}).step_s;
  }
}

#define RHINO_SCHEDULE(function, name, ...)      \
  BENCHMARK_CAPTURE(function, name, __VA_ARGS__) \
      ->Unit(benchmark::kMillisecond)            \
      ->MeasureProcessCPUTime()
RHINO_SCHEDULE(think, 1f1b, "1f1b")->Args({16, 64});
RHINO_SCHEDULE(think, zero_bubble, "zero_bubble")->Args({16, 64});
RHINO_SCHEDULE(think, auto, "auto") -> Args({8, 32}) -> Args({16, 64});
RHINO_SCHEDULE(think, zero_bubble_draft, "zero_bubble", true)
    ->Args({8, 32})
    ->Args({16, 64})
    ->Args({32, 128})
    ->Args({64, 512});
RHINO_SCHEDULE(think, auto_draft, "auto", true)
    ->Args({8, 32})
    ->Args({16, 64})
    ->Args({32, 128})
    ->Args({64, 512});
RHINO_SCHEDULE(plan_and_simulate, 1f1b, "1f1b")->Args({16, 64})->Args({64, 512});

}  // namespace
}  // namespace rhino

BENCHMARK_MAIN();
