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
  /// Both are borrowed.
  Reducer(const CostGraph& graph, const std::vector<Labels>& kept) : graph_(graph), kept_(kept) {
    for (const Labels& labels : kept)
      list_of_.push_back(lists_.try_emplace(labels, lists_.size()).first->second);
  }

  std::vector<double> costs(std::int32_t node) const {
    std::vector<double> costs;
    for (const std::int32_t label : kept_[at(node)])
      costs.push_back(graph_.nodes[at(node)].cost[at(label)]);
    return costs;
  }

  Table table(const CostGraph::Edge& edge) {
    const Labels &from = kept_[at(edge.from)], &to = kept_[at(edge.to)];
    if (from.size() * to.size() == edge.cost->size()) return edge.cost;
    Table& known = tables_[{edge.cost.get(), list_of_[at(edge.from)], list_of_[at(edge.to)]}];
    if (known != nullptr) return known;
    std::vector<double> costs;
    for (const std::int32_t i : from) {
      for (const std::int32_t j : to) costs.push_back(graph_.cost(edge, i, j));
    }
    return known = choice::table(std::move(costs));
  }

 private:
  const CostGraph& graph_;
  const std::vector<Labels>& kept_;
  std::map<Labels, std::size_t> lists_;
  std::vector<std::size_t> list_of_;  ///< per node
  std::map<std::tuple<const std::vector<double>*, std::size_t, std::size_t>, Table> tables_;
};

inline Reduced reduced(const CostGraph& graph, std::vector<Labels> kept) {
  Reduced made{{}, std::move(kept)};
  Reducer reducer(graph, made.kept);
  for (std::int32_t node = 0; node < graph.size(); ++node)
    made.graph.nodes.push_back({reducer.costs(node), {}});
  for (const CostGraph::Edge& edge : graph.edges)
    made.graph.edges.push_back({edge.from, edge.to, reducer.table(edge)});
  return made;
}

/// The part of a graph in which there is something to choose: what other nodes, of one label each,
/// cost is part of what their neighbours do.
struct Open {
  CostGraph graph;
  std::vector<std::int32_t> nodes;  ///< of the whole graph
  Labels labels;                    ///< of all nodes, the first one that is kept

  Labels original(const std::vector<Labels>& kept, const Labels& chosen) const {
    Labels all = labels;
    for (std::size_t n = 0; n < nodes.size(); ++n)
      all[at(nodes[n])] = kept[at(nodes[n])][at(chosen[n])];
    return all;
  }
};

inline Open open_part(const CostGraph& graph, const std::vector<Labels>& kept) {
  Open made;
  Reducer reducer(graph, kept);
  std::vector<std::int32_t> place(graph.nodes.size(), -1);
  for (std::int32_t node = 0; node < graph.size(); ++node) {
    const Labels& labels = kept[at(node)];
    made.labels.push_back(labels.front());
    if (labels.size() == 1) continue;
    place[at(node)] = made.graph.size();
    made.nodes.push_back(node);
    made.graph.nodes.push_back({reducer.costs(node), {}});
  }
  for (const CostGraph::Edge& edge : graph.edges) {
    const std::int32_t from = place[at(edge.from)], to = place[at(edge.to)];
    if (from >= 0 && to >= 0) {
      made.graph.edges.push_back({from, to, reducer.table(edge)});
    } else if (from >= 0 || to >= 0) {
      std::vector<double>& cost = made.graph.nodes[at(std::max(from, to))].cost;
      for (std::size_t i = 0; i < cost.size(); ++i)
        cost[i] += from >= 0 ? graph.cost(edge, kept[at(edge.from)][i], made.labels[at(edge.to)])
                             : graph.cost(edge, made.labels[at(edge.from)], kept[at(edge.to)][i]);
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
  explicit Dominance(const CostGraph& graph) : graph_(graph), around_(graph.nodes.size()) {
    TurnedTables turned(graph);
    for (const CostGraph::Edge& edge : graph.edges) {
      add(edge.from, edge.to, edge.cost);
      add(edge.to, edge.from, turned.of(edge));
    }
    for (std::int32_t node = 0; node < graph.size(); ++node) {
      kept_.emplace_back();
      for (std::int32_t label = 0; at(label) < graph.num_labels(node); ++label)
        kept_.back().push_back(label);
      is_kept_.emplace_back(kept_.back().size(), true);
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
    Table rows;          ///< its labels are minor
    const Labels* best;  ///< per row the cheapest of all its labels, the first one
  };
  /// What a label costs beside the neighbour's label that it costs the least beside.
  struct BesideBest {
    double mine;
    const double* column;  ///< of all labels
    std::size_t stride;
  };

  void add(std::int32_t node, std::int32_t other, const Table& rows) {
    Labels& best = best_[rows.get()];  // of equal tables, and as many labels
    const std::size_t width = graph_.num_labels(other);
    if (best.empty()) {
      for (const double *row = rows->data(), *end = row + rows->size(); row != end; row += width)
        best.push_back(static_cast<std::int32_t>(std::min_element(row, row + width) - row));
    }
    around_[at(node)].push_back({other, rows, &best});
  }

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
      if (!is_dominated) continue;
      labels.erase(labels.begin() + static_cast<std::ptrdiff_t>(i));
      is_kept_[at(node)][at(label)] = false;
    }
    return labels.size() < before;
  }

  const double* row(const Neighbour& next, std::int32_t label) const {
    return next.rows->data() + at(label) * graph_.num_labels(next.node);
  }

  /// The labels of neighbours beside which `label` costs the least: few others are cheaper even
  /// there.
  void find_best_neighbours(std::int32_t node, std::int32_t label) {
    beside_best_.clear();
    for (const Neighbour& next : around_[at(node)]) {
      const double* const mine = row(next, label);
      std::int32_t best = (*next.best)[at(label)];
      if (!is_kept_[at(next.node)][at(best)])
        best = *std::ranges::min_element(kept_[at(next.node)], {},
                                         [&](std::int32_t i) { return mine[at(i)]; });
      beside_best_.push_back(
          {mine[at(best)], next.rows->data() + at(best), graph_.num_labels(next.node)});
    }
  }

  /// Whether `label`, whose best neighbours are known, is never cheaper than `other`.
  bool is_dearer(std::int32_t node, std::int32_t label, std::int32_t other) const {
    const std::vector<double>& own = graph_.nodes[at(node)].cost;
    double gain = own[at(label)] - own[at(other)];
    for (const BesideBest& one : beside_best_)
      gain += one.mine - one.column[at(other) * one.stride];
    const std::vector<Neighbour>& around = around_[at(node)];
    for (std::size_t n = 0; n < around.size() && gain >= 0; ++n) {
      const double *const mine = row(around[n], label), *const its = row(around[n], other);
      const double beside_best =
          beside_best_[n].mine - beside_best_[n].column[at(other) * beside_best_[n].stride];
      double least = beside_best;
      for (const std::int32_t i : kept_[at(around[n].node)])
        least = std::min(least, mine[at(i)] - its[at(i)]);
      gain -= beside_best - least;
    }
    return gain >= 0;
  }

  const CostGraph& graph_;
  std::map<const std::vector<double>*, Labels> best_;
  std::vector<std::vector<Neighbour>> around_;
  std::vector<Labels> kept_;
  std::vector<std::vector<bool>> is_kept_;
  std::vector<BesideBest> beside_best_;  ///< per neighbour of the node and label looked at
};

}  // namespace rhino::common::choice
