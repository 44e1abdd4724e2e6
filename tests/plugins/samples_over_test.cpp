// SPDX-License-Identifier: Apache-2.0
// Cuts of which one axis has samples alone.
#include "common/samples_over.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>

#include "common/other_cuts.hpp"
#include "toys.hpp"

namespace rhino::test {
namespace {

using common::Candidate;
using common::Configuration;
using common::Cutting;

bool is_over(const ShardingSpec& spec, AxisId axis) {
  return common::detail::over(spec, axis) != std::pair<std::ptrdiff_t, bool>{-1, false};
}

}  // namespace

TEST_CASE(
    "of an axis that has samples alone passes are cut as in data parallelism, the rest is free") {
  const Program step = gpt({.num_layers = 2});
  const Cluster cluster = slow_cluster(4, false);
  Toy toy(plugins(), step, cluster);
  const Configuration configuration{1, {2, 2}, 1};
  toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
    Cutting cutting(problem, strategies, {});
    const std::vector<Candidate> all = with_samples_alone(cutting, configuration);
    for (const AxisId axis : {0, 1}) {
      CAPTURE(axis);
      std::vector<Candidate> made;
      std::ranges::copy_if(all, std::back_inserter(made), [&](const Candidate& one) {
        return one.strategy.name.ends_with(axis == 0 ? ", samples over a" : ", samples over b");
      });
      REQUIRE(!made.empty());
      for (const Candidate& one : made) {
        CAPTURE(one.strategy.name);
        CHECK(one.step_s() == strategies.estimate(one.strategy).step_s);
        CHECK(one.table_s >= cutting.cheapest(configuration, Cutting::whole).table_bound_s);
        for (ValueId id = 0; id < step.size(); ++id) {
          const Op& op = step.op(id);
          if (op.phase != Phase::forward || op.kind != OpKind::dot) continue;
          CAPTURE(op.name);
          const ShardingSpec& result = one.strategy.specs[at(id)];
          const bool is_of_samples = op.shape.dims.front() == 8;
          CHECK(common::detail::over(result, axis) ==
                std::pair<std::ptrdiff_t, bool>{is_of_samples ? 0 : -1, false});
        }
        CHECK(toy.error_of(one.strategy) < 1e-5);
      }
      const auto is_whole = [&](const Candidate& one) {
        return std::ranges::none_of(step.inputs, [&](const Input& input) {
          return input.kind != InputKind::batch &&
                 is_over(one.strategy.specs[at(input.value)], axis);
        });
      };
      CHECK(std::ranges::any_of(made, is_whole));
    }
  });
}

TEST_CASE("what lies over an axis is the dim that it cuts, and whether devices hold terms") {
  using How = std::pair<std::ptrdiff_t, bool>;
  ShardingSpec spec{.dims = std::vector<DimSharding>(3)};
  spec.dims[2].splits = {{.axis = 1}};
  CHECK(common::detail::over(spec, 0) == How{-1, false});
  CHECK(common::detail::over(spec, 1) == How{2, false});
  spec.partial = {{.axis = 0}};
  CHECK(common::detail::over(spec, 0) == How{-1, true});
}

TEST_CASE("like data parallelism passes alone leave gradients, states and updates free") {
  using common::detail::Like;
  const Program step = gpt({.num_layers = 1});
  const Cluster cluster = slow_cluster(4, false);
  Toy toy(plugins(), step, cluster);
  toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
    Cutting cutting(problem, strategies, {});
    const common::CutChoice cuts = cutting.choice({1, {2, 2}, 1}, Cutting::whole);
    StrategyDraft draft = cuts.draft();
    draft.batch_axis = 0;
    const Strategy like = cutting.strategies().complete(draft);
    const common::StrategyGraph& graph = cuts.strategy_graph();
    const auto kept = [&](Like how_far) {
      return common::detail::labels_like(step, graph, like.specs, 0, how_far);
    };
    const auto passes = kept(Like::passes), all = kept(Like::all);
    int num_gradients = 0, num_states = 0;
    for (ValueId id = 0; id < step.size(); ++id) {
      const std::int32_t node = graph.node_of()[at(id)];
      if (node < 0) continue;
      const Op& op = step.op(id);
      const std::size_t num_labels = graph.graph().nodes[at(node)].cost.size();
      const bool is_gradient = graph.space().keeps[at(id)] == Keeping::gradient;
      if (!is_gradient && op.phase != Phase::update && !op.operands.empty()) continue;
      CAPTURE(op.name, id, num_labels);
      CHECK(passes[at(node)].size() == num_labels);
      if (all[at(node)].size() == num_labels) continue;
      (is_gradient ? num_gradients : num_states) += 1;
    }
    CHECK(num_gradients > 0);
    CHECK(num_states > 0);
  });
}

TEST_CASE("where states lie as parameters do no cut is made twice") {
  const Program step = gpt({.num_layers = 1});
  const Cluster cluster = slow_cluster(4, false);
  Toy toy(plugins(), step, cluster);
  toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
    Cutting cutting(problem, strategies, {.zero = false});
    const std::vector<Candidate> made = with_samples_alone(cutting, {1, {2, 2}, 1});
    REQUIRE(!made.empty());
    for (std::size_t i = 0; i < made.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j)
        CHECK_FALSE(made[i].strategy.specs == made[j].strategy.specs);
    }
  });
}

TEST_CASE("where samples do not divide none is made") {
  const Program step = gpt({.num_layers = 1, .batch = 1});
  const Cluster cluster = slow_cluster(4, false);
  Toy toy(plugins(), step, cluster);
  toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
    Cutting cutting(problem, strategies, {});
    CHECK(with_samples_alone(cutting, {1, {2, 2}, 1}).empty());
  });
}

TEST_CASE(
    "other cuts of a configuration are all different, and of two axes have samples alone over "
    "one") {
  const Program step = gpt({.num_layers = 2});
  const Cluster cluster = slow_cluster(4, false);
  Toy toy(plugins(), step, cluster);
  toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
    Cutting cutting(problem, strategies, {});
    for (const Configuration& configuration : {Configuration{1, {2, 2}, 1}, {1, {4}, 1}}) {
      CAPTURE(configuration.name());
      const Candidate first = cutting.cheapest(configuration, Cutting::segments);
      std::vector<Candidate> others = other_cuts(cutting, first, 1e9);
      const bool is_any_alone = std::ranges::any_of(others, [](const Candidate& one) {
        return one.strategy.name.find(", samples over ") != std::string::npos;
      });
      CHECK(is_any_alone == (configuration.axes.size() == 2));
      CHECK(std::ranges::any_of(others, [](const Candidate& one) {
        return one.strategy.name.find(", samples over ") == std::string::npos;
      }));
      for (std::size_t i = 0; i < others.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j)  // axes that are alike have one between them
          CHECK_FALSE(
              (others[i].table_s == others[j].table_s && others[i].step_s() == others[j].step_s()));
      }
      for (const Candidate& one : other_cuts(cutting, first, 1e9, false))
        CHECK(one.strategy.name.find(", samples over ") == std::string::npos);
      others.push_back(first);
      for (std::size_t i = 0; i < others.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
          CHECK_FALSE(common::is_same(others[i].strategy, others[j].strategy));
      }
    }
  });
}

}  // namespace rhino::test
