// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <queue>
#include <set>
#include <utility>
#include <vector>

#include "common/choice/cost_graph.hpp"
#include "common/choice/solution.hpp"
#include "common/choice/sums_by_block.hpp"

/// Exact minimisation by eliminating one node after the other (dynamic programming over a tree
/// decomposition): a node is replaced by a table of what it costs at best, by labels of its
/// neighbours.
namespace rhino::common::choice {

struct EliminationOrder {
  std::vector<std::int32_t> nodes;
  double work = 0;     ///< sums that are looked at
  double largest = 0;  ///< entries of a table
};

namespace detail {

/// Which nodes stand beside which, as they are eliminated.
class Neighbours {
 public:
  explicit Neighbours(const CostGraph& graph) : graph_(graph), near_(graph.nodes.size()) {
    for (const CostGraph::Edge& edge : graph.edges)
      near_[at(edge.from)].push_back(edge.to), near_[at(edge.to)].push_back(edge.from);
    for (std::vector<std::int32_t>& near : near_) {
      std::ranges::sort(near);
      near.erase(std::ranges::unique(near).begin(), near.end());
    }
  }

  std::size_t count(std::int32_t node) const { return near_[at(node)].size(); }

  /// Sums that its elimination takes, exact up to `most`, and neighbours that become one another's.
  double work(std::int32_t node, double most) const {
    auto sums = static_cast<double>(graph_.num_labels(node));
    for (const std::int32_t other : near_[at(node)]) {
      if (sums > most) break;
      sums *= static_cast<double>(graph_.num_labels(other));
    }
    return sums + static_cast<double>(count(node));
  }

  /// Those that are neighbours of each other from then on.
  std::vector<std::int32_t> eliminate(std::int32_t node) {
    const std::vector<std::int32_t> around = std::move(near_[at(node)]);
    for (const std::int32_t other : around) {
      std::vector<std::int32_t>& near = near_[at(other)];
      near.erase(std::ranges::lower_bound(near, node));
      for (const std::int32_t third : around) {
        const auto place = std::ranges::lower_bound(near, third);
        if (third != other && (place == near.end() || *place != third)) near.insert(place, third);
      }
    }
    return around;
  }

 private:
  const CostGraph& graph_;
  std::vector<std::vector<std::int32_t>> near_;  ///< increasing
};

}  // namespace detail

/// The cheapest node first; nodes that by then have more neighbours than `most_neighbours` stay,
/// and so do all where it comes to more than `most_work`.
inline EliminationOrder elimination_order(
    const CostGraph& graph, std::size_t most_neighbours,
    double most_work = std::numeric_limits<double>::infinity()) {
  detail::Neighbours near(graph);
  constexpr double kStays = -1, kGone = -2;
  std::vector<double> work(graph.nodes.size(), kStays);
  // The cheapest on top; what does not say the work that is known is out of date.
  using Entry = std::pair<double, std::int32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  const auto enter = [&](std::int32_t node) {
    const double now = near.count(node) <= most_neighbours ? near.work(node, most_work) : kStays;
    if (now == std::exchange(work[at(node)], now) || now == kStays) return;
    queue.emplace(now, node);
  };
  for (std::int32_t node = 0; node < graph.size(); ++node) enter(node);
  EliminationOrder order;
  while (!queue.empty() && order.work <= most_work) {
    const auto [cost, node] = queue.top();
    queue.pop();
    if (cost != work[at(node)]) continue;
    work[at(node)] = kGone;
    order.nodes.push_back(node);
    order.work += cost;
    order.largest = std::max(order.largest, cost / static_cast<double>(graph.num_labels(node)));
    for (const std::int32_t other : near.eliminate(node)) enter(other);
  }
  return order;
}

/// Tables of equal contents are one, and what has been worked out of the same tables once is not
/// worked out again: equal layers are solved once.
class Elimination {
 public:
  /// Nodes for which the deadline of `effort` leaves no time are left.
  Elimination(const CostGraph& graph, const EliminationOrder& order, const Effort& effort = {})
      : graph_(graph),
        factors_of_(graph.nodes.size()),
        place_(graph.nodes.size(), -1),
        turned_(graph) {
    for (std::int32_t node = 0; node < graph.size(); ++node)
      add({node}, interned({graph.num_labels(node)}, graph.nodes[at(node)].cost));
    for (const CostGraph::Edge& edge : graph.edges) add_edge(edge);
    for (std::size_t i = 0; i < order.nodes.size() && !effort.is_over(); ++i)
      eliminate(order.nodes[i]);
  }

  /// Of nodes that are left, in `nodes`; their tables are of one or two nodes each.
  CostGraph rest(std::vector<std::int32_t>& nodes) const {
    CostGraph rest;
    std::vector<std::int32_t> index(graph_.nodes.size(), -1);
    for (std::int32_t node = 0; node < graph_.size(); ++node) {
      if (place_[at(node)] >= 0) continue;
      index[at(node)] = rest.size();
      nodes.push_back(node);
      rest.nodes.push_back({std::vector<double>(graph_.num_labels(node)), {}});
    }
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<const Factor*>> pairs;
    for (const Factor& factor : factors_) {
      if (factor.is_gone || factor.nodes.empty()) continue;
      const std::int32_t from = index[at(factor.nodes.front())];
      if (factor.nodes.size() == 2)
        pairs[{from, index[at(factor.nodes.back())]}].push_back(&factor);
      else add(*factor.table, rest.nodes[at(from)].cost);
    }
    for (const auto& [ends, factors] : pairs)
      rest.edges.push_back({ends.first, ends.second, sum(factors)});
    return rest;
  }

  /// The best ones, given those of the nodes that are left.
  Labels labels(const std::vector<std::int32_t>& nodes, const Labels& of_rest) const {
    Labels labels(graph_.nodes.size(), -1);
    for (std::size_t i = 0; i < nodes.size(); ++i) labels[at(nodes[i])] = of_rest[i];
    for (std::size_t s = steps_.size(); s-- > 0;)
      labels[at(steps_[s].node)] = best_label(steps_[s], labels);
    return labels;
  }

  /// That all labels of what is left cost; the minimum where nothing is.
  double constant() const { return constant_; }

 private:
  struct Factor {
    std::vector<std::int32_t> nodes;  ///< increasing, major first
    Table table;
    bool is_gone = false;
  };
  struct Made {
    Table table;
    double least = 0;
  };
  struct Step {
    std::int32_t node = 0;
    std::vector<std::int32_t> around;
    std::vector<std::size_t> factors;  ///< that were replaced
    std::shared_ptr<const Made> made;
  };

  /// The table of equal contents, and of as many labels of each node, if there is one.
  Table interned(std::vector<std::size_t> counts, std::vector<double> values) {
    return tables_.insert({std::move(counts), choice::table(std::move(values))}).first->second;
  }

  std::int32_t number_of(const Table& table) {
    const auto next = static_cast<std::int32_t>(numbers_.size());
    return numbers_.try_emplace(table.get(), next).first->second;
  }

  void add_edge(const CostGraph::Edge& edge) {
    if (edge.from < edge.to) add({edge.from, edge.to}, edge.cost);
    else add({edge.to, edge.from}, turned_.of(edge));
  }

  void add(std::vector<std::int32_t> nodes, Table table) {
    for (const std::int32_t node : nodes) factors_of_[at(node)].push_back(factors_.size());
    factors_.push_back({std::move(nodes), std::move(table)});
  }

  static void add(const std::vector<double>& more, std::vector<double>& sum) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
  }

  static Table sum(const std::vector<const Factor*>& factors) {
    if (factors.size() == 1) return factors.front()->table;
    std::vector<double> sum(factors.front()->table->size());
    for (const Factor* factor : factors) add(*factor->table, sum);
    return choice::table(std::move(sum));
  }

  void eliminate(std::int32_t node) {
    Step step{node, {}, {}, nullptr};
    for (const std::size_t f : factors_of_[at(node)]) {
      Factor& factor = factors_[f];
      if (factor.is_gone) continue;
      factor.is_gone = true;
      step.factors.push_back(f);
      step.around.insert(step.around.end(), factor.nodes.begin(), factor.nodes.end());
    }
    std::ranges::sort(step.around);
    step.around.erase(std::ranges::unique(step.around).begin(), step.around.end());
    std::erase(step.around, node);
    step.made = made(step);
    constant_ += step.made->least;
    place_[at(node)] = static_cast<std::int32_t>(steps_.size());
    if (!step.around.empty()) add(step.around, step.made->table);
    steps_.push_back(std::move(step));
  }

  /// Tables and where they stand make the same as ever.
  std::shared_ptr<const Made> made(const Step& step) {
    std::vector<std::int32_t> key;
    for (const std::size_t f : step.factors) {
      const Factor& factor = factors_[f];
      key.push_back(-1 - number_of(factor.table));
      for (const std::int32_t node : factor.nodes) key.push_back(place_of(step, node));
    }
    std::shared_ptr<const Made>& known = made_[std::move(key)];
    if (known == nullptr) known = std::make_shared<const Made>(work_out(step));
    return known;
  }

  /// Given those of the nodes around it.
  std::int32_t best_label(const Step& step, const Labels& labels) const {
    std::vector<double> sums(graph_.num_labels(step.node));
    for (const std::size_t f : step.factors) {
      const Reader reader = this->reader(step, factors_[f]);
      std::size_t entry = 0;
      for (std::size_t place = 0; place < step.around.size(); ++place)
        entry += reader.strides[place] * at(labels[at(step.around[place])]);
      for (double& sum : sums) sum += reader.values[entry], entry += reader.strides.back();
    }
    return static_cast<std::int32_t>(std::ranges::min_element(sums) - sums.begin());
  }

  static std::int32_t place_of(const Step& step, std::int32_t node) {
    if (node == step.node) return static_cast<std::int32_t>(step.around.size());
    return static_cast<std::int32_t>(std::ranges::lower_bound(step.around, node) -
                                     step.around.begin());
  }

  using Reader = detail::SumsByBlock::Reader;

  Reader reader(const Step& step, const Factor& factor) const {
    Reader reader{factor.table->data(), std::vector<std::size_t>(step.around.size() + 1)};
    std::size_t stride = 1;
    for (std::size_t i = factor.nodes.size(); i-- > 0;) {
      reader.strides[at(place_of(step, factor.nodes[i]))] = stride;
      stride *= graph_.num_labels(factor.nodes[i]);
    }
    return reader;
  }

  /// Reads the table with the last node around innermost, from a copy.
  void turn(const Step& step, const Factor& factor, Reader& reader,
            std::vector<double>& copy) const {
    const std::size_t last = step.around.size() - 1;
    std::vector<std::size_t> strides(step.around.size() + 1);
    std::vector<std::pair<std::size_t, std::size_t>> digits;  // labels and stride, major first
    std::size_t stride = 1;
    const auto add = [&](std::size_t place, std::int32_t node) {
      if (reader.strides[place] == 0) return;
      digits.insert(digits.begin(), {graph_.num_labels(node), reader.strides[place]});
      strides[place] = std::exchange(stride, stride * graph_.num_labels(node));
    };
    add(last, step.around.back());
    add(last + 1, step.node);
    for (std::size_t place = last; place-- > 0;) add(place, step.around[place]);
    copy.resize(factor.table->size());
    std::vector<std::size_t> labels(digits.size());
    std::size_t from = 0;
    for (double& to : copy) {
      to = reader.values[from];
      for (std::size_t digit = digits.size(); digit-- > 0;) {
        from += digits[digit].second;
        if (++labels[digit] < digits[digit].first) break;
        from -= digits[digit].first * digits[digit].second;
        labels[digit] = 0;
      }
    }
    reader.values = copy.data();
    reader.strides = std::move(strides);
  }

  Made work_out(const Step& step) {
    std::vector<Reader> readers;
    std::vector<std::vector<double>> turned;  // tables in which own labels lie innermost
    for (const std::size_t f : step.factors) {
      readers.push_back(reader(step, factors_[f]));
      if (!step.around.empty() && readers.back().strides[step.around.size() - 1] > 1)
        turn(step, factors_[f], readers.back(), turned.emplace_back());
    }
    std::vector<std::size_t> counts;
    for (const std::int32_t node : step.around) counts.push_back(graph_.num_labels(node));
    std::vector<double> values(
        std::accumulate(counts.begin(), counts.end(), std::size_t{1}, std::multiplies<>()));
    detail::SumsByBlock sums(graph_.num_labels(step.node), counts, std::move(readers));
    double* least = values.data();
    do {
      sums.find_least(least);
      least += sums.width();
    } while (sums.advance());
    Made made{nullptr, subtract_least(values)};
    made.table = interned(std::move(counts), std::move(values));
    return made;
  }

  const CostGraph& graph_;
  std::vector<Factor> factors_;
  std::vector<std::vector<std::size_t>> factors_of_;  ///< per node, gone ones among them
  std::vector<std::int32_t> place_;                   ///< per node in steps_; -1: it is left
  std::vector<Step> steps_;
  using Shaped = std::pair<std::vector<std::size_t>, Table>;
  struct ByContents {
    bool operator()(const Shaped& a, const Shaped& b) const {
      return a.first != b.first ? a.first < b.first : *a.second < *b.second;
    }
  };
  std::set<Shaped, ByContents> tables_;
  TurnedTables turned_;
  std::map<const std::vector<double>*, std::int32_t> numbers_;  ///< of tables that stay
  std::map<std::vector<std::int32_t>, std::shared_ptr<const Made>> made_;
  double constant_ = 0;
};

}  // namespace rhino::common::choice
