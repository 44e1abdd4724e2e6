// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <random>

#include "rhino/index.hpp"
#include "sharding/chunks.hpp"

namespace rhino::sharding {
namespace {

// Many random orders of small programs, few of large ones.
constexpr std::size_t kOpsOrdered = 4000;

// Movable ops in program order.
std::vector<ValueId> program_order(const OpGraph& graph, const std::vector<bool>& movable) {
  std::vector<ValueId> order;
  for (ValueId id = 0; id < graph.size(); ++id) {
    if (movable[at(id)]) order.push_back(id);
  }
  return order;
}

// Ops that no movable op reads.
std::vector<ValueId> ends(const OpGraph& graph, const std::vector<bool>& movable) {
  std::vector<ValueId> result;
  for (ValueId id = 0; id < graph.size(); ++id) {
    const auto uses = graph.uses(id);
    const bool is_read = std::any_of(uses.begin(), uses.end(),
                                     [&](const Use& use) { return movable[at(use.user)]; });
    if (movable[at(id)] && !is_read) result.push_back(id);
  }
  return result;
}

// Movable ops so that each follows what it reads as closely as a depth-first walk from the ends can
// have it. Operands are visited from first to last, or as `random` has it.
class DepthFirstWalk {
 public:
  DepthFirstWalk(const OpGraph& graph, const std::vector<bool>& movable, std::mt19937_64* random)
      : graph_(graph), movable_(movable), random_(random), seen_(movable.size()) {}

  std::vector<ValueId> run() && {
    std::vector<ValueId> roots = ends(graph_, movable_);
    if (random_) std::shuffle(roots.begin(), roots.end(), *random_);
    for (ValueId root : roots) {
      enter(root);
      while (!stack_.empty()) step();
    }
    return std::move(order_);
  }

 private:
  struct Visit {
    ValueId id;
    std::vector<ValueId> open;  // operands to come, last first
  };

  void enter(ValueId id) {
    if (!movable_[at(id)] || seen_[at(id)]) return;
    seen_[at(id)] = true;
    const auto& operands = graph_.op(id).operands;
    Visit visit{id, {operands.rbegin(), operands.rend()}};
    if (random_) std::shuffle(visit.open.begin(), visit.open.end(), *random_);
    stack_.push_back(std::move(visit));
  }

  void step() {
    Visit& top = stack_.back();
    if (top.open.empty()) {
      order_.push_back(top.id);
      stack_.pop_back();
      return;
    }
    const ValueId next = top.open.back();
    top.open.pop_back();
    enter(next);
  }

  const OpGraph& graph_;
  const std::vector<bool>& movable_;
  std::mt19937_64* random_;
  std::vector<bool> seen_;
  std::vector<Visit> stack_;
  std::vector<ValueId> order_;
};

}  // namespace

std::vector<std::vector<ValueId>> topological_orders(const OpGraph& graph,
                                                     const std::vector<bool>& movable) {
  std::vector<std::vector<ValueId>> orders = {program_order(graph, movable),
                                              DepthFirstWalk(graph, movable, nullptr).run()};
  std::mt19937_64 random(0);
  const std::size_t num_random =
      std::clamp<std::size_t>(kOpsOrdered / std::max<std::size_t>(orders[0].size(), 1), 1, 30);
  for (std::size_t i = 0; i < num_random; ++i) {
    orders.push_back(DepthFirstWalk(graph, movable, &random).run());
  }
  return orders;
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
    const auto size = static_cast<double>(num_bytes(graph.shape(id)));
    bytes[at(first) + 1] += size;
    bytes[at(last) + 1] -= size;
  }
  for (std::size_t p = 1; p < bytes.size(); ++p) bytes[p] += bytes[p - 1];
  return bytes;
}

}  // namespace rhino::sharding
