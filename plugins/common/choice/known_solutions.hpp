// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <set>
#include <utility>
#include <vector>

#include "common/choice/solver.hpp"

namespace rhino::common::choice {

/// What graphs have been solved with: searches come to the same one by several ways, as by what is
/// made anew and does not change how values are cut. Bytes do not count.
class KnownSolutions {
 public:
  Solution solve(const CostGraph& graph, const Effort& effort) {
    if (const Solution* known = find(graph, effort)) return *known;
    Solution found = choice::solve(graph, effort);
    add(graph, effort, found);
    return found;
  }

  /// Null: not solved yet.
  const Solution* find(const CostGraph& graph, const Effort& effort) const {
    const std::size_t hash = hash_of(graph);
    for (const Known& known : known_) {
      if (known.hash == hash && is_same(known.effort, effort) && is_same(known.graph, graph))
        return &known.found;
    }
    return nullptr;
  }

  void add(const CostGraph& graph, const Effort& effort, const Solution& found) {
    if (effort.is_over()) return;  // it may have ended early
    Known known{hash_of(graph), graph, effort, found};
    for (CostGraph::Node& node : known.graph.nodes) node.bytes.clear();
    known.num_costs = count(known.graph);
    num_costs_ += known.num_costs;
    known_.push_back(std::move(known));
    for (; num_costs_ > kMostCosts; known_.pop_front()) num_costs_ -= known_.front().num_costs;
  }

 private:
  struct Known {
    std::size_t hash;
    CostGraph graph;
    Effort effort;
    Solution found;
    std::size_t num_costs = 0;
  };

  static constexpr std::size_t kMostCosts = 1 << 24;  ///< of all graphs; 8 bytes each

  static std::size_t count(const CostGraph& graph) {
    std::size_t count = 0;
    for (const CostGraph::Node& node : graph.nodes) count += node.cost.size();
    std::set<const std::vector<double>*> tables;
    for (const CostGraph::Edge& edge : graph.edges) {
      if (tables.insert(edge.cost.get()).second) count += edge.cost->size();
    }
    return count;
  }

  static std::size_t hash_of(const CostGraph& graph) {
    std::uint64_t hash = graph.edges.size();
    for (const CostGraph::Node& node : graph.nodes) {
      for (const double cost : node.cost)
        hash = std::rotl(hash ^ std::bit_cast<std::uint64_t>(cost), 5) * 0x9e3779b97f4a7c15;
    }
    return hash;
  }

  /// In all but the deadline, which has not come.
  static bool is_same(const Effort& a, const Effort& b) {
    return a.most_work == b.most_work && a.num_sweeps == b.num_sweeps &&
           a.drops_dominated == b.drops_dominated && a.improvement_work == b.improvement_work &&
           a.most_cost == b.most_cost && a.repairs_dear == b.repairs_dear && a.near == b.near &&
           a.most_branched == b.most_branched;
  }

  static bool is_same(const CostGraph& a, const CostGraph& b) {
    return std::ranges::equal(a.nodes, b.nodes, {}, &CostGraph::Node::cost,
                              &CostGraph::Node::cost) &&
           std::ranges::equal(a.edges, b.edges, [](const auto& one, const auto& other) {
             return one.from == other.from && one.to == other.to &&
                    (one.cost == other.cost || *one.cost == *other.cost);
           });
  }

  std::deque<Known> known_;
  std::size_t num_costs_ = 0;
};

}  // namespace rhino::common::choice
