// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "common/choice/cost_graph.hpp"
#include "common/choice/rows.hpp"

/// Sequential tree-reweighted message passing (Kolmogorov 2006): costs are moved between nodes and
/// pairs, by which the sum of their least values, a lower bound of any choice, never falls.
namespace rhino::common::choice {

class MessagePassing {
 public:
  /// `graph` is borrowed.
  explicit MessagePassing(const CostGraph& graph) : graph_(graph), around_(graph.nodes.size()) {
    TurnedTables turned(graph);
    std::size_t end = 0;
    for (const CostGraph::Edge& edge : graph.edges) {
      const std::size_t to_from = end, to_to = to_from + graph.num_labels(edge.from);
      end = to_to + graph.num_labels(edge.to);
      const Table& back = tables_.emplace_back(turned.of(edge));
      around_[at(edge.from)].push_back({edge.to, to_from, to_to, edge.cost->data(), back->data()});
      around_[at(edge.to)].push_back({edge.from, to_to, to_from, back->data(), edge.cost->data()});
    }
    messages_.resize(end);
    for (std::int32_t node = 0; node < graph.size(); ++node) shares_.push_back(share(node));
  }

  /// Goes on from messages of the same nodes and edges, of whose labels `kept` are left.
  MessagePassing(const CostGraph& graph, const MessagePassing& before,
                 const std::vector<Labels>& kept)
      : MessagePassing(graph) {
    std::size_t now = 0, then = 0;
    for (const CostGraph::Edge& edge : graph.edges) {
      for (const std::int32_t end : {edge.from, edge.to}) {
        for (const std::int32_t label : kept[at(end)])
          messages_[now++] = before.messages_[then + at(label)];
        then += before.graph_.num_labels(end);
      }
    }
  }

  /// Forward and backward once; choices are made on both ways.
  void sweep() {
    Labels labels(graph_.nodes.size(), -1);
    for (std::int32_t node = 0; node < graph_.size(); ++node) {
      labels[at(node)] = best_label(node, labels);
      gather(node);
      pass(node, true);
    }
    forward_.take(graph_, labels);
    std::ranges::fill(labels, -1);
    double bound = 0;
    for (std::int32_t node = graph_.size(); node-- > 0;) {
      labels[at(node)] = best_label(node, labels);
      gather(node);
      bound += subtract_least(gathered_);
      bound += pass(node, false);
    }
    backward_.take(graph_, labels);
    bound_ = std::max(bound_, bound);
    last_bound_ = bound;
  }

  double bound() const { return bound_; }
  double cost() const { return best().cost; }
  const Labels& labels() const { return best().labels; }
  /// The best that was chosen the other way.
  const Labels& other_labels() const {
    return (&best() == &forward_ ? backward_ : forward_).labels;
  }

  /// Per node and label what a choice with it costs at least.
  std::vector<std::vector<double>> bounds_of_labels() {
    std::vector<std::vector<double>> bounds;
    for (std::int32_t node = 0; node < graph_.size(); ++node) {
      gather(node);
      subtract_least(gathered_);
      const double share = shares_[at(node)];
      std::vector<double> least(gathered_.size());
      double handed = 0;
      for (const Neighbour& next : around_[at(node)]) {
        if (next.node > node) continue;
        handed += share;
        const std::vector<double> pair = least_of_pair(next, share);
        for (std::size_t i = 0; i < least.size(); ++i) least[i] += pair[i];
      }
      for (std::size_t i = 0; i < least.size(); ++i)
        least[i] += last_bound_ + (1 - handed) * gathered_[i];
      bounds.push_back(std::move(least));
    }
    return bounds;
  }

 private:
  struct Choice {
    void take(const CostGraph& graph, const Labels& other) {
      const double its = choice::cost(graph, other);
      if (its < cost) cost = its, labels = other;
    }
    Labels labels;
    double cost = std::numeric_limits<double>::infinity();
  };
  const Choice& best() const { return backward_.cost < forward_.cost ? backward_ : forward_; }

  /// The other end of an edge, where the messages to this end and to that one begin, and the edge's
  /// table with the labels of this, or that, end major.
  struct Neighbour {
    std::int32_t node;
    std::size_t heard, told;
    const double *own_rows, *other_rows;
  };

  void gather(std::int32_t node) {
    gathered_ = graph_.nodes[at(node)].cost;
    for (const Neighbour& next : around_[at(node)]) add(&messages_[next.heard], gathered_);
  }

  static void add(const double* more, std::vector<double>& sum) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
  }

  std::span<double> told(const Neighbour& next) {
    return {&messages_[next.told], graph_.num_labels(next.node)};
  }

  /// Of what a node has gathered, for each neighbour.
  double share(std::int32_t node) const {
    const auto before = std::ranges::count_if(
        around_[at(node)], [&](const Neighbour& next) { return next.node < node; });
    const auto after = static_cast<std::ptrdiff_t>(around_[at(node)].size()) - before;
    return 1.0 / static_cast<double>(std::max<std::ptrdiff_t>({before, after, 1}));
  }

  /// Tells neighbours behind, or before, the node what it has gathered; returns what messages have
  /// become less by.
  double pass(std::int32_t node, bool forward) {
    const double share = shares_[at(node)];
    double taken = 0;
    for (const Neighbour& next : around_[at(node)]) {
      if ((next.node > node) != forward) continue;
      const double* const heard = &messages_[next.heard];
      mine_.resize(gathered_.size());
      for (std::size_t i = 0; i < mine_.size(); ++i) mine_[i] = share * gathered_[i] - heard[i];
      const std::span<double> told = this->told(next);
      find_least_sums(mine_, next.own_rows, told);
      taken += subtract_least(told);
    }
    return taken;
  }

  /// Per label of the later node of a pair what is left of the pair's cost at least.
  std::vector<double> least_of_pair(const Neighbour& before, double share) {
    const double* const heard = &messages_[before.heard];
    const std::span<double> told = this->told(before);
    std::vector<double> costs(told.size()), least(gathered_.size());
    for (std::size_t j = 0; j < told.size(); ++j) costs[j] = -told[j];
    find_least_sums(costs, before.other_rows, least);
    for (std::size_t i = 0; i < least.size(); ++i) least[i] += share * gathered_[i] - heard[i];
    subtract_least(least);
    return least;
  }

  /// Given those that are chosen.
  std::int32_t best_label(std::int32_t node, const Labels& labels) {
    mine_ = graph_.nodes[at(node)].cost;
    for (const Neighbour& next : around_[at(node)]) {
      const std::int32_t other = labels[at(next.node)];
      add(other < 0 ? &messages_[next.heard] : next.other_rows + at(other) * mine_.size(), mine_);
    }
    return static_cast<std::int32_t>(std::ranges::min_element(mine_) - mine_.begin());
  }

  const CostGraph& graph_;
  std::vector<std::vector<Neighbour>> around_;
  std::vector<Table> tables_;  ///< that neighbours point into
  std::vector<double> shares_;
  std::vector<double> messages_;         ///< two per edge: to its `from`, to its `to`
  std::vector<double> gathered_, mine_;  ///< of the node that is looked at
  Choice forward_, backward_;
  double bound_ = 0, last_bound_ = 0;
};

}  // namespace rhino::common::choice
