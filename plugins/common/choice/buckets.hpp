// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "common/choice/shifted_costs.hpp"

namespace rhino::common::choice {

/// What nodes cost at least that have no label yet, given those that have (mini-bucket elimination,
/// Dechter and Rish 2003): exact where tables have room.
class Buckets {
 public:
  /// Tables of at most so many entries, unless one node and its pair need more.
  Buckets(const ShiftedCosts& costs, double most_entries)
      : costs_(costs), most_entries_(most_entries), place_(costs.nodes().size()) {
    find_order();
    std::vector<std::vector<Factor>> at_place(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) {
      place_[at(order_[i])] = i;
      at_place[i].push_back({{order_[i]}, costs.nodes()[at(order_[i])]});
    }
    for (const ShiftedCosts::Pair& pair : costs.pairs())
      at_place[last({pair.first, pair.second})].push_back({{pair.first, pair.second}, pair.cost});
    for (std::size_t i = order_.size(); i-- > 0;) empty(i, at_place);
  }

  /// The order in which nodes get labels; those that later ones touch stay few.
  const std::vector<std::int32_t>& order() const { return order_; }

  /// Of the nodes of the order from place `next` on, and their pairs. `labels`: per node; those of
  /// nodes before count as far as later ones touch them.
  double least_left(std::size_t next, const Labels& labels) const {
    double sum = constant_[next];
    for (const std::size_t m : open_[next]) {
      const Factor& factor = messages_[m];
      std::size_t entry = 0;
      for (const std::int32_t node : factor.nodes)
        entry = entry * num_labels(node) + at(labels[at(node)]);
      sum += factor.cost[entry];
    }
    return sum;
  }

 private:
  struct Factor {
    std::vector<std::int32_t> nodes;  ///< increasing, major first
    std::vector<double> cost;
  };

  std::size_t num_labels(std::int32_t node) const { return costs_.nodes()[at(node)].size(); }
  double size(const std::set<std::int32_t>& nodes) const {
    double size = 1;
    for (const std::int32_t node : nodes) size *= static_cast<double>(num_labels(node));
    return size;
  }
  std::size_t last(const std::vector<std::int32_t>& nodes) const {
    std::size_t last = 0;
    for (const std::int32_t node : nodes) last = std::max(last, place_[at(node)]);
    return last;
  }

  /// Backwards always the node whose neighbours that are left have the fewest combinations; then so
  /// that what hangs together is in a row.
  void find_order() {
    std::vector<std::set<std::int32_t>> near(place_.size());
    for (const ShiftedCosts::Pair& pair : costs_.pairs())
      near[at(pair.first)].insert(pair.second), near[at(pair.second)].insert(pair.first);
    std::set<std::pair<double, std::int32_t>> queue;
    for (std::int32_t node = 0; at(node) < near.size(); ++node)
      queue.emplace(size(near[at(node)]), node);
    std::vector<std::int32_t> backwards;
    while (!queue.empty()) {
      const std::int32_t node = queue.begin()->second;
      queue.erase(queue.begin());
      backwards.push_back(node);
      for (const std::int32_t other : near[at(node)]) {
        queue.erase({size(near[at(other)]), other});
        near[at(other)].insert(near[at(node)].begin(), near[at(node)].end());
        near[at(other)].erase(node), near[at(other)].erase(other);
        queue.emplace(size(near[at(other)]), other);
      }
    }
    put_in_rows(backwards, near);
  }

  /// `near`: per node those that were left when it went.
  void put_in_rows(const std::vector<std::int32_t>& backwards,
                   const std::vector<std::set<std::int32_t>>& near) {
    std::vector<std::size_t> when(backwards.size());
    for (std::size_t i = 0; i < backwards.size(); ++i) when[at(backwards[i])] = i;
    std::vector<std::vector<std::int32_t>> below(backwards.size());
    std::vector<std::int32_t> open;
    for (const std::int32_t node : backwards) {
      const auto next = std::ranges::min_element(
          near[at(node)], {}, [&](std::int32_t other) { return when[at(other)]; });
      if (next == near[at(node)].end()) open.push_back(node);
      else below[at(*next)].push_back(node);
    }
    while (!open.empty()) {
      const std::int32_t node = open.back();
      open.pop_back();
      order_.push_back(node);
      open.insert(open.end(), below[at(node)].begin(), below[at(node)].end());
    }
  }

  /// What the node at a place and all that hangs on it cost at best, told to those before it.
  void empty(std::size_t place, std::vector<std::vector<Factor>>& at_place) {
    open_.resize(order_.size() + 1), constant_.resize(order_.size() + 1);
    std::vector<Factor> left = std::move(at_place[place]);
    std::ranges::stable_sort(left, std::greater(), [](const Factor& f) { return f.cost.size(); });
    while (!left.empty()) {
      std::set<std::int32_t> nodes;
      std::vector<Factor> together, others;
      for (Factor& factor : left) {
        std::set<std::int32_t> more = nodes;
        more.insert(factor.nodes.begin(), factor.nodes.end());
        const bool fits =
            nodes.empty() || more.size() == nodes.size() || size(more) <= most_entries_;
        if (fits) nodes = std::move(more);
        (fits ? together : others).push_back(std::move(factor));
      }
      nodes.erase(order_[place]);
      tell(place, least(order_[place], {nodes.begin(), nodes.end()}, together), at_place);
      left = std::move(others);
    }
  }

  void tell(std::size_t from, Factor made, std::vector<std::vector<Factor>>& at_place) {
    const bool is_constant = made.nodes.empty();
    const std::size_t to = is_constant ? 0 : last(made.nodes) + 1;
    for (std::size_t next = to; next <= from; ++next) {
      if (is_constant) constant_[next] += made.cost.front();
      else open_[next].push_back(messages_.size());
    }
    if (is_constant) return;
    at_place[to - 1].push_back(made);
    messages_.push_back(std::move(made));
  }

  /// Over the labels of `own`, for all of `nodes`.
  Factor least(std::int32_t own, std::vector<std::int32_t> nodes,
               const std::vector<Factor>& factors) const {
    std::vector<std::int32_t> all = nodes;
    all.push_back(own);
    std::size_t num_entries = 1;
    for (const std::int32_t node : all) num_entries *= num_labels(node);
    std::vector<double> sums(num_entries);
    for (const Factor& factor : factors) add(factor, all, sums);
    const std::size_t width = num_labels(own);
    Factor made{std::move(nodes), std::vector<double>(num_entries / width)};
    for (std::size_t i = 0; i < made.cost.size(); ++i) {
      const auto first = sums.begin() + static_cast<std::ptrdiff_t>(i * width);
      made.cost[i] = *std::min_element(first, first + static_cast<std::ptrdiff_t>(width));
    }
    return made;
  }

  /// `all`: nodes of a table, major first, among them those of the factor.
  void add(const Factor& factor, const std::vector<std::int32_t>& all,
           std::vector<double>& sums) const {
    std::vector<std::size_t> strides(all.size());
    std::size_t stride = 1;
    for (std::size_t i = factor.nodes.size(); i-- > 0;) {
      strides[at(std::ranges::find(all, factor.nodes[i]) - all.begin())] = stride;
      stride *= num_labels(factor.nodes[i]);
    }
    Labels labels(all.size());
    std::size_t entry = 0;
    for (double& sum : sums) {
      sum += factor.cost[entry];
      for (std::size_t i = all.size(); i-- > 0;) {
        entry += strides[i];
        if (at(++labels[i]) < num_labels(all[i])) break;
        entry -= strides[i] * num_labels(all[i]);
        labels[i] = 0;
      }
    }
  }

  const ShiftedCosts& costs_;
  double most_entries_;
  std::vector<std::int32_t> order_;
  std::vector<std::size_t> place_;  ///< per node in the order
  std::vector<Factor> messages_;
  std::vector<std::vector<std::size_t>> open_;  ///< per place: messages from there on to before it
  std::vector<double> constant_;                ///< per place: the same without a node
};

}  // namespace rhino::common::choice
