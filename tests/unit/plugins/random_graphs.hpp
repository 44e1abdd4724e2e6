// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "common/choice/cost_graph.hpp"

/// Graphs to choose labels of, and all choices.
namespace rhino::common::choice {

/// From 0 to 9.99.
inline std::vector<double> random_prices(std::mt19937_64& random, std::size_t count) {
  std::vector<double> prices(count);
  for (double& price : prices) price = static_cast<double>(random() % 1000) / 100;
  return prices;
}

/// A connected graph of `size` nodes with up to `most_labels` labels; one of so many pairs is
/// forbidden.
inline CostGraph random_graph(std::uint64_t seed, std::int32_t size, std::size_t most_labels,
                              std::uint64_t pairs_per_forbidden = 20) {
  std::mt19937_64 random(seed);
  const auto draw = [&](std::uint64_t bound) { return random() % bound; };
  const auto price = [&] { return static_cast<double>(draw(1000)) / 100; };
  CostGraph graph;
  for (std::int32_t node = 0; node < size; ++node) {
    graph.nodes.emplace_back();
    for (std::size_t i = 1 + draw(most_labels); i > 0; --i) {
      graph.nodes.back().cost.push_back(price());
      graph.nodes.back().bytes.push_back(static_cast<double>(draw(10)));
    }
  }
  const auto add_edge = [&](std::int32_t from, std::int32_t to) {
    std::vector<double> costs;
    for (std::size_t i = graph.num_labels(from) * graph.num_labels(to); i > 0; --i)
      costs.push_back(draw(pairs_per_forbidden) == 0 ? kForbidden : price());
    graph.edges.push_back({from, to, table(std::move(costs))});
  };
  for (std::int32_t node = 1; node < size; ++node) {
    add_edge(static_cast<std::int32_t>(draw(at(node))), node);
    const auto other = static_cast<std::int32_t>(draw(at(size)));
    if (draw(2) == 0 && other != node) add_edge(node, other);
  }
  return graph;
}

/// Every node beside every other one, so that no tree of them is narrow.
inline CostGraph knot(std::uint64_t seed, std::int32_t size, std::size_t num_labels) {
  std::mt19937_64 random(seed);
  const auto prices = [&](std::size_t count) { return random_prices(random, count); };
  CostGraph graph;
  for (std::int32_t node = 0; node < size; ++node) graph.nodes.push_back({prices(num_labels), {}});
  for (std::int32_t to = 0; to < size; ++to) {
    for (std::int32_t from = 0; from < to; ++from)
      graph.edges.push_back({from, to, table(prices(num_labels * num_labels))});
  }
  return graph;
}

/// Costs of all choices that keep to a number of bytes, the least first.
inline std::vector<double> all_costs(const CostGraph& graph, double most_bytes = 1e9) {
  std::vector<double> costs;
  Labels labels(graph.nodes.size());
  for (;;) {
    if (bytes(graph, labels) <= most_bytes) costs.push_back(cost(graph, labels));
    std::size_t node = 0;
    while (node < labels.size() && at(++labels[node]) == graph.nodes[node].cost.size())
      labels[node++] = 0;
    if (node == labels.size()) break;
  }
  std::ranges::sort(costs);
  return costs;
}

}  // namespace rhino::common::choice
