// SPDX-License-Identifier: Apache-2.0
#include "common/settling.hpp"

#include <catch2/catch.hpp>

#include "toys.hpp"

namespace rhino::test {
namespace {

struct Settled {
  double first_s = 0, best_s = 0;
  std::size_t num_looked = 0, num_too_large = 0;
  Strategy best;
};

Strategy batch_alone(Strategies& strategies, std::int32_t num_devices) {
  return strategies.complete({.name = "batch",
                              .num_micro_batches = 1,
                              .chunks = strategies.chunks(1, {{"a", num_devices}}),
                              .batch_axis = 0});
}

/// From one strategy of one stage; where it does not fit `first_s` is 0.
template <typename Make>
Settled settled_from(Toy& toy, double memory_bytes, const Make& make) {
  Settled settled;
  toy.ask(memory_bytes, [&](const SearchProblem& problem, Strategies& strategies) {
    common::Simulated first{{{}, make(strategies)}, {}};
    const Strategy& strategy = first.candidate.strategy;
    first.candidate.configuration.axes.clear();
    for (const MeshAxis& axis : strategy.chunks.front().mesh.axes)
      first.candidate.configuration.axes.push_back(axis.size);
    first.candidate.configuration.num_micro_batches = strategy.num_micro_batches;
    first.candidate.estimate = strategies.estimate(strategy);
    first.evaluation = strategies.evaluate(strategy);
    settled.first_s = first.evaluation.step_s;
    settled.best_s = first.evaluation.feasible ? settled.first_s : 1e9;
    settled.best = strategy;
    common::Settling(problem, strategies, {}, 40)
        .run({first}, first.evaluation.feasible, [&](const common::Candidate& one) {
          const Evaluation evaluation = strategies.evaluate(one.strategy);
          ++settled.num_looked;
          settled.num_too_large += evaluation.feasible ? 0 : 1;
          if (evaluation.feasible && evaluation.step_s < settled.best_s)
            settled.best_s = evaluation.step_s, settled.best = one.strategy;
          return evaluation;
        });
  });
  return settled;
}

}  // namespace

TEST_CASE("what is settled by simulation is quicker, and computes what one device does") {
  constexpr std::int32_t kDevices = 4;
  const Cluster cluster = slow_cluster(kDevices, true);
  int num_better = 0;
  for (const std::uint64_t seed : {41051, 41066, 4, 5}) {
    CAPTURE(seed);
    const Program step = ir::training_step(models::random_forward(seed, 24, 6), {});
    Toy toy(plugins(), step, cluster);
    const Settled settled = settled_from(
        toy, 1e12, [&](Strategies& strategies) { return batch_alone(strategies, kDevices); });
    CHECK(settled.num_looked <= 300);
    CHECK(settled.best_s <= settled.first_s);
    num_better += settled.best_s < 0.95 * settled.first_s ? 1 : 0;
    CHECK(toy.error_of(settled.best) < 1e-9);
  }
  CHECK(num_better > 0);
}

TEST_CASE("what needs a little too much memory is settled until it fits") {
  const Cluster cluster = slow_cluster(8, true);
  const Program step = ir::training_step(models::random_forward(41051, 24, 7), {});
  Toy toy(plugins(), step, cluster);
  int num_settled = 0;
  for (const double memory_bytes : {5000, 5500, 6000, 6500}) {
    CAPTURE(memory_bytes);
    const Answer large = toy.run("search/rhino", {}, memory_bytes);
    REQUIRE(large.ok());
    const Settled settled =
        settled_from(toy, large.peak_bytes - 1, [&](Strategies&) { return large.strategy; });
    CHECK(settled.first_s == 0);
    CHECK(settled.num_too_large > 0);
    if (settled.best_s >= 1e9) continue;  // cut value by value it gets no smaller
    ++num_settled;
    CHECK(settled.best_s < 1.2 * large.step_s);
    CHECK(toy.error_of(settled.best) < 1e-9);
  }
  CHECK(num_settled > 0);
}

TEST_CASE("of programs that are not small nothing is settled") {
  const Cluster cluster = slow_cluster(2, false);
  const Program step = gpt({.num_layers = 3});
  REQUIRE(step.size() >= 1500);
  Toy toy(plugins(), step, cluster);
  CHECK(settled_from(toy, 1e12, [](Strategies& strategies) {
          return batch_alone(strategies, 2);
        }).num_looked == 0);
}

}  // namespace rhino::test
