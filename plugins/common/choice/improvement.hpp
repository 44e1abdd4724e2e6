// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "common/choice/elimination.hpp"

/// A choice made better by choosing anew, exactly, for nodes that lie together.
namespace rhino::common::choice {

class Improvement {
 public:
  /// `graph` is borrowed. Groups are such that one costs at most `most_work` sums.
  Improvement(const CostGraph& graph, double most_work)
      : graph_(graph), most_work_(most_work), edges_of_(graph.nodes.size()) {
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      edges_of_[at(graph.edges[e].from)].push_back(e);
      edges_of_[at(graph.edges[e].to)].push_back(e);
    }
  }

  /// Around every node, until nothing gets better or the deadline of `effort` comes.
  void run(Labels& labels, const Effort& effort) {
    for (bool is_better = true; is_better;) {
      const double before = cost(graph_, labels);
      std::vector<bool> is_met(graph_.nodes.size());
      for (std::int32_t node = 0; node < graph_.size(); ++node) {
        if (effort.is_over()) return;
        if (!is_met[at(node)]) improve(node, labels, is_met);
      }
      is_better = cost(graph_, labels) < before * (1 - 1e-9);
    }
  }

  /// Around nodes whose labels must not stand, or not beside those of their neighbours.
  void repair(Labels& labels) {
    std::vector<bool> is_met(graph_.nodes.size());
    for (std::int32_t node = 0; node < graph_.size(); ++node) {
      if (!is_met[at(node)] && is_forbidden(node, labels)) improve(node, labels, is_met);
    }
  }

 private:
  static constexpr std::size_t kMostNodes = 48;

  bool is_forbidden(std::int32_t node, const Labels& labels) const {
    const auto is_dear = [&](std::size_t e) {
      const CostGraph::Edge& edge = graph_.edges[e];
      return choice::is_forbidden(graph_.cost(edge, labels[at(edge.from)], labels[at(edge.to)]));
    };
    return choice::is_forbidden(graph_.nodes[at(node)].cost[at(labels[at(node)])]) ||
           std::ranges::any_of(edges_of_[at(node)], is_dear);
  }

  /// Half of what lies together has been in the middle of something then.
  void improve(std::int32_t node, Labels& labels, std::vector<bool>& is_met) {
    for (std::size_t count = kMostNodes; count > 0; count /= 2) {
      const std::vector<std::int32_t> group = near(node, count);
      const CostGraph part = conditioned(group, labels);
      const EliminationOrder order = elimination_order(part, part.nodes.size(), most_work_);
      if (order.work > most_work_) continue;
      const Labels found = Elimination(part, order).labels({}, {});
      Labels own;
      for (const std::int32_t member : group) own.push_back(labels[at(member)]);
      const bool is_better = cost(part, found) < cost(part, own);
      for (std::size_t i = 0; i < group.size(); ++i) {
        if (is_better) labels[at(group[i])] = found[i];
        if (i <= group.size() / 2) is_met[at(group[i])] = true;
      }
      return;
    }
  }

  /// The nodes nearest to one, itself first.
  std::vector<std::int32_t> near(std::int32_t node, std::size_t count) const {
    std::vector<std::int32_t> group{node};
    std::set<std::int32_t> known{node};
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (const std::size_t e : edges_of_[at(group[i])]) {
        const CostGraph::Edge& edge = graph_.edges[e];
        const std::int32_t other = edge.from == group[i] ? edge.to : edge.from;
        if (group.size() < count && known.insert(other).second) group.push_back(other);
      }
    }
    return group;
  }

  /// The graph of the group, all others being as they are.
  CostGraph conditioned(const std::vector<std::int32_t>& group, const Labels& labels) const {
    CostGraph part;
    std::map<std::int32_t, std::int32_t> index;
    for (const std::int32_t node : group) {
      index[node] = part.size();
      part.nodes.push_back({graph_.nodes[at(node)].cost, {}});
    }
    for (const std::int32_t node : group) {
      for (const std::size_t e : edges_of_[at(node)]) {
        const CostGraph::Edge& edge = graph_.edges[e];
        const auto from = index.find(edge.from), to = index.find(edge.to);
        if (from != index.end() && to != index.end()) {
          if (node == edge.from) part.edges.push_back({from->second, to->second, edge.cost});
          continue;
        }
        std::vector<double>& sum = part.nodes[at(index[node])].cost;
        for (std::size_t i = 0; i < sum.size(); ++i) {
          const auto label = static_cast<std::int32_t>(i);
          sum[i] += node == edge.from ? graph_.cost(edge, label, labels[at(edge.to)])
                                      : graph_.cost(edge, labels[at(edge.from)], label);
        }
      }
    }
    return part;
  }

  const CostGraph& graph_;
  double most_work_;
  std::vector<std::vector<std::size_t>> edges_of_;
};

}  // namespace rhino::common::choice
