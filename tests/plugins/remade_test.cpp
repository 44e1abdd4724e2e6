// SPDX-License-Identifier: Apache-2.0
// What search/rhino makes anew where memory binds.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <limits>

#include "common/configurations.hpp"
#include "toys.hpp"

namespace rhino::test {
namespace {

/// Of all ways to make anew less in some of the layers and more in others that fit the least step,
/// by simulation.
double best_of_layers(const SearchProblem& problem, Strategies& strategies,
                      const common::Configuration& configuration, int num_layers) {
  const std::vector<ValueId> less = common::recomputed(problem.program, common::Recompute::cheap),
                             more = common::recomputed(problem.program, common::Recompute::most);
  std::vector<int> layer_of;  // they end with `h0.out`, `h1.out`, ...; the last has the loss, too
  for (const Op& op : problem.program.ops) {
    const int last = layer_of.empty() ? 0 : layer_of.back();
    layer_of.push_back(std::min(last, num_layers - 1));
    if (op.name == "h" + std::to_string(last) + ".out") layer_of.back() = last + 1;
  }
  Strategy strategy = common::uncut(problem, strategies, configuration);
  double best_s = std::numeric_limits<double>::infinity();
  for (int layers = 0; layers < 1 << num_layers; ++layers) {
    const auto is_more = [&](ValueId id) {
      return (layers >> std::min(layer_of[at(id)], num_layers - 1) & 1) != 0;
    };
    strategy.recompute.clear();
    std::ranges::copy_if(more, std::back_inserter(strategy.recompute), is_more);
    std::ranges::copy_if(less, std::back_inserter(strategy.recompute), std::not_fn(is_more));
    std::ranges::sort(strategy.recompute);
    const Evaluation found = strategies.evaluate(strategy);
    if (found.feasible) best_s = std::min(best_s, found.step_s);
  }
  return best_s;
}

}  // namespace

TEST_CASE("on one device as little is made anew as the memory asks for") {
  // Nothing but what is made anew can change the memory that is needed.
  const Program step = gpt({.num_layers = 6, .sequence = 32});
  const Cluster cluster = slow_cluster(1, false);
  Toy toy(plugins(), step, cluster);
  toy.micro_batch_counts = {1};
  std::vector<Evaluation> ways;
  toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
    for (const common::Recompute recompute : common::kLeastFirst) {
      const common::Configuration configuration{1, {1}, 1, recompute};
      ways.push_back(strategies.evaluate(common::uncut(problem, strategies, configuration)));
    }
  });
  const auto least = std::ranges::min_element(ways, {}, &Evaluation::peak_bytes);
  CHECK(least->peak_bytes < 0.6 * ways.front().peak_bytes);
  for (const Evaluation& way : ways) {
    const double memory_bytes = 1.0001 * way.peak_bytes;
    double best_s = way.step_s;
    for (const Evaluation& other : ways)
      if (other.peak_bytes <= memory_bytes) best_s = std::min(best_s, other.step_s);
    for (const std::int64_t level : {2, 3}) {
      const Answer found = toy.run("search/rhino", {{"level", level}}, memory_bytes);
      CAPTURE(level, memory_bytes, best_s, found.step_s, found.strategy.name, found.reason);
      REQUIRE(found.ok());
      CHECK(found.step_s <= best_s * (1 + 1e-9));
      CHECK(found.peak_bytes <= memory_bytes);
    }
  }
  const Answer none = toy.run("search/rhino", {}, 0.9 * least->peak_bytes);
  CHECK_FALSE(none.ok());
}

TEST_CASE("of equal layers no more are made anew than the memory asks for") {
  const int num_layers = 6;
  const Program step = gpt({.num_layers = num_layers, .sequence = 32});
  const Cluster cluster = slow_cluster(1, false);
  Toy toy(plugins(), step, cluster);
  toy.micro_batch_counts = {1};
  Evaluation less, more;
  toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
    const auto evaluated = [&](common::Recompute recompute) {
      return strategies.evaluate(common::uncut(problem, strategies, {1, {1}, 1, recompute}));
    };
    less = evaluated(common::Recompute::cheap), more = evaluated(common::Recompute::most);
  });
  REQUIRE(more.step_s > 1.01 * less.step_s);
  for (const double share : {0.25, 0.5, 0.75}) {
    const double memory_bytes = share * less.peak_bytes + (1 - share) * more.peak_bytes;
    double best_s = 0;
    toy.ask(memory_bytes, [&](const SearchProblem& problem, Strategies& strategies) {
      best_s = best_of_layers(problem, strategies, {1, {1}, 1}, num_layers);
    });
    const Answer found = toy.run("search/rhino", {}, memory_bytes);
    CAPTURE(share, less.step_s, more.step_s, best_s, found.step_s, found.strategy.name);
    REQUIRE(found.ok());
    CHECK(best_s < more.step_s);
    CHECK(found.step_s <= 1.01 * best_s);
    CHECK(found.peak_bytes <= memory_bytes);
    CHECK(toy.error_of(found.strategy) < 1e-9);
  }
}

}  // namespace rhino::test
