// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sharding/chunks.hpp"

namespace rhino {
namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

// Movable ops in program order.
std::vector<ValueId> program_order(const OpGraph& graph, const std::vector<bool>& movable) {
  std::vector<ValueId> order;
  for (ValueId id = 0; id < graph.size(); ++id) {
    if (movable[at(id)]) order.push_back(id);
  }
  return order;
}

// Movable ops so that each follows what it reads as closely as a depth-first walk from the ends can
// have it; `reversed`: operands are visited last to first.
std::vector<ValueId> depth_first_order(const OpGraph& graph, const std::vector<bool>& movable,
                                       bool reversed) {
  std::vector<ValueId> order;
  std::vector<bool> seen(movable.size());
  struct Visit {
    ValueId id;
    std::size_t next;
  };
  std::vector<Visit> stack;
  const auto enter = [&](ValueId id) {
    if (!movable[at(id)] || seen[at(id)]) return;
    seen[at(id)] = true;
    stack.push_back({id, 0});
  };
  for (ValueId root = 0; root < graph.size(); ++root) {
    const auto uses = graph.uses(root);
    const bool is_end = std::none_of(uses.begin(), uses.end(),
                                     [&](const Use& use) { return movable[at(use.user)]; });
    if (!is_end) continue;
    enter(root);
    while (!stack.empty()) {
      Visit& top = stack.back();
      const auto& operands = graph.op(top.id).operands;
      if (top.next == operands.size()) {
        order.push_back(top.id);
        stack.pop_back();
        continue;
      }
      const std::size_t i = reversed ? operands.size() - 1 - top.next : top.next;
      ++top.next;
      enter(operands[i]);
    }
  }
  return order;
}

}  // namespace

std::vector<std::vector<ValueId>> topological_orders(const OpGraph& graph,
                                                     const std::vector<bool>& movable) {
  return {program_order(graph, movable), depth_first_order(graph, movable, false),
          depth_first_order(graph, movable, true)};
}

std::vector<double> border_bytes(const OpGraph& graph, const std::vector<ValueId>& order) {
  std::vector<std::int32_t> position(at(graph.size()), -1);
  for (std::size_t i = 0; i < order.size(); ++i) {
    position[at(order[i])] = static_cast<std::int32_t>(i);
  }
  std::vector<double> bytes(order.size() + 1);
  for (ValueId id = 0; id < graph.size(); ++id) {
    if (graph.is_pure(id)) continue;
    std::int32_t first = position[at(id)], last = first;
    for (const Use& use : graph.uses(id)) {
      const std::int32_t user = position[at(use.user)];
      if (user < 0) continue;
      if (first < 0) first = user;
      last = std::max(last, user);
    }
    if (last <= first) continue;
    const auto size = static_cast<double>(num_bytes(graph.op(id).shape));
    bytes[at(first) + 1] += size;
    bytes[at(last) + 1] -= size;
  }
  for (std::size_t p = 1; p < bytes.size(); ++p) bytes[p] += bytes[p - 1];
  return bytes;
}

}  // namespace rhino
