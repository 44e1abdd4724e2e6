// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <map>

#include "config/strategy_file.hpp"
#include "config/topology_file.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/placing.hpp"
#include "models/models.hpp"
#include "plan/assemble.hpp"
#include "plan/plan_file.hpp"
#include "plan/validate.hpp"
#include "plugin/registry.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"
#include "simulate/simulate.hpp"

/// How long planning takes: gpt 2.6b on eight devices (two stages of two data x two tensor ranks),
/// phase by phase and as a whole, how validation grows with the plan, and how long plans take to
/// encode and to decode.
namespace rhino {
namespace {

constexpr std::int64_t kMicroBatches = 8, kBatch = 128;
const std::string kSource = RHINO_SOURCE;

/// Memory enough for any number of micro-batches in flight: planning is what is timed.
Cluster with_room(Cluster cluster) {
  for (DeviceModel& model : cluster.models) model.memory_bytes = 1e13;
  return cluster;
}

/// What all phases share.
struct Setup {
  plugin::Registry registry{{RHINO_PLUGINS}};
  std::unique_ptr<Resharding> resharding =
      plugin::make_resharding(registry.find("resharding/send_recv"), Options());
  std::unique_ptr<Schedule> schedule =
      plugin::make_schedule(registry.find("schedule/1f1b"), Options());
  cost::CostModel cost{
      with_room(config::read_topology(kSource + "/topologies/p3_8xlarge_x2.yaml"))};
  config::StrategyFile file = config::read_strategy_file(
      kSource + "/strategies/gpt_megatron.yaml",
      Options(
          {{"stage", std::int64_t{2}}, {"data", std::int64_t{2}}, {"tensor", std::int64_t{2}}}));
};
Setup& setup() {
  static Setup setup;
  return setup;
}

Program build() { return models::gpt_forward(models::gpt_preset("2.6b"), kBatch); }
Program differentiate(Program forward) { return ir::training_step(std::move(forward), {}); }

Strategy strategy_for(const Program& step, std::int64_t num_micro_batches) {
  const std::vector<Chunk> chunks = evaluate::place_chunks(
      setup().cost.cluster(), *setup().schedule, setup().file.num_stages, setup().file.axes);
  return sharding::complete(step, config::draft_of(setup().file, step, chunks, num_micro_batches));
}

plan::ExecutionPlan plan_for(const Program& step, const Strategy& strategy) {
  return evaluate::make_plan({step, setup().cost, *setup().resharding, *setup().schedule},
                             strategy);
}

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

Cluster hosts_of_four(std::int64_t num_devices) {
  Cluster cluster = setup().cost.cluster();
  const std::string name = cluster.hosts.front().name;
  cluster.hosts.clear();
  for (DeviceId device = 0; device < num_devices; ++device) {
    if (device % 4 == 0) cluster.hosts.push_back({name, {}});
    cluster.hosts.back().devices.push_back(device);
  }
  cluster.model_of.assign(static_cast<std::size_t>(num_devices), 0);
  cluster.host_of.clear();
  for (DeviceId device = 0; device < num_devices; ++device) cluster.host_of.push_back(device / 4);
  return cluster;
}

/// Tables for gpt 2.6b on eight devices, and a strategy of so many micro-batches.
struct Tabled {
  Program step = differentiate(models::gpt_forward(models::gpt_preset("2.6b"), 256));
  evaluate::PlanContext context{step, setup().cost, *setup().resharding, *setup().schedule};
  evaluate::PlanEvaluator evaluator{context, 0};
};

/// From a strategy to its estimate, with nothing in the tables.
void estimate_cold(benchmark::State& state) {
  const Tabled tabled;
  const Strategy strategy = strategy_for(tabled.step, state.range(0));
  for (auto _ : state) {
    evaluate::PlanEvaluator fresh(tabled.context, 0);
    benchmark::DoNotOptimize(fresh.estimate(strategy));
  }
}

void estimate_warm(benchmark::State& state) {
  Tabled tabled;
  const Strategy strategy = strategy_for(tabled.step, state.range(0));
  const Estimate estimate = tabled.evaluator.estimate(strategy);
  for (auto _ : state) benchmark::DoNotOptimize(tabled.evaluator.estimate(strategy));
  const Evaluation evaluation = tabled.evaluator.evaluate(strategy);
  state.counters["simulated"] = evaluation.step_s;
  state.counters["estimate"] = estimate.step_s / evaluation.step_s;
  state.counters["bound"] = estimate.bound_s / evaluation.step_s;
  state.counters["peak"] = estimate.peak_bytes / evaluation.peak_bytes;
}

/// One value more or less split by the tensor axis, and the estimate again.
void estimate_change(benchmark::State& state) {
  Tabled tabled;
  const Strategy strategy = strategy_for(tabled.step, state.range(0));
  const std::unique_ptr<Trial> trial = tabled.evaluator.try_out(strategy);
  ValueId value = 0;
  while (tabled.step.op(value).name != "h7.mlp.up.weight") ++value;
  ShardingSpec whole = strategy.specs[at(value)];
  for (DimSharding& dim : whole.dims) dim.splits.clear();
  benchmark::DoNotOptimize(trial->price());
  for (auto _ : state) {
    trial->set(value, whole);
    benchmark::DoNotOptimize(trial->price());
    trial->undo();
  }
}

/// The space of all strategies of gpt 175b on one mesh of data x tensor, axes as given.
void make_space(benchmark::State& state) {
  const Program step = differentiate(models::gpt_forward(models::gpt_preset("175b"), 64));
  const cost::CostModel cost(hosts_of_four(64));
  const evaluate::PlanContext context{step, cost, *setup().resharding, *setup().schedule};
  SpaceOptions options{{{{"data", state.range(0)}, {"tensor", state.range(1)}}, {}}, 4};
  for (DeviceId device = 0; device < state.range(0) * state.range(1); ++device)
    options.mesh.devices.push_back(device);
  for (auto _ : state) {
    evaluate::PlanEvaluator evaluator(context, 0);
    const StrategySpace& space = evaluator.space(options);
    state.counters["classes"] = static_cast<double>(space.classes.size());
    double num_strategies = 0, num_reshards = 0;
    for (const OpClass& op : space.classes)
      num_strategies += static_cast<double>(op.strategies.size());
    for (const LayoutSet& set : space.layouts)
      num_reshards += static_cast<double>(set.reshard_s.size());
    state.counters["strategies"] = num_strategies;
    state.counters["reshards"] = num_reshards;
  }
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
  count_bytes(state, plan::to_bytes(plan));
}

void make_large(benchmark::State& state, const Layout& layout) {
  for (auto _ : state) benchmark::DoNotOptimize(plan_of(layout));
}

Layout equal(std::size_t num_stages, std::int64_t data, Layout layout) {
  layout.stages.assign(num_stages, {data, 8});
  return layout;
}
const Layout kUnequal{{{64, 8}, {32, 8}, {16, 8}, {16, 8}}};

BENCHMARK(plan_build)->Unit(benchmark::kMillisecond);
BENCHMARK(plan_autodiff)->Unit(benchmark::kMillisecond);
BENCHMARK(plan_complete)->Unit(benchmark::kMillisecond);
BENCHMARK(complete_warm)->Unit(benchmark::kMillisecond);
BENCHMARK(estimate_cold)->Arg(16)->Arg(128)->Unit(benchmark::kMillisecond);
BENCHMARK(estimate_warm)->Arg(16)->Arg(128)->Unit(benchmark::kMillisecond);
BENCHMARK(estimate_change)->Arg(16)->Arg(128)->Unit(benchmark::kMillisecond);
BENCHMARK(make_space)->Args({1, 8})->Args({8, 8})->Unit(benchmark::kMillisecond);
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
BENCHMARK(write_json)->Arg(16)->Arg(128)->Unit(benchmark::kMillisecond);
BENCHMARK(read_json)->Arg(16)->Arg(128)->Unit(benchmark::kMillisecond);
BENCHMARK(write_bytes)->Arg(16)->Arg(128)->Unit(benchmark::kMillisecond);
BENCHMARK(read_bytes)->Arg(16)->Arg(128)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rhino

BENCHMARK_MAIN();
