// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "common/choice/cost_graph.hpp"

/// A bound of an enumeration, which shares nothing with the solver.
namespace rhino::common::choice {

/// Costs that are moved between nodes and pairs: what a choice costs stays, while the sum of the
/// least of each, which no choice is below, grows.
class ShiftedCosts {
 public:
  struct Pair {
    std::int32_t first = 0, second = 0;  ///< nodes, increasing
    std::vector<double> cost;            ///< labels of the first are major
  };

  explicit ShiftedCosts(const CostGraph& graph) : around_(graph.nodes.size()) {
    for (const CostGraph::Node& node : graph.nodes) nodes_.push_back(node.cost);
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> index;
    for (const CostGraph::Edge& edge : graph.edges) {
      const auto ends = std::minmax(edge.from, edge.to);
      const auto [found, is_new] = index.try_emplace(ends, pairs_.size());
      if (is_new) add_pair(ends.first, ends.second);
      add(edge, pairs_[found->second]);
    }
  }

  const std::vector<std::vector<double>>& nodes() const { return nodes_; }
  const std::vector<Pair>& pairs() const { return pairs_; }
  /// That every choice costs beside nodes and pairs.
  double constant() const { return constant_; }

  /// Through all nodes and back.
  void sweep() {
    for (std::int32_t node = 0; at(node) < nodes_.size(); ++node) move(node, true);
    for (auto node = static_cast<std::int32_t>(nodes_.size()); node-- > 0;) move(node, false);
  }

  double bound() const {
    double sum = constant_;
    for (const std::vector<double>& costs : nodes_) sum += std::ranges::min(costs);
    for (const Pair& pair : pairs_) sum += std::ranges::min(pair.cost);
    return sum;
  }

  /// Per node and label: no choice with it costs less.
  std::vector<std::vector<double>> least_with() const {
    const double bound = this->bound();
    std::vector<std::vector<double>> least = nodes_;
    for (std::int32_t node = 0; at(node) < nodes_.size(); ++node) {
      std::vector<double>& own = least[at(node)];
      double counted = std::ranges::min(own);
      for (const std::size_t p : around_[at(node)]) {
        const std::vector<double> more = spared(pairs_[p], node);
        for (std::size_t i = 0; i < own.size(); ++i) own[i] += more[i];
        counted += std::ranges::min(more);
      }
      for (double& cost : own) cost += bound - counted;
    }
    return least;
  }

 private:
  void add_pair(std::int32_t first, std::int32_t second) {
    around_[at(first)].push_back(pairs_.size());
    around_[at(second)].push_back(pairs_.size());
    pairs_.push_back(
        {first, second, std::vector<double>(nodes_[at(first)].size() * nodes_[at(second)].size())});
  }

  void add(const CostGraph::Edge& edge, Pair& pair) const {
    const std::size_t width = nodes_[at(pair.second)].size();
    const bool is_turned = edge.from > edge.to;
    for (std::size_t i = 0; i < pair.cost.size(); ++i) {
      const std::size_t a = i / width, b = i % width, turned = b * (pair.cost.size() / width) + a;
      pair.cost[i] += (*edge.cost)[is_turned ? turned : i];
    }
  }

  /// Per label of an end the least that the pair costs with it.
  std::vector<double> spared(const Pair& pair, std::int32_t end) const {
    const std::size_t width = nodes_[at(pair.second)].size();
    std::vector<double> least(nodes_[at(end)].size(), 2 * kForbidden);
    const double* row = pair.cost.data();
    for (std::size_t i = 0; i * width < pair.cost.size(); ++i, row += width) {
      if (end == pair.first) least[i] = *std::min_element(row, row + width);
      else
        for (std::size_t j = 0; j < width; ++j) least[j] = std::min(least[j], row[j]);
    }
    return least;
  }

  void add_to(Pair& pair, std::int32_t end, const std::vector<double>& costs, double times) const {
    const std::size_t width = nodes_[at(pair.second)].size();
    double* row = pair.cost.data();
    for (std::size_t i = 0; i * width < pair.cost.size(); ++i, row += width) {
      for (std::size_t j = 0; j < width; ++j) row[j] += times * costs[end == pair.first ? i : j];
    }
  }

  /// To the node all that its pairs can spare, and in equal parts on to those with nodes behind, or
  /// before, it.
  void move(std::int32_t node, bool forward) {
    std::vector<double>& own = nodes_[at(node)];
    std::ptrdiff_t num_onward = 0;
    for (const std::size_t p : around_[at(node)]) {
      const std::vector<double> more = spared(pairs_[p], node);
      add_to(pairs_[p], node, more, -1);
      for (std::size_t i = 0; i < own.size(); ++i) own[i] += more[i];
      num_onward += leads(pairs_[p], node, forward) ? 1 : 0;
    }
    const double least = std::ranges::min(own);
    for (double& cost : own) cost -= least;
    constant_ += least;
    const std::ptrdiff_t num_back = std::ssize(around_[at(node)]) - num_onward;
    const double share =
        1.0 / static_cast<double>(std::max<std::ptrdiff_t>({num_onward, num_back, 1}));
    for (const std::size_t p : around_[at(node)]) {
      if (leads(pairs_[p], node, forward)) add_to(pairs_[p], node, own, share);
    }
    for (double& cost : own) cost *= 1 - share * static_cast<double>(num_onward);
  }

  static bool leads(const Pair& pair, std::int32_t node, bool forward) {
    return (pair.first == node) == forward;
  }

  std::vector<std::vector<double>> nodes_;  ///< per label
  std::vector<Pair> pairs_;
  std::vector<std::vector<std::size_t>> around_;  ///< per node in pairs_
  double constant_ = 0;
};

}  // namespace rhino::common::choice
