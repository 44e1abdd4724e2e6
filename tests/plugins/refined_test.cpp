// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>

#include "common/descent.hpp"
#include "common/local_costs.hpp"
#include "common/update_descent.hpp"
#include "toys.hpp"

namespace rhino::test {
namespace {

/// The batch over all devices, and so much of the states besides.
Strategy over_batch(Strategies& strategies, int zero_stage, std::int64_t num_micro_batches = 1) {
  return strategies.complete({.name = "made",
                              .num_micro_batches = num_micro_batches,
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

bool is_same_tile(ShardingSpec a, ShardingSpec b) {
  const auto is_micro = [](const Partial& partial) { return partial.axis == kMicroAxis; };
  std::erase_if(a.partial, is_micro);
  std::erase_if(b.partial, is_micro);
  return a == b;
}

/// Of an op each time that it runs, with what brings its operands, as quick as specs
/// allow: from what the space says, anew. None: its tables do not know how it is cut.
std::optional<double> table_s(const Program& step, const StrategySpace& space,
                              const std::vector<ShardingSpec>& specs, ValueId id) {
  if (space.class_of[at(id)] < 0) return {};
  const OpClass& op = space.classes[at(space.class_of[at(id)])];
  std::optional<double> least;
  for (const OpStrategy& strategy : op.strategies) {
    double seconds = strategy.seconds;
    bool may = space.layouts[at(op.result_set)].specs[at(strategy.result)] == specs[at(id)];
    for (std::size_t i = 0; may && i < strategy.operands.size(); ++i) {
      const ValueId operand = step.op(id).operands[i];
      if (strategy.operands[i] < 0 || space.class_of[at(operand)] < 0) continue;
      const LayoutSet& set = space.layouts[at(op.operand_sets[i])];
      const auto made = std::ranges::find_if(set.specs, [&](const ShardingSpec& spec) {
        return is_same_tile(spec, specs[at(operand)]);
      });
      const std::vector<Partial>& wanted = set.specs[at(strategy.operands[i])].partial;
      may = made != set.specs.end() && std::ranges::all_of(wanted, [&](const Partial& partial) {
              return std::ranges::count(made->partial, partial) > 0;
            });
      if (may)
        seconds +=
            set.reshard(static_cast<std::int32_t>(made - set.specs.begin()), strategy.operands[i]);
    }
    if (may) least = std::min(least.value_or(seconds), seconds);
  }
  return least;
}

/// What all ops together take more than before, of those that tables know before and after.
double added_s(const Program& step, const StrategySpace& space, double num_micro_batches,
               const std::vector<ShardingSpec>& before, const std::vector<ShardingSpec>& after) {
  double added = 0;
  for (ValueId id = 0; id < step.size(); ++id) {
    const std::optional<double> then = table_s(step, space, before, id),
                                now = table_s(step, space, after, id);
    if (!then || !now) continue;
    const bool is_each = space.classes[at(space.class_of[at(id)])].per_micro_batch;
    added += (is_each ? num_micro_batches : 1) * (*now - *then);
  }
  return added;
}

}  // namespace

TEST_CASE("tables tell what another cut of one value adds, and which are worth a trial") {
  const Program step = gpt({.num_layers = 1});
  for (const bool two_hosts : {false, true}) {
    Toy toy(plugins(), step, slow_cluster(4, two_hosts));
    toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
      const std::int64_t num_micro_batches = two_hosts ? 2 : 1;
      const Strategy made = over_batch(strategies, 1, num_micro_batches);
      const StrategySpace& space = strategies.space(
          {.mesh = made.chunks.front().mesh, .num_micro_batches = num_micro_batches});
      const std::vector<bool> is_free = common::free_values(problem, space);
      const double step_s = strategies.estimate(made).step_s;
      const std::unique_ptr<Trial> trial = strategies.try_out(made);
      common::LocalCosts local(step, space, made);
      int num_compared = 0, num_better = 0, num_dear = 0;
      for (const OpClass& op : space.classes) {
        const ValueId value = op.values.front();
        if (!is_free[at(value)]) continue;
        std::int32_t last = -1;
        for (const OpStrategy& strategy : op.strategies) {
          if (strategy.result == std::exchange(last, strategy.result)) continue;
          const ShardingSpec& spec = space.layouts[at(op.result_set)].specs[at(last)];
          try {
            trial->set(value, spec);
          } catch (const Error&) {
            continue;
          }
          CAPTURE(two_hosts, value, last);
          const double told_s = local.added_s(value, last);
          if (num_compared++ % 8 == 0)
            CHECK(added_s(step, space, static_cast<double>(num_micro_batches), made.specs,
                          trial->strategy().specs) == Approx(told_s).margin(1e-9 * step_s));
          num_dear += told_s > 0.25 * step_s ? 1 : 0;
          if (trial->price().step_s < step_s * (1 - 1e-6)) {
            ++num_better;
            CHECK(told_s < 0.25 * step_s);
          }
          trial->undo();
        }
      }
      CHECK(num_compared > 500);
      CHECK(num_better > 0);
      CHECK(num_dear > 0);
    });
  }
}

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
