// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "common/choice/cost_graph.hpp"
#include "common/choice/solution.hpp"

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

/// Equal tables that lose the same labels stay equal.
class Reducer {
 public:
  explicit Reducer(const CostGraph& graph) : graph_(graph) {}

  Reduced run(std::vector<Labels> kept) && {
    Reduced made{{}, std::move(kept)};
    for (std::int32_t node = 0; node < graph_.size(); ++node) {
      const Labels& labels = made.kept[at(node)];
      CostGraph::Node& own = made.graph.nodes.emplace_back();
      for (const std::int32_t label : labels)
        own.cost.push_back(graph_.nodes[at(node)].cost[at(label)]);
      list_of_.push_back(lists_.try_emplace(labels, lists_.size()).first->second);
    }
    for (const CostGraph::Edge& edge : graph_.edges)
      made.graph.edges.push_back({edge.from, edge.to, table(edge, made.kept)});
    return made;
  }

 private:
  Table table(const CostGraph::Edge& edge, const std::vector<Labels>& kept) {
    const Labels &from = kept[at(edge.from)], &to = kept[at(edge.to)];
    if (from.size() * to.size() == edge.cost->size()) return edge.cost;
    Table& known = tables_[{edge.cost.get(), list_of_[at(edge.from)], list_of_[at(edge.to)]}];
    if (known != nullptr) return known;
    std::vector<double> costs;
    for (const std::int32_t i : from) {
      for (const std::int32_t j : to) costs.push_back(graph_.cost(edge, i, j));
    }
    return known = choice::table(std::move(costs));
  }

  const CostGraph& graph_;
  std::map<Labels, std::size_t> lists_;
  std::vector<std::size_t> list_of_;  ///< per node
  std::map<std::tuple<const std::vector<double>*, std::size_t, std::size_t>, Table> tables_;
};

inline Reduced reduced(const CostGraph& graph, std::vector<Labels> kept) {
  return Reducer(graph).run(std::move(kept));
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
  explicit Dominance(const CostGraph& graph) : graph_(graph), around_(graph.nodes.size()) {
    TurnedTables turned(graph);
    for (const CostGraph::Edge& edge : graph.edges) {
      around_[at(edge.from)].push_back({edge.to, edge.cost});
      around_[at(edge.to)].push_back({edge.from, turned.of(edge)});
    }
    for (std::int32_t node = 0; node < graph.size(); ++node) {
      kept_.emplace_back();
      for (std::int32_t label = 0; at(label) < graph.num_labels(node); ++label)
        kept_.back().push_back(label);
    }
  }

  /// Per node the labels that stay; at least one. Fewer go where the deadline of `effort` comes.
  std::vector<Labels> run(const Effort& effort) && {
    std::vector<bool> is_due(graph_.nodes.size(), true);
    while (std::ranges::count(is_due, true) > 0) {
      for (std::int32_t node = 0; node < graph_.size(); ++node) {
        if (!is_due[at(node)]) continue;
        if (effort.is_over()) return std::move(kept_);
        is_due[at(node)] = false;
        if (!look_at(node)) continue;
        is_due[at(node)] = true;
        for (const Neighbour& next : around_[at(node)]) is_due[at(next.node)] = true;
      }
    }
    return std::move(kept_);
  }

 private:
  struct Neighbour {
    std::int32_t node;
    Table rows;  ///< its labels are minor
  };

  /// Whether it loses labels.
  bool look_at(std::int32_t node) {
    Labels& labels = kept_[at(node)];
    const std::size_t before = labels.size();
    for (std::size_t i = labels.size(); i-- > 0 && labels.size() > 1;) {
      const std::int32_t label = labels[i];
      find_best_neighbours(node, label);
      const bool is_dominated = std::ranges::any_of(labels, [&](std::int32_t other) {
        return other != label && is_dearer(node, label, other);
      });
      if (is_dominated) labels.erase(labels.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return labels.size() < before;
  }

  const double* row(const Neighbour& next, std::int32_t label) const {
    return next.rows->data() + at(label) * graph_.num_labels(next.node);
  }

  /// The labels of neighbours beside which `label` costs the least: few others are cheaper even
  /// there.
  void find_best_neighbours(std::int32_t node, std::int32_t label) {
    best_.clear();
    for (const Neighbour& next : around_[at(node)]) {
      const double* const mine = row(next, label);
      best_.push_back(*std::ranges::min_element(kept_[at(next.node)], {},
                                                [&](std::int32_t i) { return mine[at(i)]; }));
    }
  }

  /// Whether `label`, whose best neighbours are known, is never cheaper than `other`.
  bool is_dearer(std::int32_t node, std::int32_t label, std::int32_t other) const {
    const std::vector<double>& own = graph_.nodes[at(node)].cost;
    const std::vector<Neighbour>& around = around_[at(node)];
    double gain = own[at(label)] - own[at(other)];
    for (std::size_t n = 0; n < around.size(); ++n)
      gain += row(around[n], label)[at(best_[n])] - row(around[n], other)[at(best_[n])];
    for (std::size_t n = 0; n < around.size() && gain >= 0; ++n) {
      const double *const mine = row(around[n], label), *const its = row(around[n], other);
      const double beside_best = mine[at(best_[n])] - its[at(best_[n])];
      double least = beside_best;
      for (const std::int32_t i : kept_[at(around[n].node)])
        least = std::min(least, mine[at(i)] - its[at(i)]);
      gain -= beside_best - least;
    }
    return gain >= 0;
  }

  const CostGraph& graph_;
  std::vector<std::vector<Neighbour>> around_;
  std::vector<Labels> kept_;
  Labels best_;  ///< per neighbour of the node that is looked at
};

}  // namespace rhino::common::choice
