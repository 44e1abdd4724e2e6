// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "common/choice/cost_graph.hpp"

/// The cheapest choices of a graph, all of them looked at. It shares nothing with the solver, which
/// is measured by it.
namespace rhino::common::choice {

/// Goes through the nodes one by one. Of choices so far that agree on all nodes which later ones
/// touch, those stay that may be among the cheapest: of as few bytes, so many cost less.
class Enumeration {
 public:
  struct Limits {
    std::size_t num_best = 50;
    std::size_t most_entries = 4000000;  ///< choices so far that are kept, all nodes together
    double most_bytes = std::numeric_limits<double>::infinity();
  };

  /// `graph` is borrowed.
  Enumeration(const CostGraph& graph, const Limits& limits)
      : graph_(graph), limits_(limits), edges_of_(graph.nodes.size()) {
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      edges_of_[at(graph.edges[e].from)].push_back(e);
      edges_of_[at(graph.edges[e].to)].push_back(e);
    }
    find_order();
  }

  /// The cheapest first. False: there is no room to look at them all, and `best` are some.
  bool run(std::vector<Labels>& best) {
    pass(true, best);
    if (best.size() == limits_.num_best) most_cost_ = cost(graph_, best.back()) * (1 + 1e-9);
    return pass(false, best);
  }

 private:
  struct Step {
    std::int32_t before = -1, label = 0;
  };
  struct Entry {
    double cost = 0, bytes = 0;
    Step step;
    std::int32_t own = -1;  ///< in steps_
  };
  using States = std::map<Labels, std::vector<Entry>>;

  /// Next always the node after which the fewest combinations are open.
  void find_order() {
    std::vector<bool> is_done(graph_.nodes.size());
    std::set<std::int32_t> open;
    const auto after = [&](std::int32_t node) {
      std::vector<std::int32_t> left;
      is_done[at(node)] = true;
      for (const std::int32_t other : open)
        if (has_later(other, is_done)) left.push_back(other);
      if (has_later(node, is_done)) left.push_back(node);
      is_done[at(node)] = false;
      return left;
    };
    while (order_.size() < graph_.nodes.size()) {
      std::pair<double, std::int32_t> best{std::numeric_limits<double>::infinity(), -1};
      for (std::int32_t node = 0; node < graph_.size(); ++node) {
        if (is_done[at(node)] || (!open.empty() && !touches(node, open))) continue;
        double combinations = 1;
        for (const std::int32_t other : after(node))
          combinations *= static_cast<double>(graph_.num_labels(other));
        best = std::min(best, {combinations, node});
      }
      const std::vector<std::int32_t> left = after(best.second);
      is_done[at(best.second)] = true;
      open = {left.begin(), left.end()};
      order_.push_back(best.second);
      open_.push_back(left);
    }
    find_least();
  }

  /// What nodes from one of the order on cost at least, with their pairs with earlier ones.
  void find_least() {
    std::vector<std::size_t> place(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) place[at(order_[i])] = i;
    least_left_.assign(order_.size() + 1, 0);
    for (std::size_t i = order_.size(); i-- > 0;) {
      std::vector<double> costs = graph_.nodes[at(order_[i])].cost;
      for (const std::size_t e : edges_of_[at(order_[i])]) {
        const CostGraph::Edge& edge = graph_.edges[e];
        const bool is_from = edge.from == order_[i];
        if (place[at(is_from ? edge.to : edge.from)] > i) continue;
        for (std::size_t l = 0; l < costs.size(); ++l) costs[l] += least(edge, is_from, l);
      }
      least_left_[i] = least_left_[i + 1] + std::ranges::min(costs);
    }
  }

  /// With one label of one end, and any of the other.
  double least(const CostGraph::Edge& edge, bool of_from, std::size_t label) const {
    const std::size_t width = graph_.num_labels(edge.to);
    const std::size_t count = of_from ? width : graph_.num_labels(edge.from);
    double least = kForbidden;
    for (std::size_t other = 0; other < count; ++other)
      least =
          std::min(least, (*edge.cost)[of_from ? label * width + other : other * width + label]);
    return least;
  }

  bool touches(std::int32_t node, const std::set<std::int32_t>& open) const {
    return std::ranges::any_of(edges_of_[at(node)], [&](std::size_t e) {
      return open.contains(graph_.edges[e].from) || open.contains(graph_.edges[e].to);
    });
  }

  bool has_later(std::int32_t node, const std::vector<bool>& is_done) const {
    return std::ranges::any_of(edges_of_[at(node)], [&](std::size_t e) {
      return !is_done[at(graph_.edges[e].from)] || !is_done[at(graph_.edges[e].to)];
    });
  }

  /// Of a beam the cheapest go on.
  bool pass(bool is_beam, std::vector<Labels>& best) {
    constexpr std::size_t kBeam = 2000;
    steps_.clear();
    States states{{{}, {Entry{}}}};
    for (std::size_t i = 0; i < order_.size(); ++i) {
      States next;
      for (const auto& [labels, entries] : states) extend(i, labels, entries, next);
      for (auto& [labels, entries] : next) thin_out(entries);
      if (is_beam) keep_cheapest(next, kBeam);
      std::erase_if(next, [](const auto& state) { return state.second.empty(); });
      for (auto& [labels, entries] : next) {
        for (Entry& entry : entries) {
          entry.own = static_cast<std::int32_t>(steps_.size());
          steps_.push_back(entry.step);
        }
      }
      if (!is_beam && steps_.size() > limits_.most_entries) return false;
      states = std::move(next);
    }
    best.clear();
    if (states.empty()) return true;
    for (const Entry& entry : states.begin()->second) best.push_back(labels_of(entry.own));
    if (best.size() > limits_.num_best) best.resize(limits_.num_best);
    return true;
  }

  /// By all labels of node `i` in the order.
  void extend(std::size_t i, const Labels& labels, const std::vector<Entry>& entries,
              States& next) const {
    const CostGraph::Node& own = graph_.nodes[at(order_[i])];
    Labels open;
    for (const std::int32_t other : open_[i]) open.push_back(label_of(i, other, labels));
    const auto place = std::ranges::find(open_[i], order_[i]) - open_[i].begin();
    std::vector<double> costs = own.cost;
    for (const std::size_t e : edges_of_[at(order_[i])]) add_edge(i, e, labels, costs);
    for (std::int32_t label = 0; at(label) < costs.size(); ++label) {
      const double more = costs[at(label)];
      const double more_bytes = own.bytes.empty() ? 0 : own.bytes[at(label)];
      const double least = entries.front().cost + more + least_left_[i + 1];
      if (more >= kForbidden || least > most_cost_) continue;
      if (at(place) < open.size()) open[at(place)] = label;
      std::vector<Entry>& list = next[open];
      for (const Entry& entry : entries) {
        const Entry made{entry.cost + more, entry.bytes + more_bytes, {entry.own, label}};
        if (made.cost + least_left_[i + 1] <= most_cost_ && made.bytes <= limits_.most_bytes)
          list.push_back(made);
      }
    }
  }

  /// Of a node that is open before node `i` comes; -1: it is not.
  std::int32_t label_of(std::size_t i, std::int32_t node, const Labels& labels) const {
    if (i == 0) return -1;
    const auto found = std::ranges::find(open_[i - 1], node);
    return found == open_[i - 1].end() ? -1 : labels[at(found - open_[i - 1].begin())];
  }

  void add_edge(std::size_t i, std::size_t e, const Labels& labels,
                std::vector<double>& costs) const {
    const CostGraph::Edge& edge = graph_.edges[e];
    const bool is_from = edge.from == order_[i];
    const std::int32_t other = label_of(i, is_from ? edge.to : edge.from, labels);
    if (other < 0) return;
    for (std::size_t l = 0; l < costs.size(); ++l) {
      const auto label = static_cast<std::int32_t>(l);
      costs[l] += is_from ? graph_.cost(edge, label, other) : graph_.cost(edge, other, label);
    }
  }

  /// By cost; none of which as many as are wanted cost no more and have no more bytes.
  void thin_out(std::vector<Entry>& entries) const {
    std::ranges::stable_sort(entries, {},
                             [](const Entry& entry) { return std::pair(entry.cost, entry.bytes); });
    std::vector<Entry> kept;
    for (const Entry& entry : entries) {
      const auto is_smaller = [&](const Entry& other) { return other.bytes <= entry.bytes; };
      if (at(std::ranges::count_if(kept, is_smaller)) < limits_.num_best) kept.push_back(entry);
    }
    entries = std::move(kept);
  }

  static void keep_cheapest(States& states, std::size_t most_entries) {
    std::vector<double> costs;
    for (const auto& [labels, entries] : states) {
      for (const Entry& entry : entries) costs.push_back(entry.cost);
    }
    if (costs.size() <= most_entries) return;
    const auto last = costs.begin() + static_cast<std::ptrdiff_t>(most_entries);
    std::ranges::nth_element(costs, last);
    for (auto& [labels, entries] : states)
      std::erase_if(entries, [&](const Entry& entry) { return entry.cost > *last; });
  }

  Labels labels_of(std::int32_t own) const {
    Labels labels(graph_.nodes.size(), -1);
    for (std::size_t i = order_.size(); i-- > 0; own = steps_[at(own)].before)
      labels[at(order_[i])] = steps_[at(own)].label;
    return labels;
  }

  const CostGraph& graph_;
  Limits limits_;
  std::vector<std::vector<std::size_t>> edges_of_;
  std::vector<std::int32_t> order_;
  std::vector<std::vector<std::int32_t>> open_;  ///< after each node of the order
  std::vector<double> least_left_;
  double most_cost_ = kForbidden;
  std::vector<Step> steps_;
};

}  // namespace rhino::common::choice
