// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

#include "common/choice/buckets.hpp"
#include "common/choice/cost_graph.hpp"
#include "common/choice/shifted_costs.hpp"

/// The cheapest choices of a graph, all of them looked at. It shares nothing with the solver, which
/// is measured by it.
namespace rhino::common::choice {

struct EnumerationLimits {
  std::size_t num_best = 50;
  std::size_t most_entries = 1000000;  ///< choices so far that are kept, all nodes together
  double most_table = 1 << 16;         ///< entries of a table of bounds
  double most_bytes = std::numeric_limits<double>::infinity();
  double most_work = 1e8;  ///< choices so far that are looked at, kept or not
};

namespace detail {

/// Goes through the nodes one by one. Of choices so far that agree on all nodes which later ones
/// touch, those stay that may be among the cheapest: of as few bytes, so many cost less.
class Walk {
 public:
  /// `price` is of a byte, and contained in the costs of nodes.
  Walk(const CostGraph& graph, double price, const EnumerationLimits& limits)
      : graph_(graph),
        price_(price),
        limits_(limits),
        costs_(shifted(graph)),
        buckets_(costs_, limits.most_table),
        pairs_of_(graph.nodes.size()),
        labels_(graph.nodes.size(), -1) {
    for (std::size_t p = 0; p < costs_.pairs().size(); ++p) {
      pairs_of_[at(costs_.pairs()[p].first)].push_back(p);
      pairs_of_[at(costs_.pairs()[p].second)].push_back(p);
    }
    find_open();
    find_least_bytes();
  }

  const ShiftedCosts& costs() const { return costs_; }
  double work() const { return work_; }

  /// All that cost at most so much, a byte at its price, or the cheapest of them where `most_kept`
  /// go on from node to node. False: there is no room for them all, or they take more work.
  bool run(double most_cost, std::size_t most_kept, double most_work, std::vector<Labels>& found) {
    most_cost_ = most_cost;
    work_ = 0;
    steps_.clear(), found.clear();
    States states{{{}, {0, {Entry{costs_.constant(), 0, {}, -1}}}}};
    for (std::size_t i = 0; i < order().size(); ++i) {
      States next;
      num_made_ = 0;
      for (const auto& [labels, state] : states) {
        extend(i, labels, state, next);
        if (work_ > most_work || num_made_ > kMostMade * limits_.most_entries) return false;
      }
      for (auto& [labels, state] : next) thin_out(state.entries);
      keep_cheapest(next, most_kept);
      std::erase_if(next, [](const auto& state) { return state.second.entries.empty(); });
      for (auto& [labels, state] : next) {
        for (Entry& entry : state.entries) {
          entry.own = static_cast<std::int32_t>(steps_.size());
          steps_.push_back(entry.step);
        }
      }
      if (steps_.size() > limits_.most_entries) return false;
      states = std::move(next);
    }
    if (states.empty()) return true;
    for (const Entry& entry : states.begin()->second.entries) found.push_back(labels_of(entry.own));
    return true;
  }

 private:
  static constexpr std::size_t kMostMade = 8;  ///< of those that are kept

  struct Step {
    std::int32_t before = -1, label = 0;
  };
  struct Entry {
    double cost = 0, bytes = 0;
    Step step;
    std::int32_t own = -1;  ///< in steps_
  };
  struct State {
    double least_left = 0;  ///< of nodes that have no label yet
    std::vector<Entry> entries;
  };
  /// By labels of the nodes that are open.
  using States = std::map<Labels, State>;

  static ShiftedCosts shifted(const CostGraph& graph) {
    constexpr int kMostSweeps = 100;
    ShiftedCosts costs(graph);
    double last = -1;
    for (int i = 0; i < kMostSweeps; ++i) {
      costs.sweep();
      if (i % 10 != 9) continue;
      if (costs.bound() <= last * (1 + 1e-5)) break;
      last = costs.bound();
    }
    return costs;
  }

  const std::vector<std::int32_t>& order() const { return buckets_.order(); }

  /// After each node of the order those that later ones touch.
  void find_open() {
    std::vector<std::size_t> place(order().size()), last(order().size());
    for (std::size_t i = 0; i < order().size(); ++i) place[at(order()[i])] = i;
    for (const ShiftedCosts::Pair& pair : costs_.pairs()) {
      const std::size_t first = place[at(pair.first)], second = place[at(pair.second)];
      last[std::min(first, second)] = std::max({last[std::min(first, second)], first, second});
    }
    for (std::size_t i = 0; i < order().size(); ++i) {
      open_.emplace_back();
      for (std::size_t before = 0; before <= i; ++before) {
        if (last[before] > i) open_.back().push_back(order()[before]);
      }
    }
  }

  void find_least_bytes() {
    least_bytes_.assign(order().size() + 1, 0);
    for (std::size_t i = order().size(); i-- > 0;) {
      const std::vector<double>& bytes = graph_.nodes[at(order()[i])].bytes;
      least_bytes_[i] = least_bytes_[i + 1] + (bytes.empty() ? 0 : std::ranges::min(bytes));
    }
  }

  /// By all labels of node `i` in the order.
  void extend(std::size_t i, const Labels& labels, const State& state, States& next) {
    if (i > 0) {
      for (std::size_t k = 0; k < open_[i - 1].size(); ++k)
        labels_[at(open_[i - 1][k])] = labels[k];
    }
    const std::int32_t node = order()[i];
    const std::vector<double> costs = costs_of(node, i);
    for (std::int32_t label = 0; at(label) < costs.size(); ++label) {
      labels_[at(node)] = label;
      ++work_;
      const double left = buckets_.least_left(i + 1, labels_), more = costs[at(label)];
      if (more + left + state.entries.front().cost > most_cost_) continue;
      Labels open;
      for (const std::int32_t other : open_[i]) open.push_back(labels_[at(other)]);
      State& made = next[std::move(open)];
      made.least_left = left;
      add(i, label, more, state, made);
    }
    labels_[at(node)] = -1;
  }

  void add(std::size_t i, std::int32_t label, double more, const State& from, State& to) {
    work_ += static_cast<double>(from.entries.size());
    const std::vector<double>& bytes = graph_.nodes[at(order()[i])].bytes;
    const double more_bytes = bytes.empty() ? 0 : bytes[at(label)];
    for (const Entry& entry : from.entries) {
      const Entry made{entry.cost + more, entry.bytes + more_bytes, {entry.own, label}};
      if (made.cost + to.least_left <= most_cost_ &&
          made.bytes + least_bytes_[i + 1] <= limits_.most_bytes)
        to.entries.push_back(made), ++num_made_;
    }
  }

  /// Per label of the node at place `i`, with its pairs with nodes before.
  std::vector<double> costs_of(std::int32_t node, std::size_t i) const {
    std::vector<double> costs = costs_.nodes()[at(node)];
    for (const std::size_t p : pairs_of_[at(node)]) {
      const ShiftedCosts::Pair& pair = costs_.pairs()[p];
      const bool is_first = pair.first == node;
      const std::int32_t other = is_first ? pair.second : pair.first;
      if (i == 0 || !contains(open_[i - 1], other)) continue;
      const std::size_t width = graph_.num_labels(pair.second);
      for (std::size_t l = 0; l < costs.size(); ++l)
        costs[l] += pair.cost[is_first ? l * width + at(labels_[at(other)])
                                       : at(labels_[at(other)]) * width + l];
    }
    return costs;
  }

  /// By cost; none of which as many as are wanted cost no more and have no more bytes.
  void thin_out(std::vector<Entry>& entries) const {
    const auto own_cost = [&](const Entry& entry) { return entry.cost - price_ * entry.bytes; };
    std::ranges::stable_sort(
        entries, {}, [&](const Entry& entry) { return std::pair(own_cost(entry), entry.bytes); });
    std::priority_queue<double> fewest;  // as many as are wanted
    std::erase_if(entries, [&](const Entry& entry) {
      if (fewest.size() == limits_.num_best && fewest.top() <= entry.bytes) return true;
      fewest.push(entry.bytes);
      if (fewest.size() > limits_.num_best) fewest.pop();
      return false;
    });
    std::ranges::stable_sort(entries, {}, [](const Entry& entry) { return entry.cost; });
  }

  static void keep_cheapest(States& states, std::size_t most_kept) {
    std::vector<double> costs;
    for (const auto& [labels, state] : states) {
      for (const Entry& entry : state.entries) costs.push_back(entry.cost + state.least_left);
    }
    if (costs.size() <= most_kept) return;
    const auto last = costs.begin() + static_cast<std::ptrdiff_t>(most_kept);
    std::ranges::nth_element(costs, last);
    for (auto& [labels, state] : states)
      std::erase_if(state.entries,
                    [&](const Entry& entry) { return entry.cost + state.least_left > *last; });
  }

  Labels labels_of(std::int32_t own) const {
    Labels labels(graph_.nodes.size(), -1);
    for (std::size_t i = order().size(); i-- > 0; own = steps_[at(own)].before)
      labels[at(order()[i])] = steps_[at(own)].label;
    return labels;
  }

  const CostGraph& graph_;
  double price_;
  const EnumerationLimits& limits_;
  ShiftedCosts costs_;
  Buckets buckets_;
  std::vector<std::vector<std::size_t>> pairs_of_;  ///< per node
  Labels labels_;                                   ///< per node, while states are extended
  std::vector<std::vector<std::int32_t>> open_;     ///< after each node of the order
  std::vector<double> least_bytes_;                 ///< of the nodes from a place on
  double most_cost_ = 0, work_ = 0;
  std::size_t num_made_ = 0;  ///< of a node, before they are thinned out
  std::vector<Step> steps_;
};

}  // namespace detail

class Enumeration {
 public:
  using Limits = EnumerationLimits;

  /// `graph` is borrowed.
  Enumeration(const CostGraph& graph, const Limits& limits)
      : graph_(graph), limits_(limits), left_(graph) {
    for (const CostGraph::Node& node : graph.nodes) {
      kept_.emplace_back(node.cost.size());
      std::iota(kept_.back().begin(), kept_.back().end(), 0);
    }
  }

  /// The cheapest first. False: it takes too much room or work to see them all; `best` are some.
  bool run(std::vector<Labels>& best) {
    if (has_no_room()) return true;
    add_price(price_of_bytes());
    double work_left = limits_.most_work;
    for (;;) {
      detail::Walk walk(left_, price_, limits_);
      std::vector<Labels> found;
      walk.run(most_cost(), kBeam, work_left, found);
      work_left -= walk.work();
      take(found, best);
      if (work_left > 0 && drop_labels(walk.costs())) continue;
      const bool is_all = walk.run(most_cost(), limits_.most_entries, work_left, found);
      if (is_all) take(found, best);
      return is_all;
    }
  }

 private:
  static constexpr std::size_t kBeam = 300;

  /// Of what may be among the best; bytes at their price.
  double most_cost() const {
    const double most = most_cost_ * (1 + 1e-9);
    return price_ > 0 ? most + price_ * limits_.most_bytes : most;
  }

  void add_price(double price) {
    price_ = price;
    for (CostGraph::Node& node : left_.nodes) {
      for (std::size_t i = 0; i < node.bytes.size(); ++i) node.cost[i] += price * node.bytes[i];
    }
  }

  /// At which the bound of all that have room is the highest that was seen.
  double price_of_bytes() const {
    if (!std::isfinite(limits_.most_bytes)) return 0;
    double best = 0, highest = bound_at(0);
    const auto look_at = [&](double price) {
      const double bound = bound_at(price);
      if (bound > highest) highest = bound, best = price;
    };
    const double unit = highest / limits_.most_bytes;
    for (double times = 1 << 8; times > 1.0 / (1 << 10); times /= 4) look_at(times * unit);
    for (const double times : {2.0, 1.4, 1.2, 1.1}) {
      const double middle = best;
      look_at(middle * times), look_at(middle / times);
    }
    return best;
  }

  double bound_at(double price) const {
    return bound(with_price_of_bytes(graph_, price)) - price * limits_.most_bytes;
  }

  static double bound(const CostGraph& graph) {
    constexpr int kSweeps = 5;
    ShiftedCosts costs(graph);
    for (int i = 0; i < kSweeps; ++i) costs.sweep();
    return costs.bound();
  }

  /// Whether every choice has more bytes than there is room for, by a bound.
  bool has_no_room() const {
    CostGraph bytes = graph_;
    for (CostGraph::Node& node : bytes.nodes) {
      node.cost.assign(node.cost.size(), 0);
      for (std::size_t i = 0; i < node.bytes.size(); ++i)
        node.cost[i] = node.bytes[i] / limits_.most_bytes;
    }
    for (CostGraph::Edge& edge : bytes.edges) {
      std::vector<double> costs = *edge.cost;
      for (double& cost : costs) cost = cost < kForbidden ? 0 : kForbidden;
      edge.cost = table(std::move(costs));
    }
    return std::isfinite(limits_.most_bytes) && bound(bytes) > 1 + 1e-9;
  }

  /// Of labels that are left; those that are new among the best.
  void take(const std::vector<Labels>& found, std::vector<Labels>& best) {
    for (const Labels& labels : found) {
      Labels own;
      for (std::size_t n = 0; n < labels.size(); ++n) own.push_back(kept_[n][at(labels[n])]);
      const bool is_new = !contains(best, own);
      if (is_new && cost(graph_, own) < kForbidden && bytes(graph_, own) <= limits_.most_bytes)
        best.push_back(std::move(own));
    }
    std::ranges::stable_sort(best, {}, [&](const Labels& labels) { return cost(graph_, labels); });
    if (best.size() < limits_.num_best) return;
    best.resize(limits_.num_best);
    most_cost_ = cost(graph_, best.back());
  }

  /// That cost too much whatever others have. True: many.
  bool drop_labels(const ShiftedCosts& costs) {
    const std::vector<std::vector<double>> least = costs.least_with();
    std::vector<Labels> kept(kept_.size());
    std::size_t num_before = 0, num_kept = 0;
    for (std::size_t n = 0; n < kept.size(); ++n) {
      for (std::int32_t label = 0; at(label) < kept_[n].size(); ++label) {
        if (least[n][at(label)] <= most_cost()) kept[n].push_back(label);
      }
      num_before += kept_[n].size(), num_kept += kept[n].size();
      if (kept[n].empty()) return false;
    }
    if (20 * num_kept > 19 * num_before) return false;
    left_ = without_others(kept);
    for (std::size_t n = 0; n < kept.size(); ++n) {
      for (std::int32_t& label : kept[n]) label = kept_[n][at(label)];
    }
    kept_ = std::move(kept);
    return true;
  }

  CostGraph without_others(const std::vector<Labels>& kept) const {
    CostGraph made;
    for (std::size_t n = 0; n < kept.size(); ++n) {
      const CostGraph::Node& node = left_.nodes[n];
      CostGraph::Node& own = made.nodes.emplace_back();
      for (const std::int32_t label : kept[n]) {
        own.cost.push_back(node.cost[at(label)]);
        if (!node.bytes.empty()) own.bytes.push_back(node.bytes[at(label)]);
      }
    }
    for (const CostGraph::Edge& edge : left_.edges) {
      std::vector<double> costs;
      for (const std::int32_t from : kept[at(edge.from)]) {
        for (const std::int32_t to : kept[at(edge.to)]) costs.push_back(left_.cost(edge, from, to));
      }
      made.edges.push_back({edge.from, edge.to, table(std::move(costs))});
    }
    return made;
  }

  const CostGraph& graph_;
  Limits limits_;
  CostGraph left_;            ///< of labels that may be among the best, bytes at their price
  std::vector<Labels> kept_;  ///< per node of `left_` its labels in the graph
  double price_ = 0;
  double most_cost_ = kForbidden;
};

}  // namespace rhino::common::choice
