// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "rhino/index.hpp"

/// Choosing a label for each of many nodes, where what nodes and pairs of nodes cost adds up.
namespace rhino::common::choice {

/// Costs no choice that is wanted. Finite, so that differences are.
inline constexpr double kForbidden = 1e6;

/// Of a part of a graph, from whose costs what the rest takes at least may have been taken.
inline bool is_forbidden(double cost) { return cost >= kForbidden / 2; }

/// [label of one end * number of labels of the other + label of that]. Edges of equal ops share
/// one.
using Table = std::shared_ptr<const std::vector<double>>;

inline Table table(std::vector<double> costs) {
  return std::make_shared<const std::vector<double>>(std::move(costs));
}

/// Costs are at least 0. Bytes count where memory is limited; no pair has any.
struct CostGraph {
  struct Node {
    std::vector<double> cost;   ///< per label
    std::vector<double> bytes;  ///< per label; empty: none
  };
  struct Edge {
    std::int32_t from = 0, to = 0;  ///< nodes; different ones
    Table cost;                     ///< labels of `from` are major
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;  ///< any number between two nodes

  std::int32_t size() const { return static_cast<std::int32_t>(nodes.size()); }
  std::size_t num_labels(std::int32_t node) const { return nodes[at(node)].cost.size(); }
  double cost(const Edge& edge, std::int32_t from, std::int32_t to) const {
    return (*edge.cost)[at(from) * num_labels(edge.to) + at(to)];
  }
};

/// Tables of edges with the labels of `to` major; each is made once.
class TurnedTables {
 public:
  /// `graph` is borrowed.
  explicit TurnedTables(const CostGraph& graph) : graph_(graph) {}

  const Table& of(const CostGraph::Edge& edge) {
    Table& known = known_[edge.cost.get()];
    if (known != nullptr) return known;
    const std::size_t from = graph_.num_labels(edge.from), to = graph_.num_labels(edge.to);
    std::vector<double> turned(from * to);
    for (std::size_t i = 0; i < from; ++i) {
      for (std::size_t j = 0; j < to; ++j) turned[j * from + i] = (*edge.cost)[i * to + j];
    }
    return known = table(std::move(turned));
  }

 private:
  const CostGraph& graph_;
  std::map<const std::vector<double>*, Table> known_;
};

/// A label of every node.
using Labels = std::vector<std::int32_t>;

inline double cost(const CostGraph& graph, const Labels& labels) {
  double sum = 0;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) sum += graph.nodes[n].cost[at(labels[n])];
  for (const CostGraph::Edge& edge : graph.edges)
    sum += graph.cost(edge, labels[at(edge.from)], labels[at(edge.to)]);
  return sum;
}

inline double bytes(const CostGraph& graph, const Labels& labels) {
  double sum = 0;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    if (!graph.nodes[n].bytes.empty()) sum += graph.nodes[n].bytes[at(labels[n])];
  }
  return sum;
}

/// The graph in which a byte costs so much, and bytes are no more counted.
inline CostGraph with_price_of_bytes(CostGraph graph, double cost_of_byte) {
  for (CostGraph::Node& node : graph.nodes) {
    for (std::size_t i = 0; i < node.bytes.size(); ++i)
      node.cost[i] += cost_of_byte * node.bytes[i];
    node.bytes.clear();
  }
  return graph;
}

}  // namespace rhino::common::choice
