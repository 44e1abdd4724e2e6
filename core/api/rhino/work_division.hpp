// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "rhino/index.hpp"

namespace rhino {

/// Divides works, each of which certain nodes may share, among nodes that take up to a capacity: a
/// maximum flow through levels (Dinic). Grows: works, nodes allowed for a work and capacity may be
/// added after some work is divided, and what a node has taken in sum it keeps (which share of
/// which work that is may change). Amounts are whole: bytes, or pieces. Bounds ask it how little
/// the busiest host can carry, `striped` who sends how much.
///
/// Two nodes of capacity 5; a work of 6 for either, one of 4 for node 0 alone:
///
///     WorkDivision division(2, 5);
///     division.add(6, {0, 1});
///     division.add(4, {0});
///     division.divide();    // true: the first work is shared 1 to 5
class WorkDivision {
 public:
  /// Nodes are 0 to num_nodes - 1, all of one capacity, and have taken nothing.
  WorkDivision(std::int32_t num_nodes, std::int64_t capacity)
      : capacity_(capacity), room_(at(num_nodes), capacity), givers_(at(num_nodes)) {}

  /// A work of `amount` that `nodes` may share. Returns its index: 0, 1, ... Nothing is divided
  /// yet.
  std::size_t add(std::int64_t amount, const std::vector<std::int32_t>& nodes) {
    left_.push_back(amount);
    shares_.emplace_back();
    for (const std::int32_t node : nodes) allow(left_.size() - 1, node);
    return left_.size() - 1;
  }
  /// One more node for a work; at most once each.
  void allow(std::size_t work, std::int32_t node) {
    givers_[at(node)].push_back({work, shares_[work].size()});
    shares_[work].push_back({node, 0});
  }
  /// Of every node; no less than before.
  void raise_capacity(std::int64_t capacity) {
    for (std::int64_t& room : room_) room += capacity - capacity_;
    capacity_ = capacity;
  }

  /// Divides as much as fits; true where nothing is left. The same calls in the same order give the
  /// same shares.
  bool divide() {
    while (find_levels()) {
      next_share_.assign(shares_.size(), 0);
      next_giver_.assign(room_.size(), 0);
      for (std::size_t w = 0; w < shares_.size(); ++w) {
        while (left_[w] > 0) {
          const std::int64_t pushed = push_work(w, left_[w]);
          if (pushed == 0) break;
          left_[w] -= pushed;
        }
      }
    }
    return std::all_of(left_.begin(), left_.end(), [](std::int64_t left) { return left == 0; });
  }

  /// What one node does of a work; may be 0.
  struct Share {
    std::int32_t node = 0;
    std::int64_t amount = 0;
  };
  /// Who does how much of a work, in the order in which the nodes were allowed.
  const std::vector<Share>& shares(std::size_t work) const { return shares_[work]; }

  /// After a divide() that left work: the nodes that it could go to are full, and so are all that
  /// could relieve them. Increasing. By this set alone the capacity is too small, whatever the
  /// others do: works that only its nodes may share come to more than they hold.
  std::vector<std::int32_t> overloaded() const {
    std::vector<std::int32_t> nodes;
    for (std::size_t v = 0; v < node_level_.size(); ++v) {
      if (node_level_[v] >= 0) nodes.push_back(static_cast<std::int32_t>(v));
    }
    return nodes;
  }

 private:
  /// A share of a work, seen from its node.
  struct Giver {
    std::size_t work = 0, share = 0;
  };

  /// Breadth first from the works that are left; true where a node with room is reached.
  bool find_levels() {
    work_level_.assign(shares_.size(), -1);
    node_level_.assign(room_.size(), -1);
    std::vector<std::size_t> works;
    for (std::size_t w = 0; w < shares_.size(); ++w) {
      if (left_[w] == 0) continue;
      work_level_[w] = 0;
      works.push_back(w);
    }
    bool has_room = false;
    for (std::int32_t level = 0; !works.empty() && !has_room; level += 2) {
      std::vector<std::size_t> next;
      for (const std::size_t w : works) {
        for (const Share& share : shares_[w]) {
          if (node_level_[at(share.node)] >= 0) continue;
          node_level_[at(share.node)] = level + 1;
          has_room = has_room || room_[at(share.node)] > 0;
          for (const Giver& giver : givers_[at(share.node)]) {
            const bool gives = shares_[giver.work][giver.share].amount > 0;
            if (!gives || work_level_[giver.work] >= 0) continue;
            work_level_[giver.work] = level + 2;
            next.push_back(giver.work);
          }
        }
      }
      works = std::move(next);
    }
    return has_room;
  }

  /// Gives up to `limit` of work w to nodes of the next level, or back through them; what was
  /// given.
  std::int64_t push_work(std::size_t w, std::int64_t limit) {
    for (std::size_t& k = next_share_[w]; k < shares_[w].size(); ++k) {
      const std::size_t v = at(shares_[w][k].node);
      if (node_level_[v] != work_level_[w] + 1) continue;
      const std::int64_t pushed = push_node(v, limit);
      if (pushed == 0) continue;
      shares_[w][k].amount += pushed;
      return pushed;
    }
    return 0;
  }

  /// Takes up to `limit`, or makes room by handing as much of another work on.
  std::int64_t push_node(std::size_t v, std::int64_t limit) {
    if (room_[v] > 0) {
      const std::int64_t taken = std::min(limit, room_[v]);
      room_[v] -= taken;
      return taken;
    }
    for (std::size_t& i = next_giver_[v]; i < givers_[v].size(); ++i) {
      const auto [w, k] = givers_[v][i];
      const std::int64_t given = shares_[w][k].amount;
      if (given == 0 || work_level_[w] != node_level_[v] + 1) continue;
      const std::int64_t pushed = push_work(w, std::min(limit, given));
      if (pushed == 0) continue;
      shares_[w][k].amount -= pushed;
      return pushed;
    }
    return 0;
  }

  std::int64_t capacity_;
  std::vector<std::int64_t> left_, room_;   ///< per work, per node
  std::vector<std::vector<Share>> shares_;  ///< per work
  std::vector<std::vector<Giver>> givers_;  ///< per node: the works that may go to it
  /// Of the breadth-first search: -1 where it has not come.
  std::vector<std::int32_t> work_level_, node_level_;
  /// Per work and node: what has been tried in this phase.
  std::vector<std::size_t> next_share_, next_giver_;
};

}  // namespace rhino
