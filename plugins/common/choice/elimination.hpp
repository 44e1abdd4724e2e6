// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <utility>
#include <vector>

#include "common/choice/cost_graph.hpp"
#include "common/choice/solution.hpp"

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
      add({node}, interned(graph.nodes[at(node)].cost));
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

  /// The table of equal contents, if there is one.
  Table interned(std::vector<double> values) {
    return *tables_.insert(choice::table(std::move(values))).first;
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

  /// A table, and how far its entries lie apart by place; the node's own is last.
  struct Reader {
    const double* values;
    std::vector<std::size_t> strides;
    std::size_t entry = 0;
  };

  Reader reader(const Step& step, const Factor& factor) const {
    Reader reader{factor.table->data(), std::vector<std::size_t>(step.around.size() + 1)};
    std::size_t stride = 1;
    for (std::size_t i = factor.nodes.size(); i-- > 0;) {
      reader.strides[at(place_of(step, factor.nodes[i]))] = stride;
      stride *= graph_.num_labels(factor.nodes[i]);
    }
    return reader;
  }

  /// In blocks over the node's own labels and those of the last node around; the others' labels
  /// turn like the digits of a clock. What depends on none that has just turned is summed up still.
  class Block {
   public:
    Block(const CostGraph& graph, const Step& step, const std::vector<Reader>& readers)
        : num_own_(graph.num_labels(step.node)),
          num_outer_(step.around.empty() ? 0 : step.around.size() - 1),
          width_(step.around.empty() ? 1 : graph.num_labels(step.around.back())),
          labels_(num_outer_),
          readers_(num_outer_ + 1),
          sums_(num_outer_ + 1) {
      for (std::size_t i = 0; i < num_outer_; ++i)
        counts_.push_back(graph.num_labels(step.around[i]));
      for (const Reader& reader : readers) readers_[level_of(reader)].push_back(reader);
      for (std::size_t level = 0; level < sums_.size(); ++level) {
        if (level == 0 || !readers_[level].empty()) sums_[level].resize(num_own_ * width_);
      }
      add_up(0);
    }

    std::size_t width() const { return width_; }

    /// Per label of the last node around the least of all own ones.
    void find_least(double* least) const {
      const double* sum = last_sums(num_outer_).data();
      for (std::size_t own = 0; own < num_own_; ++own, sum += width_) {
        for (std::size_t j = 0; j < width_; ++j) least[j] = sum[j] < least[j] ? sum[j] : least[j];
      }
    }

    /// False: there were no more.
    bool advance() {
      for (std::size_t place = num_outer_; place-- > 0;) {
        const bool turns = at(++labels_[place]) == counts_[place];
        for (std::size_t level = place + 1; level <= num_outer_; ++level) {
          for (Reader& reader : readers_[level])
            reader.entry += turns ? reader.strides[place] - counts_[place] * reader.strides[place]
                                  : reader.strides[place];
        }
        if (!turns) return add_up(place + 1), true;
        labels_[place] = 0;
      }
      return false;
    }

   private:
    /// The outer nodes of which it depends on the last; 0: on none.
    std::size_t level_of(const Reader& reader) const {
      std::size_t level = 0;
      for (std::size_t place = 0; place < num_outer_; ++place)
        level = reader.strides[place] > 0 ? place + 1 : level;
      return level;
    }

    const std::vector<double>& last_sums(std::size_t level) const {
      while (sums_[level].empty()) --level;
      return sums_[level];
    }

    /// From a level on.
    void add_up(std::size_t first) {
      for (std::size_t level = first; level <= num_outer_; ++level) {
        if (sums_[level].empty()) continue;
        if (level == 0) std::ranges::fill(sums_[level], 0);
        else std::ranges::copy(last_sums(level - 1), sums_[level].begin());
        for (const Reader& reader : readers_[level]) add(reader, sums_[level].data());
      }
    }

    void add(const Reader& reader, double* sum) const {
      const std::size_t own_stride = reader.strides.back();
      const std::size_t stride =
          reader.strides.size() > 1 ? reader.strides[reader.strides.size() - 2] : 0;
      const double* value = reader.values + reader.entry;
      for (std::size_t own = 0; own < num_own_; ++own, sum += width_, value += own_stride) {
        if (stride == 0) {
          for (std::size_t j = 0; j < width_; ++j) sum[j] += *value;
        } else if (stride == 1) {
          for (std::size_t j = 0; j < width_; ++j) sum[j] += value[j];
        } else {
          for (std::size_t j = 0; j < width_; ++j) sum[j] += value[j * stride];
        }
      }
    }

    std::size_t num_own_, num_outer_, width_;
    std::vector<std::size_t> counts_;           ///< labels of the outer nodes
    Labels labels_;                             ///< of these
    std::vector<std::vector<Reader>> readers_;  ///< by level
    std::vector<std::vector<double>>
        sums_;  ///< of levels up to each, by own labels; empty: as before
  };

  Made work_out(const Step& step) {
    std::vector<Reader> readers;
    for (const std::size_t f : step.factors) readers.push_back(reader(step, factors_[f]));
    std::size_t num_entries = 1;
    for (const std::int32_t node : step.around) num_entries *= graph_.num_labels(node);
    std::vector<double> values(num_entries, std::numeric_limits<double>::infinity());
    Block block(graph_, step, readers);
    double* least = values.data();
    do {
      block.find_least(least);
      least += block.width();
    } while (block.advance());
    Made made{nullptr, *std::ranges::min_element(values)};
    for (double& value : values) value -= made.least;
    made.table = interned(std::move(values));
    return made;
  }

  const CostGraph& graph_;
  std::vector<Factor> factors_;
  std::vector<std::vector<std::size_t>> factors_of_;  ///< per node, gone ones among them
  std::vector<std::int32_t> place_;                   ///< per node in steps_; -1: it is left
  std::vector<Step> steps_;
  struct ByContents {
    bool operator()(const Table& a, const Table& b) const { return *a < *b; }
  };
  std::set<Table, ByContents> tables_;
  TurnedTables turned_;
  std::map<const std::vector<double>*, std::int32_t> numbers_;  ///< of tables that stay
  std::map<std::vector<std::int32_t>, std::shared_ptr<const Made>> made_;
  double constant_ = 0;
};

}  // namespace rhino::common::choice
