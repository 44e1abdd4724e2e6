// SPDX-License-Identifier: Apache-2.0
#include "lower/group_graph.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "rhino/index.hpp"

namespace rhino::lower {
namespace {

constexpr std::size_t kMaxVisited = 256;
constexpr std::int32_t kMaxDistance = 256;

}  // namespace

GroupGraph::GroupGraph(std::int32_t num_ops)
    : parent_(at(num_ops)),
      position_(at(num_ops)),
      sequence_(at(num_ops)),
      users_(at(num_ops)),
      visited_(at(num_ops)) {
  std::iota(parent_.begin(), parent_.end(), 0);
  position_ = sequence_ = parent_;
}

void GroupGraph::connect(std::int32_t from, std::int32_t to) { users_[at(from)].push_back(to); }

std::int32_t GroupGraph::find(std::int32_t op) {
  while (parent_[at(op)] != op) {
    parent_[at(op)] = parent_[at(parent_[at(op)])];
    op = parent_[at(op)];
  }
  return op;
}

bool GroupGraph::collect_dependents(std::int32_t first, std::int32_t except) {
  const std::int32_t limit = position(except);
  ++search_;
  dependents_.assign(1, first);
  for (std::size_t i = 0; i < dependents_.size(); ++i) {
    for (std::int32_t user : users_[at(dependents_[i])]) {
      const std::int32_t group = find(user);
      if (group == except && i > 0) return false;
      if (group == first || position(group) >= limit || visited_[at(group)] == search_) continue;
      visited_[at(group)] = search_;
      dependents_.push_back(group);
      if (dependents_.size() > kMaxVisited) return false;
    }
  }
  return true;
}

bool GroupGraph::can_merge(std::int32_t a, std::int32_t b) {
  if (position(a) > position(b)) std::swap(a, b);
  return position(b) - position(a) <= kMaxDistance && collect_dependents(a, b);
}

std::int32_t GroupGraph::merge(std::int32_t a, std::int32_t b) {
  if (position(a) > position(b)) std::swap(a, b);
  // What needs `a` and lies between moves behind the merged group; what it does not need keeps its
  // place.
  const std::int32_t begin = position(a), end = position(b);
  for (std::int32_t group : dependents_) sequence_[at(position(group))] = -1;
  std::int32_t write = begin;
  for (std::int32_t read = begin; read < end; ++read) {
    const std::int32_t group = std::exchange(sequence_[at(read)], -1);
    if (group < 0) continue;
    sequence_[at(write)] = group;
    position_[at(group)] = write++;
  }
  sequence_[at(end)] = -1;
  const auto place = [&](std::int32_t group) {
    sequence_[at(write)] = group;
    position_[at(group)] = write++;
  };
  const bool keep_a = users_[at(a)].size() >= users_[at(b)].size();
  const std::int32_t kept = keep_a ? a : b, gone = keep_a ? b : a;
  place(kept);
  std::vector<std::int32_t> moved(dependents_.begin() + 1, dependents_.end());
  std::sort(moved.begin(), moved.end(),
            [&](std::int32_t x, std::int32_t y) { return position(x) < position(y); });
  for (std::int32_t group : moved) place(group);
  parent_[at(gone)] = kept;
  std::vector<std::int32_t>& users = users_[at(kept)];
  users.insert(users.end(), users_[at(gone)].begin(), users_[at(gone)].end());
  users_[at(gone)].clear();
  return kept;
}

}  // namespace rhino::lower
