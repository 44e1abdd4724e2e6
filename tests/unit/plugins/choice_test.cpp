// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "common/choice/enumeration.hpp"
#include "common/choice/known_solutions.hpp"
#include "common/choice/limited.hpp"
#include "common/choice/solver.hpp"
#include "random_graphs.hpp"

namespace rhino::common::choice {
namespace {

/// `count` equal layers one behind the other, of one random layer each node of which is read by the
/// same one of the next.
CostGraph layers(std::uint64_t seed, std::int32_t count) {
  const CostGraph layer = random_graph(seed, 6, 4);
  CostGraph graph;
  for (std::int32_t k = 0; k < count; ++k) {
    const std::int32_t first = graph.size();
    graph.nodes.insert(graph.nodes.end(), layer.nodes.begin(), layer.nodes.end());
    for (CostGraph::Edge edge : layer.edges) {
      edge.from += first, edge.to += first;
      graph.edges.push_back(edge);
    }
    if (k == 0) continue;
    const std::size_t num_labels = layer.nodes.front().cost.size();
    std::vector<double> costs;
    for (std::size_t i = 0; i < num_labels * num_labels; ++i)
      costs.push_back(static_cast<double>((i * 7) % 5));
    graph.edges.push_back({first - layer.size(), first, table(std::move(costs))});
  }
  return graph;
}

constexpr std::int32_t kNumHubs = 6;

/// Hubs of two labels or three, and another node between any two of them; few unlike costs.
CostGraph hubs(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto flips = [&](std::size_t count) {
    std::vector<double> made(count);
    for (double& one : made) one = static_cast<double>(random() % 2);
    return made;
  };
  CostGraph graph;
  for (std::int32_t hub = 0; hub < kNumHubs; ++hub)
    graph.nodes.push_back({flips(2 + random() % 2), {}});
  for (std::int32_t to = 0; to < kNumHubs; ++to) {
    for (std::int32_t from = 0; from < to; ++from) {
      const std::int32_t between = graph.size();
      graph.nodes.push_back({flips(2), {}});
      graph.edges.push_back({from, between, table(flips(2 * graph.num_labels(from)))});
      graph.edges.push_back({between, to, table(flips(2 * graph.num_labels(to)))});
    }
  }
  return graph;
}

/// Of all labels of hubs, with the best ones between them.
double least_of_hubs(const CostGraph& graph) {
  double least = std::numeric_limits<double>::infinity();
  Labels labels(graph.nodes.size());
  for (std::int32_t hub = 0; hub < kNumHubs;) {
    for (std::int32_t between = kNumHubs; between < graph.size(); ++between) {
      const std::size_t edge = 2 * at(between - kNumHubs);
      const CostGraph::Edge &in = graph.edges[edge], &out = graph.edges[edge + 1];
      const auto with = [&](std::int32_t label) {
        return graph.nodes[at(between)].cost[at(label)] +
               graph.cost(in, labels[at(in.from)], label) +
               graph.cost(out, label, labels[at(out.to)]);
      };
      labels[at(between)] = with(1) < with(0) ? 1 : 0;
    }
    least = std::min(least, cost(graph, labels));
    for (hub = 0; hub < kNumHubs; labels[at(hub++)] = 0)
      if (at(++labels[at(hub)]) < graph.num_labels(hub)) break;
  }
  return least;
}

}  // namespace

// Tables of 2x3 and of 3x2 labels may have equal contents, and are not the same.
TEST_CASE("tables of equal contents and other shapes are told apart") {
  for (std::uint64_t seed = 0; seed < 1200; ++seed) {
    CAPTURE(seed);
    const CostGraph graph = hubs(seed);
    const double least = least_of_hubs(graph);
    CHECK(solve(graph, kExact).cost == least);
    const Solution rough = solve(graph, {.most_work = 1, .num_sweeps = 30, .improvement_work = 0});
    CHECK(rough.bound <= least + 1e-9);
    CHECK(rough.cost >= least);
    CHECK(cost(graph, rough.labels) == rough.cost);
  }
}

TEST_CASE("the solver finds the least cost of all choices, exactly or between bounds") {
  const auto seed = GENERATE(range<std::uint64_t>(0, 60));
  CAPTURE(seed);
  const CostGraph graph = random_graph(seed, 9, 4);
  const double least = all_costs(graph).front();
  const Solution exact = solve(graph, {});
  CHECK(exact.cost == Approx(least));
  CHECK(exact.bound == exact.cost);
  CHECK(cost(graph, exact.labels) == exact.cost);
  // With no work to spare: messages, groups of few nodes, labels that bounds rule out.
  const Solution rough = solve(graph, {.most_work = 1, .num_sweeps = 30, .improvement_work = 64});
  CHECK(rough.bound <= least * (1 + 1e-9));
  CHECK(rough.cost >= least * (1 - 1e-9));
  CHECK(cost(graph, rough.labels) == rough.cost);
}

TEST_CASE("where bounds rule out no more, parting labels proves the least cost") {
  constexpr Effort kLittle{.most_work = 1, .num_sweeps = 5, .improvement_work = 0};
  Effort parted = kLittle, parted_once = kLittle;
  parted.most_branched = 1000, parted_once.most_branched = 1;
  int num_open = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const CostGraph graph = knot(seed, 6, 5);
    const double least = all_costs(graph).front();
    const Solution rough = solve(graph, kLittle), once = solve(graph, parted_once),
                   exact = solve(graph, parted);
    num_open += rough.bound < rough.cost ? 1 : 0;
    CHECK(exact.cost == Approx(least));
    CHECK(exact.bound == exact.cost);
    CHECK(cost(graph, exact.labels) == exact.cost);
    CHECK(once.bound <= least * (1 + 1e-9));
    CHECK(once.bound >= rough.bound * (1 - 1e-9));
    CHECK(once.cost <= rough.cost);
  }
  CHECK(num_open > 20);
}

// Costs of what was eliminated are taken from those of the rest: what is forbidden may cost less.
TEST_CASE("a first look chooses nothing that is forbidden where there is another choice") {
  int num_possible = 0, num_forbidden = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const CostGraph graph = random_graph(seed, 12, 5, 3);
    const Solution exact = solve(graph, kExact);
    CHECK(exact.bound == exact.cost);
    Effort little = kQuick;
    little.most_work = 1, little.num_sweeps = 1;
    const Solution found = solve(graph, little);
    if (exact.cost >= kForbidden) continue;
    ++num_possible;
    CHECK_FALSE(found.is_forced());  // that none was found does not say that there is none
    if (found.cost >= kForbidden) ++num_forbidden;
  }
  CHECK(num_possible > 250);
  CHECK(num_forbidden == 0);
}

TEST_CASE("what must be chosen of what is forbidden is told") {
  int num_forced = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const CostGraph graph = random_graph(seed, 8, 4, 3);
    if (all_costs(graph).front() < kForbidden) continue;
    ++num_forced;
    CHECK(solve(graph, {}).is_forced());
  }
  CHECK(num_forced > 20);
}

TEST_CASE("work ends where a bound says that all choices cost too much, and the bound holds") {
  int num_ended = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const CostGraph graph = random_graph(seed, 9, 4);
    const double least = all_costs(graph).front();
    Effort little = kQuick;
    little.most_work = 1, little.most_cost = 0.5 * least, little.repairs_dear = false;
    const Solution found = solve(graph, little);
    CHECK(found.bound <= least * (1 + 1e-9));
    CHECK(cost(graph, found.labels) == found.cost);
    if (found.bound > little.most_cost) ++num_ended;
  }
  CHECK(num_ended > 50);
}

TEST_CASE("the cheapest choice that has room is found, or bounded") {
  const auto seed = GENERATE(range<std::uint64_t>(500, 540));
  CAPTURE(seed);
  const CostGraph graph = random_graph(seed, 9, 4);
  KnownSolutions solutions;
  Limited limited(graph, {}, solutions);
  for (const double most_bytes : {10.0, 20.0, 30.0, 1e9}) {
    CAPTURE(most_bytes);
    const std::vector<double> costs = all_costs(graph, most_bytes);
    const bool is_any = !costs.empty() && costs.front() < kForbidden;
    const Solution found = limited.run(most_bytes, 1000);
    REQUIRE(found.labels.empty() == !is_any);
    if (!is_any) continue;
    CHECK(found.cost == Approx(costs.front()));
    CHECK(found.bound == found.cost);
    CHECK(cost(graph, found.labels) == found.cost);
    CHECK(bytes(graph, found.labels) <= most_bytes);
    KnownSolutions none;
    const Solution hasty = Limited(graph, {}, none).run(most_bytes, 4);
    CHECK(hasty.bound <= costs.front() * (1 + 1e-9));
    CHECK(hasty.cost >= costs.front() * (1 - 1e-9));
    const double near = 0.02;
    KnownSolutions nothing;
    const Solution rough = Limited(graph, {}, nothing).run(most_bytes, 1000, near);
    CHECK(rough.bound <= costs.front() * (1 + 1e-9));
    CHECK(rough.cost <= rough.bound / (1 - near) * (1 + 1e-9));
    CHECK(bytes(graph, rough.labels) <= most_bytes);
  }
}

TEST_CASE("what is known of a graph is known of no other, and of no less effort") {
  KnownSolutions solutions;
  struct Over final : Deadline {
    bool is_over() const override { return true; }
  } const over;
  for (std::uint64_t seed = 900; seed < 920; ++seed) {
    CAPTURE(seed);
    CostGraph graph = random_graph(seed, 40, 6);
    const Effort rough{.most_work = 1, .improvement_work = 0},
        cut_short{.most_work = 1, .improvement_work = 0, .deadline = &over};
    const auto check = [&](const Effort& effort) {
      const Solution alone = solve(graph, effort), found = solutions.solve(graph, effort);
      CHECK(found.labels == alone.labels);
      CHECK(found.cost == alone.cost);
      CHECK(found.bound == alone.bound);
    };
    const auto check_all = [&] {
      check(cut_short);
      for (int i = 0; i < 2; ++i) check(rough), check({});
    };
    check_all();
    std::vector<double> costs = *graph.edges.back().cost;
    for (double& cost : costs) cost = cost < kForbidden ? kForbidden : 0;
    graph.edges.back().cost = table(std::move(costs));
    check_all();
    for (double& cost : graph.nodes.front().cost) cost += 1;
    check_all();
  }
}

TEST_CASE("a deadline is looked at between nodes, and wherever it comes there is a choice") {
  struct After final : Deadline {
    explicit After(int count) : num_left(count) {}
    bool is_over() const override { return num_left-- <= 0; }
    mutable int num_left;
  };
  constexpr int kMany = 1 << 20;
  for (std::uint64_t seed = 950; seed < 954; ++seed) {
    CAPTURE(seed);
    CostGraph graph = random_graph(seed, 40, 6);
    const bool is_narrow = seed % 2 == 0;
    if (is_narrow) graph.edges.resize(1);
    for (std::int32_t node = 2; is_narrow && node < graph.size(); ++node)
      graph.edges.push_back(
          {node - 1, node,
           table(std::vector<double>(graph.num_labels(node - 1) * graph.num_labels(node), 1.0))});
    const double least = solve(graph, {}).cost;
    for (Effort effort :
         {Effort{.drops_dominated = false}, Effort{.most_work = 1, .drops_dominated = false}}) {
      const After never(kMany);
      effort.deadline = &never;
      CHECK(solve(graph, effort).bound <= least * (1 + 1e-9));
      const int num_looks = kMany - never.num_left;
      CHECK(num_looks >= (is_narrow ? graph.size() : 1));
      for (int count = 0; count < num_looks; ++count) {
        CAPTURE(count);
        const After soon(count);
        effort.deadline = &soon;
        const Solution found = solve(graph, effort);
        REQUIRE(found.cost == cost(graph, found.labels));
        CHECK(found.cost >= least * (1 - 1e-9));
        CHECK(found.bound <= least * (1 + 1e-9));
      }
    }
  }
}

TEST_CASE("most of the gap is closed where no exact elimination is affordable") {
  double cost = 0, bound = 0, least = 0;
  for (std::uint64_t seed = 200; seed < 220; ++seed) {
    const CostGraph graph = random_graph(seed, 40, 6);
    least += solve(graph, {}).cost;
    const Solution rough = solve(graph, {.most_work = 1, .improvement_work = 1 << 10});
    cost += rough.cost;
    bound += rough.bound;
  }
  CHECK(cost < 1.01 * least);
  CHECK(bound > 0.95 * least);
}

TEST_CASE(
    "among labels near the bound a choice gets better, and where the bound is tight the best") {
  int num_tight = 0, num_best = 0;
  for (std::uint64_t seed = 700; seed < 740; ++seed) {
    CAPTURE(seed);
    const CostGraph graph = random_graph(seed, 40, 6);
    const double least = solve(graph, {}).cost;
    MessagePassing messages(graph);
    for (int i = 0; i < 50; ++i) messages.sweep();
    Solution found{Labels(graph.nodes.size()), 0, messages.bound()};
    const double before = found.cost = cost(graph, found.labels);
    detail::choose_near_bound(graph, messages.bounds_of_labels(), {}, found);
    CHECK(found.cost == cost(graph, found.labels));
    CHECK(found.cost <= before);
    CHECK(found.cost >= least * (1 - 1e-9));
    const bool is_tight = messages.bound() > least * (1 - 1e-6);
    num_tight += is_tight ? 1 : 0;
    num_best += found.cost < least * (1 + 1e-6) ? 1 : 0;
    if (is_tight) CHECK(found.cost == Approx(least));
  }
  CAPTURE(num_tight, num_best);
  CHECK(num_tight > 10);
  CHECK(num_best >= num_tight);
}

TEST_CASE("equal layers are solved once, as well as one by one") {
  const auto seed = GENERATE(range<std::uint64_t>(300, 306));
  CAPTURE(seed);
  const CostGraph few = layers(seed, 3), many = layers(seed, 400), more = layers(seed, 401);
  const Solution found = solve(many, {});
  CHECK(found.bound == found.cost);
  CHECK(cost(many, found.labels) == found.cost);
  CHECK(solve(few, {}).cost == Approx(solve(few, {.most_work = 1}).cost).epsilon(0.02));
  // In the long run each layer costs the same.
  const double one = solve(more, {}).cost - found.cost;
  CHECK(found.cost == Approx(400 * one).epsilon(0.05));
}

TEST_CASE("an enumeration has the cheapest choices in their order") {
  const auto seed = GENERATE(range<std::uint64_t>(400, 440));
  const auto most_bytes = GENERATE(1e9, 30.0);
  const auto most_table = GENERATE(1e9, 1.0);  // with exact bounds, and without
  CAPTURE(seed, most_bytes, most_table);
  const CostGraph graph = random_graph(seed, 8, 4);
  std::vector<double> costs = all_costs(graph, most_bytes);
  std::erase_if(costs, [](double cost) { return cost >= kForbidden; });
  std::vector<Labels> best;
  REQUIRE(Enumeration(graph, {.num_best = 20, .most_table = most_table, .most_bytes = most_bytes})
              .run(best));
  REQUIRE(best.size() == std::min<std::size_t>(20, costs.size()));
  for (std::size_t i = 0; i < best.size(); ++i) {
    CHECK(cost(graph, best[i]) == Approx(costs[i]));
    CHECK(bytes(graph, best[i]) <= most_bytes);
  }
}

TEST_CASE("an enumeration without room says so") {
  std::vector<Labels> best;
  CHECK_FALSE(Enumeration(random_graph(7, 30, 6), {.most_entries = 100}).run(best));
}

TEST_CASE("an enumeration ends with its work, however many choices there are, and says so") {
  const CostGraph many = knot(7, 40, 8);
  for (const double most_work : {1e3, 1e5}) {
    std::vector<Labels> best;
    CHECK_FALSE(Enumeration(many, {.num_best = 1, .most_entries = 1u << 30, .most_work = most_work})
                    .run(best));
  }
  // Of as few bytes as others, and no cheaper, only so many stay.
  CostGraph alike = knot(8, 12, 4);
  for (CostGraph::Node& node : alike.nodes) node.bytes.assign(node.cost.size(), 1);
  std::vector<Labels> best;
  CHECK(Enumeration(alike, {.num_best = 3, .most_bytes = 12}).run(best));
  REQUIRE(best.size() == 3);
  CHECK(cost(alike, best.front()) == Approx(solve(alike, {}).cost));
}

}  // namespace rhino::common::choice
