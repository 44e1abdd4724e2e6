// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "common/update_descent.hpp"
#include "toys.hpp"

namespace rhino::test {
namespace {

/// The batch over all devices, and so much of the states besides.
Strategy over_batch(Strategies& strategies, int zero_stage) {
  return strategies.complete({.name = "made",
                              .num_micro_batches = 1,
                              .chunks = strategies.chunks(1, {{"a", 4}}),
                              .batch_axis = 0,
                              .zero_stage = zero_stage});
}

/// Whether the update of every weight is whole as `one` has it, or as `other` has it.
bool takes_whole_updates(const Program& step, const Strategy& made, const Strategy& one,
                         const Strategy& other) {
  for (const Input& input : step.inputs) {
    if (input.kind != InputKind::parameter) continue;
    const std::string& weight = step.op(input.value).name;
    bool is_one = true, is_other = true;
    for (ValueId id = 0; id < step.size(); ++id) {
      const bool is_stored = step.op(id).name == weight || step.op(id).name == weight + ".m" ||
                             step.op(id).name == weight + ".v";
      is_one &= !is_stored || made.specs[at(id)] == one.specs[at(id)];
      is_other &= !is_stored || made.specs[at(id)] == other.specs[at(id)];
    }
    if (!is_one && !is_other) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("updates of weights are made whole, or cut, where that takes less") {
  const Program step = gpt({.num_layers = 2});
  int num_better = 0;
  for (const bool two_hosts : {false, true}) {
    const Cluster cluster = slow_cluster(4, two_hosts);
    Toy toy(plugins(), step, cluster);
    toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
      for (const auto& [from, to] : {std::pair{0, 1}, {1, 0}, {0, 3}, {3, 0}}) {
        CAPTURE(two_hosts, from, to);
        const Strategy before = over_batch(strategies, from), other = over_batch(strategies, to);
        const StrategySpace& space = strategies.space({.mesh = before.chunks.front().mesh});
        Strategy made = before;
        Estimate estimate = strategies.estimate(before);
        const double before_s = estimate.step_s;
        const bool is_better =
            common::UpdateDescent(problem, space).run(strategies, other, made, estimate);
        num_better += is_better ? 1 : 0;
        CHECK(is_better == (estimate.step_s < before_s));
        CHECK(is_better == (made.specs != before.specs));
        CHECK(strategies.estimate(made).step_s == Approx(estimate.step_s));
        CHECK(takes_whole_updates(step, made, before, other));
        CHECK(toy.error_of(made) < 1e-5);
      }
    });
  }
  CHECK(num_better > 0);
}

TEST_CASE("updates of pinned weights stay, and no update is made whole beyond the memory") {
  const Program step = gpt({.num_layers = 2});
  const Cluster cluster = slow_cluster(4, false);
  Toy toy(plugins(), step, cluster);
  toy.ask(1e12, [&](const SearchProblem& unlimited, Strategies& strategies) {
    const Strategy before = over_batch(strategies, 1), other = over_batch(strategies, 0);
    const StrategySpace& space = strategies.space({.mesh = before.chunks.front().mesh});
    const Estimate estimate = strategies.estimate(before);
    SearchProblem pinned = unlimited, limited = unlimited;
    for (const Input& input : step.inputs)
      if (input.kind == InputKind::parameter) pinned.pins.push_back({input.value, {}});
    Strategy made = before;
    Estimate now = estimate;
    CHECK_FALSE(common::UpdateDescent(pinned, space).run(strategies, other, made, now));
    CHECK(made.specs == before.specs);
    limited.memory_limit_bytes = estimate.peak_bytes * (1 + 1e-9);
    common::UpdateDescent(limited, space).run(strategies, other, made, now);
    CHECK(now.peak_bytes <= limited.memory_limit_bytes);
  });
}

}  // namespace rhino::test
