// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/choice/cost_graph.hpp"

/// Sequential tree-reweighted message passing (Kolmogorov 2006): costs are moved between nodes and
/// pairs, by which the sum of their least values, a lower bound of any choice, never falls.
namespace rhino::common::choice {

class MessagePassing {
 public:
  /// `graph` is borrowed.
  explicit MessagePassing(const CostGraph& graph) : graph_(graph), around_(graph.nodes.size()) {
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      const CostGraph::Edge& edge = graph.edges[e];
      around_[at(edge.from)].push_back({e, edge.to, true});
      around_[at(edge.to)].push_back({e, edge.from, false});
      to_from_.emplace_back(graph.num_labels(edge.from));
      to_to_.emplace_back(graph.num_labels(edge.to));
    }
  }

  /// Forward and backward once; a choice is made on the way forward.
  void sweep() {
    Labels labels(graph_.nodes.size(), -1);
    for (std::int32_t node = 0; node < graph_.size(); ++node) {
      labels[at(node)] = best_label(node, labels);
      std::vector<double> costs = gathered(node);
      pass(node, costs, true);
    }
    const double cost = choice::cost(graph_, labels);
    if (cost < cost_) cost_ = cost, labels_ = std::move(labels);
    double bound = 0;
    for (std::int32_t node = graph_.size(); node-- > 0;) {
      std::vector<double> costs = gathered(node);
      bound += take_least(costs);
      bound += pass(node, costs, false);
    }
    bound_ = std::max(bound_, bound);
    last_bound_ = bound;
  }

  double bound() const { return bound_; }
  double cost() const { return cost_; }
  const Labels& labels() const { return labels_; }

  /// Per node and label what a choice with it costs at least.
  std::vector<std::vector<double>> bounds_of_labels() const {
    std::vector<std::vector<double>> bounds;
    for (std::int32_t node = 0; node < graph_.size(); ++node) {
      std::vector<double> costs = gathered(node);
      take_least(costs);
      const double share = weight(node);
      std::vector<double> least(costs.size());
      double handed = 0;
      for (const Neighbour& next : around_[at(node)]) {
        if (next.node > node) continue;
        handed += share;
        const std::vector<double> pair = least_of_pair(next, costs, share);
        for (std::size_t i = 0; i < least.size(); ++i) least[i] += pair[i];
      }
      for (std::size_t i = 0; i < least.size(); ++i)
        least[i] += last_bound_ + (1 - handed) * costs[i];
      bounds.push_back(std::move(least));
    }
    return bounds;
  }

 private:
  struct Neighbour {
    std::size_t edge;
    std::int32_t node;
    bool is_to;  ///< it is where the edge goes to
  };

  /// What has been told to the end of an edge that is not, or is, where it goes to.
  const std::vector<double>& message(std::size_t edge, bool of_to) const {
    return of_to ? to_to_[edge] : to_from_[edge];
  }

  std::vector<double> gathered(std::int32_t node) const {
    std::vector<double> costs = graph_.nodes[at(node)].cost;
    for (const Neighbour& next : around_[at(node)]) {
      const std::vector<double>& told = message(next.edge, !next.is_to);
      for (std::size_t i = 0; i < costs.size(); ++i) costs[i] += told[i];
    }
    return costs;
  }

  static double take_least(std::vector<double>& costs) {
    const double least = *std::ranges::min_element(costs);
    for (double& cost : costs) cost -= least;
    return least;
  }

  double weight(std::int32_t node) const {
    const auto before = std::ranges::count_if(
        around_[at(node)], [&](const Neighbour& next) { return next.node < node; });
    const auto after = static_cast<std::ptrdiff_t>(around_[at(node)].size()) - before;
    return 1.0 / static_cast<double>(std::max<std::ptrdiff_t>({before, after, 1}));
  }

  /// Tells neighbours behind, or before, the node; returns what messages have become less by.
  double pass(std::int32_t node, const std::vector<double>& costs, bool forward) {
    const double share = weight(node);
    double taken = 0;
    for (const Neighbour& next : around_[at(node)]) {
      if ((next.node > node) != forward) continue;
      const std::vector<double>& heard = message(next.edge, !next.is_to);
      std::vector<double> mine(costs.size());
      for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = share * costs[i] - heard[i];
      std::vector<double>& told = next.is_to ? to_to_[next.edge] : to_from_[next.edge];
      told = least_sums(next, mine);
      taken += take_least(told);
    }
    return taken;
  }

  /// Per label of a neighbour the least sum with a label of this node.
  std::vector<double> least_sums(const Neighbour& next, const std::vector<double>& mine) const {
    const std::vector<double>& cost = *graph_.edges[next.edge].cost;
    const std::size_t count = graph_.num_labels(next.node);
    std::vector<double> least(count, std::numeric_limits<double>::infinity());
    if (next.is_to) {
      for (std::size_t i = 0; i < mine.size(); ++i) {
        for (std::size_t j = 0; j < count; ++j)
          least[j] = std::min(least[j], mine[i] + cost[i * count + j]);
      }
    } else {
      for (std::size_t j = 0; j < count; ++j) {
        for (std::size_t i = 0; i < mine.size(); ++i)
          least[j] = std::min(least[j], mine[i] + cost[j * mine.size() + i]);
      }
    }
    return least;
  }

  /// Per label of the later node of a pair what is left of the pair's cost at least.
  std::vector<double> least_of_pair(const Neighbour& before, const std::vector<double>& costs,
                                    double share) const {
    const std::vector<double>& cost = *graph_.edges[before.edge].cost;
    const std::vector<double>& heard = message(before.edge, !before.is_to);
    const std::vector<double>& told = message(before.edge, before.is_to);
    std::vector<double> least(costs.size(), std::numeric_limits<double>::infinity());
    double all = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < costs.size(); ++i) {
      for (std::size_t j = 0; j < told.size(); ++j) {
        const double pair = before.is_to ? cost[i * told.size() + j] : cost[j * costs.size() + i];
        least[i] = std::min(least[i], pair - told[j]);
      }
      least[i] += share * costs[i] - heard[i];
      all = std::min(all, least[i]);
    }
    for (double& value : least) value -= all;
    return least;
  }

  /// Given those of earlier nodes.
  std::int32_t best_label(std::int32_t node, const Labels& labels) const {
    std::vector<double> costs = graph_.nodes[at(node)].cost;
    for (const Neighbour& next : around_[at(node)]) {
      const std::vector<double>& told = message(next.edge, !next.is_to);
      const std::int32_t other = labels[at(next.node)];
      for (std::size_t i = 0; i < costs.size(); ++i) {
        const auto label = static_cast<std::int32_t>(i);
        const CostGraph::Edge& edge = graph_.edges[next.edge];
        if (other < 0) costs[i] += told[i];
        else
          costs[i] +=
              next.is_to ? graph_.cost(edge, label, other) : graph_.cost(edge, other, label);
      }
    }
    return static_cast<std::int32_t>(std::ranges::min_element(costs) - costs.begin());
  }

  const CostGraph& graph_;
  std::vector<std::vector<Neighbour>> around_;
  std::vector<std::vector<double>> to_from_, to_to_;  ///< per edge the messages to its ends
  Labels labels_;
  double cost_ = std::numeric_limits<double>::infinity();
  double bound_ = 0, last_bound_ = 0;
};

}  // namespace rhino::common::choice
