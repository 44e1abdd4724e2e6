// SPDX-License-Identifier: Apache-2.0
#include "cost/tightest_set.hpp"

#include <algorithm>
#include <limits>

namespace rhino {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// Divides works among nodes that take at most `capacity` each: a maximum flow through levels
/// (Dinic) from works to nodes.
class Division {
 public:
  Division(const std::vector<SharedWork>& works, std::int32_t num_nodes, std::int64_t scale,
           std::int64_t capacity)
      : works_(works), room_(at(num_nodes), capacity), takers_(at(num_nodes)) {
    for (std::size_t w = 0; w < works.size(); ++w) {
      left_.push_back(works[w].amount * scale);
      given_.emplace_back(works[w].nodes.size(), 0);
      for (std::size_t k = 0; k < works[w].nodes.size(); ++k)
        takers_[at(works[w].nodes[k])].push_back({w, k});
    }
    while (find_levels()) {
      next_work_.assign(works.size(), 0);
      next_taker_.assign(at(num_nodes), 0);
      for (std::size_t w = 0; w < works.size(); ++w) {
        while (left_[w] > 0) {
          const std::int64_t pushed = push_work(w, left_[w]);
          if (pushed == 0) break;
          left_[w] -= pushed;
        }
      }
    }
  }

  bool all_done() const {
    return std::all_of(left_.begin(), left_.end(), [](std::int64_t left) { return left == 0; });
  }

  /// Nodes that unfinished works reach: full, and so are all that could relieve them.
  std::vector<std::int32_t> overloaded() const {
    std::vector<std::int32_t> nodes;
    for (std::size_t v = 0; v < node_level_.size(); ++v) {
      if (node_level_[v] >= 0) nodes.push_back(static_cast<std::int32_t>(v));
    }
    return nodes;
  }

 private:
  struct Taker {
    std::size_t work = 0, slot = 0;
  };

  /// Breadth first from the unfinished works; true where a node with room is reached.
  bool find_levels() {
    work_level_.assign(works_.size(), -1);
    node_level_.assign(room_.size(), -1);
    std::vector<std::size_t> works;
    for (std::size_t w = 0; w < works_.size(); ++w) {
      if (left_[w] > 0) work_level_[w] = 0, works.push_back(w);
    }
    bool has_room = false;
    for (std::int32_t level = 0; !works.empty() && !has_room; level += 2) {
      std::vector<std::size_t> next;
      for (const std::size_t w : works) {
        for (const std::int32_t v : works_[w].nodes) {
          if (node_level_[at(v)] >= 0) continue;
          node_level_[at(v)] = level + 1;
          has_room |= room_[at(v)] > 0;
          for (const Taker& taker : takers_[at(v)]) {
            if (work_level_[taker.work] >= 0 || given_[taker.work][taker.slot] == 0) continue;
            work_level_[taker.work] = level + 2;
            next.push_back(taker.work);
          }
        }
      }
      works = std::move(next);
    }
    return has_room;
  }

  std::int64_t push_work(std::size_t w, std::int64_t limit) {
    for (std::size_t& k = next_work_[w]; k < works_[w].nodes.size(); ++k) {
      const std::size_t v = at(works_[w].nodes[k]);
      if (node_level_[v] != work_level_[w] + 1) continue;
      const std::int64_t pushed = push_node(v, limit);
      if (pushed == 0) continue;
      given_[w][k] += pushed;
      return pushed;
    }
    return 0;
  }

  /// Takes up to `limit`, or hands as much of what it has over to others.
  std::int64_t push_node(std::size_t v, std::int64_t limit) {
    if (room_[v] > 0) {
      const std::int64_t taken = std::min(limit, room_[v]);
      room_[v] -= taken;
      return taken;
    }
    for (std::size_t& i = next_taker_[v]; i < takers_[v].size(); ++i) {
      const auto [w, slot] = takers_[v][i];
      if (given_[w][slot] == 0 || work_level_[w] != node_level_[v] + 1) continue;
      const std::int64_t pushed = push_work(w, std::min(limit, given_[w][slot]));
      if (pushed == 0) continue;
      given_[w][slot] -= pushed;
      return pushed;
    }
    return 0;
  }

  const std::vector<SharedWork>& works_;
  std::vector<std::int64_t> left_, room_;         ///< per work, per node
  std::vector<std::vector<std::int64_t>> given_;  ///< per work, to each of its nodes
  std::vector<std::vector<Taker>> takers_;        ///< per node: works that may give to it
  std::vector<std::int32_t> work_level_, node_level_;
  std::vector<std::size_t> next_work_, next_taker_;
};

TightestSet within(const std::vector<SharedWork>& works, std::vector<std::int32_t> nodes,
                   std::int32_t num_nodes) {
  std::vector<bool> inside(at(num_nodes), false);
  for (const std::int32_t v : nodes) inside[at(v)] = true;
  TightestSet set{0, std::move(nodes)};
  for (const SharedWork& work : works) {
    if (std::all_of(work.nodes.begin(), work.nodes.end(),
                    [&](std::int32_t v) { return inside[at(v)]; }))
      set.amount += work.amount;
  }
  return set;
}

}  // namespace

TightestSet tightest_set(const std::vector<SharedWork>& works, std::int32_t num_nodes) {
  std::vector<bool> used(at(num_nodes), false);
  for (const SharedWork& work : works) {
    for (const std::int32_t v : work.nodes) used[at(v)] = used[at(v)] || work.amount > 0;
  }
  std::vector<std::int32_t> all;
  for (std::int32_t v = 0; v < num_nodes; ++v) {
    if (used[at(v)]) all.push_back(v);
  }
  if (all.empty()) return {};
  TightestSet best = within(works, all, num_nodes);
  while (true) {
    const Division division(works, num_nodes, static_cast<std::int64_t>(best.nodes.size()),
                            best.amount);
    if (division.all_done()) return best;
    best = within(works, division.overloaded(), num_nodes);
  }
}

}  // namespace rhino
