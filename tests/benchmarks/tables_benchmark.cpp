// SPDX-License-Identifier: Apache-2.0
/// How long the estimate of a strategy takes by tables: with nothing in them, of a strategy never
/// seen where all it is made of has been priced, of one value changed, and of one that is known;
/// and the space of strategies of gpt 175b.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "planning_setup.hpp"
#include "rhino/index.hpp"

namespace rhino::test {
namespace {

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

/// Weights of the first dot of feed-forwards, each of which may be whole.
std::vector<ValueId> weights_of(const Program& step) {
  std::vector<ValueId> weights;
  for (ValueId value = 0; value < step.size(); ++value)
    if (step.op(value).name.ends_with(".mlp.up.weight")) weights.push_back(value);
  return weights;
}

/// Another set of whole weights each time: a number whose bits say which, counted up.
void estimate_warm(benchmark::State& state) {
  Tabled tabled;
  const Strategy strategy = strategy_for(tabled.step, state.range(0));
  const std::vector<ValueId> weights = weights_of(tabled.step);
  const auto with = [&](std::uint64_t whole) {
    Strategy changed = strategy;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if ((whole >> i & 1) == 0) continue;
      for (DimSharding& dim : changed.specs[at(weights[i])].dims) dim.splits.clear();
    }
    return changed;
  };
  for (const std::uint64_t whole : {std::uint64_t{0}, ~std::uint64_t{0}})
    benchmark::DoNotOptimize(tabled.evaluator.estimate(with(whole)));
  for (std::uint64_t whole = 1; auto _ : state) {
    state.PauseTiming();
    const Strategy changed = with(whole++);
    state.ResumeTiming();
    benchmark::DoNotOptimize(tabled.evaluator.estimate(changed));
  }
}

/// Looked up: it was estimated before.
void estimate_known(benchmark::State& state) {
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

BENCHMARK(estimate_cold)->Arg(16)->Arg(128)->Unit(benchmark::kMillisecond);
BENCHMARK(estimate_warm)->Arg(16)->Arg(128)->Unit(benchmark::kMillisecond);
BENCHMARK(estimate_known)->Arg(16)->Arg(128)->Unit(benchmark::kMillisecond);
BENCHMARK(estimate_change)->Arg(16)->Arg(128)->Unit(benchmark::kMillisecond);
BENCHMARK(make_space)->Args({1, 8})->Args({8, 8})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rhino::test
