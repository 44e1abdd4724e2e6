// SPDX-License-Identifier: Apache-2.0
// What search/grid says that it proves, and what it finds where memory binds.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/configurations.hpp"
#include "forwarding.hpp"
#include "toys.hpp"

namespace rhino::test {
namespace {

constexpr AxisId kData = 0, kTensor = 1;

std::unique_ptr<Search> grid() {
  return plugin::make_search(plugins().find("search/grid"), Options());
}

/// Notes what is evaluated, and the bounds that are told.
class Noting final : public Forwarding {
 public:
  using Forwarding::Forwarding;
  std::vector<Strategy> evaluated;
  std::vector<double> bounds_s;

  Evaluation evaluate(const Strategy& strategy) override {
    evaluated.push_back(strategy);
    return Forwarding::evaluate(strategy);
  }
  void offer(const Strategy& strategy, double bound_s) override {
    bounds_s.push_back(bound_s);
    Forwarding::offer(strategy, bound_s);
  }
};

/// Parameters are cut along a dim of them each, or not.
void annotate(Random& random, const Program& program, std::int64_t num_parts,
              StrategyDraft& draft) {
  for (const Input& input : program.inputs) {
    const std::vector<std::int64_t>& dims = program.shape(input.value).dims;
    if (input.kind != InputKind::parameter || dims.empty() || draw(random, 2) == 0) continue;
    const std::size_t dim = at(draw(random, std::ssize(dims)));
    if (dims[dim] % num_parts != 0) continue;
    Annotation annotation{input.value, std::vector<std::vector<AxisId>>(dims.size())};
    annotation.dims[dim] = {kTensor};
    draft.annotations.push_back(std::move(annotation));
  }
}

struct Layout {
  std::int64_t stage = 1, data = 1, tensor = 1;
};

/// Of a layout, with any dims, ZeRO and recomputation. Throws Error where that does not divide.
Strategy drawn(Random& random, const Layout& layout, const SearchProblem& problem,
               Strategies& strategies) {
  const auto one_of = [&](const auto& all) { return all[at(draw(random, std::ssize(all)))]; };
  StrategyDraft draft{
      .name = "drawn",
      .num_micro_batches = one_of(problem.micro_batch_counts),
      .chunks = strategies.chunks(static_cast<std::int32_t>(layout.stage),
                                  {{"data", layout.data}, {"tensor", layout.tensor}}),
      .batch_axis = kData,
      .zero_stage = static_cast<std::int32_t>(draw(random, 4))};
  annotate(random, problem.program, layout.tensor, draft);
  Strategy strategy = strategies.complete(draft);
  common::set_recompute(strategy, problem.program,
                        one_of(std::vector{common::Recompute::nothing, common::Recompute::segments,
                                           common::Recompute::all}));
  return strategy;
}

}  // namespace

TEST_CASE("no strategy of a layout takes less than grid says of all of them") {
  const std::string schedule = GENERATE("schedule/1f1b", "schedule/zero_bubble");
  const std::int64_t num_layers = GENERATE(0, 1, 3);
  const Program step = num_layers > 0 ? gpt({.num_layers = num_layers})
                                      : ir::training_step(models::random_forward(11, 12, 5), {});
  const Cluster cluster = slow_cluster(4, num_layers > 1);
  Toy toy(plugins(), step, cluster, nullptr, schedule);
  int num_priced = 0;
  for (const Layout& layout :
       {Layout{1, 4, 1}, {1, 2, 2}, {1, 1, 4}, {2, 2, 1}, {2, 1, 2}, {4, 1, 1}}) {
    const Answer found =
        toy.run("search/grid",
                {{"stage", layout.stage}, {"data", layout.data}, {"tensor", layout.tensor}}, 1e12);
    if (!found.ok()) continue;
    CAPTURE(schedule, num_layers, layout.stage, layout.data, layout.tensor);
    CHECK(found.bound_s > 0);
    toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
      Random random(7);
      for (int i = 0; i < 30; ++i) {
        try {
          const Strategy strategy = drawn(random, layout, problem, strategies);
          const Evaluation evaluation = strategies.evaluate(strategy);
          if (!evaluation.feasible) continue;
          ++num_priced;
          CHECK(evaluation.step_s >= found.bound_s * (1 - 1e-9));
        } catch (const Error&) {  // it does not divide
        }
      }
    });
  }
  CHECK(num_priced > 60);
}

TEST_CASE("grid says the same of all strategies whatever it has evaluated, and fits") {
  const Program step = gpt({.num_layers = 2});
  const Cluster cluster = slow_cluster(4, true);
  Toy toy(plugins(), step, cluster);
  const std::vector<double> limits_bytes{1e12, 300e3, 230e3, 170e3, 150e3};
  std::vector<double> bounds_s;
  for (const double memory_bytes : limits_bytes) {
    toy.ask(memory_bytes, [&](const SearchProblem& problem, Strategies& strategies) {
      Noting noting(strategies);
      REQUIRE_FALSE(grid()->search(problem, noting).empty());
      bounds_s.insert(bounds_s.end(), noting.bounds_s.begin(), noting.bounds_s.end());
    });
  }
  CHECK(bounds_s.size() > limits_bytes.size());  // of some searches more than one
  CHECK(bounds_s.front() > 0);
  CHECK(std::ranges::count(bounds_s, bounds_s.front()) == std::ssize(bounds_s));
}

TEST_CASE("grid splits states and makes segments anew where nothing fits otherwise") {
  const Program step = gpt({.num_layers = 2});
  const Cluster cluster = slow_cluster(4, false);
  Toy toy(plugins(), step, cluster);
  constexpr double kBytes = 170e3;
  constexpr std::int64_t kAll = 4;
  const Answer found = toy.run("search/grid", {{"data", kAll}}, kBytes);
  INFO(found.reason);
  REQUIRE(found.ok());
  CAPTURE(found.strategy.name);
  CHECK(found.strategy.name.ends_with(", ZeRO 3, recomputing segments"));
  CHECK_FALSE(found.strategy.recompute.empty());
  CHECK(found.peak_bytes <= kBytes);
  CHECK(toy.error_of(found.strategy) < 1e-9);
}

TEST_CASE("grid makes segments anew where no devices share a batch") {
  const Program step = gpt({.num_layers = 2});
  const Cluster cluster = slow_cluster(2, false);
  Toy toy(plugins(), step, cluster);
  constexpr double kBytes = 200e3;
  const Answer found = toy.run("search/grid", {{"tensor", std::int64_t{2}}}, kBytes);
  INFO(found.reason);
  REQUIRE(found.ok());
  CAPTURE(found.strategy.name);
  CHECK(found.strategy.name.ends_with(", recomputing segments"));
  CHECK(found.strategy.name.find("ZeRO") == std::string::npos);
  CHECK(found.peak_bytes <= kBytes);
  CHECK(toy.error_of(found.strategy) < 1e-9);
}

TEST_CASE("of what takes less memory nothing is evaluated that breaks a pin") {
  const Program step = gpt({.num_layers = 2});
  const Cluster cluster = slow_cluster(4, false);
  Toy toy(plugins(), step, cluster);
  for (const Input& input : step.inputs)
    if (input.kind == InputKind::parameter) toy.pins.push_back({input.value, {}});
  toy.ask(235e3, [&](const SearchProblem& problem, Strategies& strategies) {
    Noting noting(strategies);
    const std::vector<Strategy> found = grid()->search(problem, noting);
    REQUIRE_FALSE(found.empty());
    const auto is_thrifty = [](const Strategy& one) {
      return one.name.find(", ZeRO 2") != std::string::npos;
    };
    CHECK(std::ranges::any_of(noting.evaluated, is_thrifty));
    for (const Strategy& one : noting.evaluated) {
      CAPTURE(one.name);
      CHECK(common::keeps_pins(problem, one));
    }
  });
}

TEST_CASE("of what fits grid evaluates one strategy of each layout and count of micro-batches") {
  const Program step = gpt({.num_layers = 2});
  const Cluster cluster = slow_cluster(4, true);
  Toy toy(plugins(), step, cluster);
  toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
    Noting noting(strategies);
    REQUIRE_FALSE(grid()->search(problem, noting).empty());
    std::set<std::string> points;
    for (const Strategy& one : noting.evaluated)
      points.insert(one.name.substr(0, one.name.find(", ZeRO")));
    CHECK(points.size() == noting.evaluated.size());
  });
}

TEST_CASE("of what lacks memory grid evaluates six strategies more at the most") {
  constexpr std::ptrdiff_t kMostOfDims = 2 * 3, kMostThrifty = 6;
  const Program step = gpt({.num_layers = 2});
  const Cluster cluster = slow_cluster(4, false);
  Toy toy(plugins(), step, cluster);
  for (const double memory_bytes : {110e3, 150e3, 230e3}) {
    toy.ask(memory_bytes, [&](const SearchProblem& problem, Strategies& strategies) {
      Noting noting(strategies);
      grid()->search(problem, noting);
      std::map<std::string, std::ptrdiff_t> counts;
      for (const Strategy& one : noting.evaluated)
        counts[one.name.substr(0, one.name.find("micro-batch"))] += 1;
      REQUIRE_FALSE(counts.empty());
      for (const auto& [point, count] : counts) {
        CAPTURE(memory_bytes, point);
        CHECK(count <= kMostOfDims + kMostThrifty);
      }
    });
  }
}

}  // namespace rhino::test
