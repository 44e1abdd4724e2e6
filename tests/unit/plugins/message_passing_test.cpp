// SPDX-License-Identifier: Apache-2.0
#include "common/choice/message_passing.hpp"

#include <catch2/catch.hpp>
#include <numeric>

#include "common/choice/reduction.hpp"
#include "common/choice/shifted_costs.hpp"
#include "common/choice/solver.hpp"
#include "random_graphs.hpp"

namespace rhino::common::choice {
namespace {

/// Nodes one behind the other, in the order of `places`.
CostGraph chain(std::uint64_t seed, const std::vector<std::int32_t>& places) {
  std::mt19937_64 random(seed);
  const auto prices = [&](std::size_t count) { return random_prices(random, count); };
  CostGraph graph;
  for (std::size_t i = 0; i < places.size(); ++i) graph.nodes.push_back({prices(4), {}});
  for (std::size_t i = 1; i < places.size(); ++i)
    graph.edges.push_back({places[i - 1], places[i], table(prices(16))});
  return graph;
}

/// Per node those that no choice as cheap as the best needs, but for its own.
std::vector<Labels> needed(const MessagePassing& messages,
                           const std::vector<std::vector<double>>& bounds) {
  return detail::labels_below(messages.cost(), bounds, messages.labels());
}

}  // namespace

TEST_CASE("bounds of labels hold: no choice with one costs less") {
  const auto seed = GENERATE(range<std::uint64_t>(100, 130));
  CAPTURE(seed);
  const CostGraph graph = random_graph(seed, 7, 4);
  MessagePassing messages(graph);
  ShiftedCosts shifted(graph);
  for (int i = 0; i < 20; ++i) messages.sweep(), shifted.sweep();
  for (const double bound : {messages.bound(), shifted.bound()})
    CHECK(bound <= all_costs(graph).front() * (1 + 1e-9));
  const auto bounds = messages.bounds_of_labels(), least = shifted.least_with();
  for (std::int32_t node = 0; node < graph.size(); ++node) {
    for (std::size_t label = 0; label < graph.num_labels(node); ++label) {
      CostGraph fixed = graph;
      for (std::size_t i = 0; i < graph.num_labels(node); ++i) {
        if (i != label) fixed.nodes[at(node)].cost[i] += 1e9;
      }
      const double own = all_costs(fixed).front();
      CHECK(bounds[at(node)][label] <= own * (1 + 1e-9) + 1e-9);
      CHECK(least[at(node)][label] <= own * (1 + 1e-9) + 1e-9);
    }
  }
}

TEST_CASE("one sweep along a chain settles it, in the order of its nodes alone") {
  const auto seed = GENERATE(range<std::uint64_t>(0, 10));
  CAPTURE(seed);
  std::vector<std::int32_t> places(60);
  std::iota(places.begin(), places.end(), 0);
  const CostGraph along = chain(seed, places);
  MessagePassing messages(along);
  messages.sweep();
  CHECK(messages.bound() == Approx(solve(along, {}).cost));
  CHECK(messages.cost() == Approx(messages.bound()));
  CHECK(cost(along, messages.labels()) == messages.cost());

  std::mt19937_64 random(seed);
  std::ranges::shuffle(places, random);
  const CostGraph about = chain(seed, places);
  MessagePassing others(about);
  others.sweep();
  CHECK(others.bound() < solve(about, {}).cost * (1 - 1e-6));
}

TEST_CASE("choices of both ways are told, the better one as that of the messages") {
  int num_back = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const CostGraph graph = random_graph(seed, 40, 6);
    MessagePassing messages(graph);
    for (int i = 0; i < 3; ++i) messages.sweep();
    CHECK(cost(graph, messages.labels()) == messages.cost());
    CHECK(cost(graph, messages.other_labels()) >= messages.cost());
    Solution found{messages.labels(), messages.cost(), messages.bound()};
    detail::combine(graph, messages, {}, found);
    CHECK(found.cost == cost(graph, found.labels));
    if (found.cost < messages.cost()) ++num_back;
    CHECK(found.cost <= messages.cost());
    for (std::size_t node = 0; node < found.labels.size(); ++node) {
      CHECK((found.labels[node] == messages.labels()[node] ||
             found.labels[node] == messages.other_labels()[node]));
    }
  }
  CHECK(num_back > 5);
}

TEST_CASE("messages go on where labels are dropped, with no lower a bound") {
  int num_dropped = 0, num_loose = 0, num_ahead = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const CostGraph graph = random_graph(seed, 40, 6);
    const double least = solve(graph, {}).cost;
    if (least >= kForbidden) continue;
    MessagePassing messages(graph);
    for (int i = 0; i < 10; ++i) messages.sweep();
    const Reduced less = reduced(graph, needed(messages, messages.bounds_of_labels()));
    if (num_labels(less.kept) == num_labels(detail::whole(graph).kept)) continue;
    ++num_dropped;
    CHECK(solve(less.graph, {}).cost == Approx(least));
    MessagePassing later(less.graph, messages, less.kept), anew(less.graph);
    later.sweep(), anew.sweep();
    CHECK(later.bound() >= messages.bound() * (1 - 1e-9));
    CHECK(later.bound() <= least * (1 + 1e-9));
    num_loose += anew.bound() < least * (1 - 1e-6) ? 1 : 0;
    num_ahead += later.bound() > anew.bound() * (1 + 1e-6) ? 1 : 0;
  }
  CAPTURE(num_dropped, num_loose, num_ahead);
  CHECK(num_dropped > 20);
  CHECK(num_loose > 10);
  CHECK(4 * num_ahead > 3 * num_loose);
}

TEST_CASE("work that need not prove a choice ends near its bound") {
  int num_early = 0;
  for (std::uint64_t seed = 200; seed < 220; ++seed) {
    CAPTURE(seed);
    const CostGraph graph = random_graph(seed, 40, 6);
    const Effort proof{.most_work = 1, .improvement_work = 1 << 10};
    Effort some = proof;
    some.near = 0.03;
    const Solution proved = solve(graph, proof), found = solve(graph, some);
    CHECK(found.bound <= proved.cost * (1 + 1e-9));
    CHECK(found.cost <= std::max(1.04 * found.bound, 1.01 * proved.cost));
    num_early += found.bound < proved.bound * (1 - 1e-9) ? 1 : 0;
  }
  CHECK(num_early > 0);
}

}  // namespace rhino::common::choice
