// SPDX-License-Identifier: Apache-2.0
#include "common/choice/solver.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "random_graphs.hpp"

namespace rhino::common::choice {
namespace {

/// With little work, and no labels dropped beforehand.
constexpr Effort kLittle{
    .most_work = 1 << 14, .num_sweeps = 2, .drops_dominated = false, .improvement_work = 0};

/// What messages choose and bound in so many sweeps.
Solution chosen(MessagePassing& messages, std::int32_t num_sweeps) {
  for (std::int32_t i = 0; i < num_sweeps; ++i) messages.sweep();
  return {messages.labels(), messages.cost(), messages.bound()};
}

std::vector<Labels> all_labels(const CostGraph& graph) { return detail::whole(graph).kept; }

}  // namespace

TEST_CASE("near enough ends the sweeps, too: the bound is that of the first near one") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const CostGraph graph = knot(seed, 8, 5);
    Effort some = kLittle;
    some.most_work = 1, some.num_sweeps = 100, some.near = 0.5;
    MessagePassing messages(graph);
    do messages.sweep();
    while (!detail::is_near(messages.cost(), messages.bound(), some));
    const Solution found = solve(graph, some);
    CHECK(found.bound == messages.bound());
    CHECK(found.cost == messages.cost());
  }
}

TEST_CASE("what both ways choose is combined before labels are dropped") {
  int num_better = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const CostGraph graph = knot(seed, 10, 8);
    MessagePassing messages(graph);
    Solution combined = chosen(messages, kLittle.num_sweeps);
    detail::combine(graph, messages, kLittle, combined);
    num_better += combined.cost < messages.cost() ? 1 : 0;
    CHECK(solve(graph, kLittle).cost <= combined.cost);
  }
  CHECK(num_better > 5);
}

TEST_CASE("what may be improved is chosen anew among labels near the bound") {
  int num_better = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const CostGraph graph = knot(seed, 10, 8);
    Effort some = kLittle;
    some.num_sweeps = 9, some.improvement_work = 1;
    MessagePassing messages(graph);
    Solution near = chosen(messages, some.num_sweeps);
    detail::combine(graph, messages, some, near);
    const double before = near.cost;
    detail::choose_near_bound(graph, messages.bounds_of_labels(), some, near);
    num_better += near.cost < before ? 1 : 0;
    CHECK(solve(graph, some).cost <= near.cost);
  }
  CHECK(num_better > 5);
}

TEST_CASE("what is too dear is so with what was eliminated") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const CostGraph alone = knot(seed, 8, 5);
    Effort little = kLittle;
    little.most_work = 1, little.num_sweeps = 100;
    little.most_cost = 0.5 * solve(alone, {}).cost;
    const Solution found = solve(alone, little);
    REQUIRE(found.bound > little.most_cost);
    CostGraph more = alone;
    more.nodes.push_back({{1000}, {}});
    more.edges.push_back({0, 8, table(std::vector<double>(alone.num_labels(0), 0.0))});
    little.most_cost += 1000;
    const Solution also = solve(more, little);
    CHECK(also.bound == Approx(found.bound + 1000).epsilon(1e-12));
    CHECK(also.cost == Approx(found.cost + 1000).epsilon(1e-12));
  }
}

TEST_CASE("where dominated labels are dropped, too, messages of those that stay go on") {
  int num_dropped = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    CostGraph graph = knot(seed, 8, 5);
    for (CostGraph::Node& node : graph.nodes) node.cost.front() += 100;  // others dominate it
    MessagePassing messages(graph);
    const double bound = chosen(messages, 20).bound;
    std::vector<Labels> some = all_labels(graph);
    for (Labels& labels : some) labels.erase(labels.begin() + 1);
    const Reduced less = reduced(graph, some);
    Effort once = kLittle;
    once.most_work = 1, once.num_sweeps = 1, once.drops_dominated = true;
    num_dropped += num_labels(detail::without_dominated(less.graph, once).kept) < 32 ? 1 : 0;
    const Solution later = detail::solve_rest(less.graph, once, &messages, less.kept);
    CHECK(later.bound >= bound * (1 - 1e-9));
    CHECK(cost(less.graph, later.labels) == later.cost);
  }
  CHECK(num_dropped == 40);
}

TEST_CASE("of some labels the best choice is taken, and no other one") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const CostGraph graph = random_graph(seed, 8, 4, 3);
    std::vector<Labels> some = all_labels(graph);
    for (Labels& labels : some) {  // neither in order nor once
      if (labels.size() > 2) labels.erase(labels.begin());
      std::ranges::reverse(labels);
      labels.push_back(labels.front());
    }
    CostGraph fixed = graph;
    for (std::int32_t node = 0; node < graph.size(); ++node) {
      for (std::int32_t label = 0; at(label) < graph.num_labels(node); ++label) {
        if (!contains(some[at(node)], label)) fixed.nodes[at(node)].cost[at(label)] += kForbidden;
      }
    }
    const double least = all_costs(fixed).front();
    const Effort effort;
    Solution found{{}, std::numeric_limits<double>::infinity(), 0};
    CHECK(take_of(graph, some, effort, found) == (least < kForbidden));
    CHECK(cost(graph, found.labels) == found.cost);
    if (least < kForbidden) CHECK(found.cost == Approx(least));
    const Solution before{{7}, least / 2, 0};
    Solution kept = before;
    take_of(graph, some, effort, kept);
    CHECK(kept.labels == before.labels);
    CHECK(kept.cost == before.cost);
    some.front().clear();
    CHECK_FALSE(take_of(graph, some, effort, found));
  }
}

TEST_CASE("of some labels a choice is wanted however much it costs") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const CostGraph graph = knot(seed, 8, 5);
    Effort little = kLittle;
    little.most_work = 1, little.num_sweeps = 100;
    const Solution best = solve(graph, little);
    little.most_cost = 0;
    Solution found{{}, std::numeric_limits<double>::infinity(), 0};
    CHECK(take_of(graph, all_labels(graph), little, found));
    CHECK(found.cost == best.cost);
  }
}

}  // namespace rhino::common::choice
