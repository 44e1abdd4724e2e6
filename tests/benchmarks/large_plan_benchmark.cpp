// SPDX-License-Identifier: Apache-2.0
/// How long plans of 1024 and 8192 devices take to be made, proved and simulated, and how much
/// memory.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>

#include "plan/plan_file.hpp"
#include "plan/validate.hpp"
#include "planning_setup.hpp"
#include "simulate/simulate.hpp"

namespace rhino::test {
namespace {

/// gpt 175b on hosts of four devices: data x tensor ranks of each stage.
struct Layout {
  std::vector<std::pair<std::int64_t, std::int64_t>> stages;
  std::int64_t num_micro_batches = 64;
  std::string resharding = "broadcast";
  std::int32_t num_steps = 2;  ///< that are simulated, as a search asks
};

plan::ExecutionPlan plan_of(const Layout& layout) {
  std::vector<Chunk> chunks;
  DeviceId next = 0;
  std::int64_t most_data = 1;  // ranks of one sample per micro-batch
  for (const auto& [data, tensor] : layout.stages) {
    Chunk& chunk = chunks.emplace_back(Chunk{{{{"data", data}, {"tensor", tensor}}, {}}, false});
    for (std::int64_t d = 0; d < data * tensor; ++d) chunk.mesh.devices.push_back(next++);
    most_data = std::max(most_data, data);
  }
  const cost::CostModel cost(hosts_of_four(next));
  const Program step = differentiate(
      models::gpt_forward(models::gpt_preset("175b"), most_data * layout.num_micro_batches));
  config::StrategyFile file = setup().file;
  file.num_stages = static_cast<std::int32_t>(chunks.size());
  file.axes = chunks.front().mesh.axes;
  const Strategy strategy =
      sharding::complete(step, config::draft_of(file, step, chunks, layout.num_micro_batches));
  const auto algorithm =
      plugin::make_resharding(setup().registry.find("resharding/" + layout.resharding), Options());
  return evaluate::make_plan({step, cost, *algorithm, *setup().schedule}, strategy);
}

double peak_gigabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e9;
}

/// Steps of a plan; with what the process took at most so far.
void simulate_plan(benchmark::State& state, const Layout& layout) {
  const plan::ExecutionPlan plan = plan_of(layout);
  state.counters["plan_GB"] = peak_gigabytes();
  const cost::CostModel cost(plan.cluster);
  for (auto _ : state) {
    const plan::StepTrace trace =
        simulate::simulate(plan, cost, {.num_steps = layout.num_steps, .keep_events = false});
    state.counters["walked"] = static_cast<double>(trace.devices.size());
    state.counters["step_s"] = trace.step_s;
  }
  state.counters["devices"] = plan.cluster.num_devices();
  state.counters["GB"] = peak_gigabytes();
}

/// The proof of such a plan, and how large it is.
void validate_large(benchmark::State& state, const Layout& layout) {
  const plan::ExecutionPlan plan = plan_of(layout);
  for (auto _ : state) plan::validate(plan);
  state.counters["bytes"] = static_cast<double>(plan::to_bytes(plan).size());
}

void make_large(benchmark::State& state, const Layout& layout) {
  for (auto _ : state) benchmark::DoNotOptimize(plan_of(layout));
}

Layout equal(std::size_t num_stages, std::int64_t data, Layout layout) {
  layout.stages.assign(num_stages, {data, 8});
  return layout;
}
const Layout kUnequal{{{64, 8}, {32, 8}, {16, 8}, {16, 8}}};

#define RHINO_LARGE(function, name, ...) \
  BENCHMARK_CAPTURE(function, name, __VA_ARGS__)->Unit(benchmark::kMillisecond)->Iterations(1)
RHINO_LARGE(simulate_plan, 16x8x8, equal(16, 8, {}));
RHINO_LARGE(simulate_plan, 16x64x8, equal(16, 64, {}));
RHINO_LARGE(simulate_plan, unequal, kUnequal);
RHINO_LARGE(simulate_plan, 16x64x8_striped_512, equal(16, 64, {{}, 512, "striped"}));
RHINO_LARGE(simulate_plan, 32x32x8_striped_512, equal(32, 32, {{}, 512, "striped"}));
RHINO_LARGE(simulate_plan, 16x64x8_striped_512_once, equal(16, 64, {{}, 512, "striped", 1}));
RHINO_LARGE(simulate_plan, 32x32x8_striped_512_once, equal(32, 32, {{}, 512, "striped", 1}));
RHINO_LARGE(validate_large, 16x8x8, equal(16, 8, {}));
RHINO_LARGE(validate_large, 16x64x8, equal(16, 64, {}));
RHINO_LARGE(make_large, 16x8x8, equal(16, 8, {}));
RHINO_LARGE(make_large, 16x64x8, equal(16, 64, {}));

}  // namespace
}  // namespace rhino::test
