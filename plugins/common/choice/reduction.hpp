// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "common/choice/cost_graph.hpp"

/// Graphs with fewer labels.
namespace rhino::common::choice {

/// A graph without some labels, and which ones it has of each node.
struct Reduced {
  CostGraph graph;
  std::vector<Labels> kept;

  Labels original(const Labels& labels) const {
    Labels all;
    for (std::size_t n = 0; n < kept.size(); ++n) all.push_back(kept[n][at(labels[n])]);
    return all;
  }
};

inline Reduced reduced(const CostGraph& graph, std::vector<Labels> kept) {
  Reduced made{{}, std::move(kept)};
  for (std::int32_t node = 0; node < graph.size(); ++node) {
    CostGraph::Node& own = made.graph.nodes.emplace_back();
    for (const std::int32_t label : made.kept[at(node)])
      own.cost.push_back(graph.nodes[at(node)].cost[at(label)]);
  }
  for (const CostGraph::Edge& edge : graph.edges) {
    CostGraph::Edge& own = made.graph.edges.emplace_back(edge.from, edge.to);
    for (const std::int32_t from : made.kept[at(edge.from)]) {
      for (const std::int32_t to : made.kept[at(edge.to)])
        own.cost.push_back(graph.cost(edge, from, to));
    }
  }
  return made;
}

inline std::size_t num_labels(const std::vector<Labels>& kept) {
  std::size_t count = 0;
  for (const Labels& labels : kept) count += labels.size();
  return count;
}

/// Finds labels that another one of their node is never dearer than, whatever the neighbours have
/// (Goldstein's dead-end elimination). Some least choice does without them.
class Dominance {
 public:
  /// `graph` is borrowed.
  explicit Dominance(const CostGraph& graph) : graph_(graph), edges_of_(graph.nodes.size()) {
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      edges_of_[at(graph.edges[e].from)].push_back(e);
      edges_of_[at(graph.edges[e].to)].push_back(e);
    }
    for (std::int32_t node = 0; node < graph.size(); ++node) {
      kept_.emplace_back();
      for (std::int32_t label = 0; at(label) < graph.num_labels(node); ++label)
        kept_.back().push_back(label);
    }
  }

  /// Per node the labels that stay; at least one.
  std::vector<Labels> run() && {
    for (std::size_t before = 0; before != num_labels(kept_);) {
      before = num_labels(kept_);
      for (std::int32_t node = 0; node < graph_.size(); ++node) look_at(node);
    }
    return std::move(kept_);
  }

 private:
  void look_at(std::int32_t node) {
    Labels& labels = kept_[at(node)];
    for (std::size_t i = labels.size(); i-- > 0 && labels.size() > 1;) {
      const bool is_dominated = std::ranges::any_of(labels, [&](std::int32_t other) {
        return other != labels[i] && least_gain(node, labels[i], other) >= 0;
      });
      if (is_dominated) labels.erase(labels.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  /// By how much `other` is cheaper than `label` at least.
  double least_gain(std::int32_t node, std::int32_t label, std::int32_t other) const {
    const std::vector<double>& own = graph_.nodes[at(node)].cost;
    double gain = own[at(label)] - own[at(other)];
    for (const std::size_t e : edges_of_[at(node)]) {
      const CostGraph::Edge& edge = graph_.edges[e];
      const bool is_from = edge.from == node;
      double least = std::numeric_limits<double>::infinity();
      for (const std::int32_t next : kept_[at(is_from ? edge.to : edge.from)]) {
        least = std::min(least,
                         is_from ? graph_.cost(edge, label, next) - graph_.cost(edge, other, next)
                                 : graph_.cost(edge, next, label) - graph_.cost(edge, next, other));
      }
      gain += least;
    }
    return gain;
  }

  const CostGraph& graph_;
  std::vector<std::vector<std::size_t>> edges_of_;
  std::vector<Labels> kept_;
};

}  // namespace rhino::common::choice
