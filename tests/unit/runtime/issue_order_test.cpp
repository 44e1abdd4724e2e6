// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/issue_order.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino {
namespace {

using runtime::CommunicationUse;

plan::Instruction instruction(plan::InstructionKind kind, std::int32_t communication) {
  return {.kind = kind, .index = communication, .instance = -1, .inputs = {}, .outputs = {}};
}

/// Communications that roles carry out together in one order: the Starts and Waits of a role are
/// then moved apart, Starts forward past each other and Runs, Waits back.
plan::ExecutionPlan random_plan(std::mt19937& random) {
  const auto below = [&](std::size_t n) { return random() % n; };
  plan::ExecutionPlan plan;
  plan.roles.resize(2 + below(3));
  const auto count = static_cast<std::int32_t>(2 + below(8));
  for (std::int32_t c = 0; c < count; ++c) {
    for (plan::Role& role : plan.roles) {
      if (below(3) == 0) continue;
      role.instructions.push_back(instruction(plan::InstructionKind::start, c));
      role.instructions.push_back(instruction(plan::InstructionKind::wait, c));
      if (below(2)) role.instructions.push_back(instruction(plan::InstructionKind::run, 0));
    }
  }
  for (plan::Role& role : plan.roles) {
    std::vector<plan::Instruction>& list = role.instructions;
    for (std::size_t turn = 0; turn < 4 * list.size(); ++turn) {
      if (list.size() < 2) break;
      const std::size_t i = below(list.size() - 1);
      const bool begins_earlier = list[i + 1].kind == plan::InstructionKind::start;
      const bool is_waited_later = list[i].kind == plan::InstructionKind::wait;
      if (begins_earlier || is_waited_later) std::swap(list[i], list[i + 1]);
      const bool is_pair = list[i].index == list[i + 1].index;
      if (is_pair && list[i].kind == plan::InstructionKind::wait &&
          list[i + 1].kind == plan::InstructionKind::start)
        std::swap(list[i], list[i + 1]);
    }
  }
  return plan;
}

/// Whether one sequence of all uses has every role's order as a part.
bool agree(const std::vector<std::vector<CommunicationUse>>& orders) {
  std::vector<std::size_t> next(orders.size());
  while (true) {
    bool left = false, moved = false;
    for (std::size_t role = 0; role < orders.size(); ++role) {
      if (next[role] == orders[role].size()) continue;
      left = true;
      const CommunicationUse use = orders[role][next[role]];
      std::vector<std::size_t> members;
      bool all_there = true;
      for (std::size_t other = 0; other < orders.size(); ++other) {
        if (!contains(orders[other], use)) continue;
        members.push_back(other);
        all_there = all_there && orders[other][next[other]] == use;
      }
      if (!all_there) continue;
      for (const std::size_t member : members) ++next[member];
      moved = true;
      break;
    }
    if (!left) return true;
    if (!moved) return false;
  }
}

/// Whether a role that issues the next one as soon as it has started it has issued each by its
/// Wait.
bool is_in_time(const plan::Role& role, const std::vector<CommunicationUse>& order) {
  std::set<CommunicationUse> started;
  std::size_t num_issued = 0;
  for (const plan::Instruction& each : role.instructions) {
    const CommunicationUse use{each.index, each.instance};
    if (each.kind == plan::InstructionKind::start) started.insert(use);
    while (num_issued < order.size() && started.contains(order[num_issued])) ++num_issued;
    if (each.kind != plan::InstructionKind::wait) continue;
    if (std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(num_issued), use) ==
        order.begin() + static_cast<std::ptrdiff_t>(num_issued))
      return false;
  }
  return num_issued == order.size();
}

TEST_CASE("communications have an order that all roles can keep") {
  const unsigned seed = Catch::rngSeed();
  std::mt19937 random(seed);
  int num_contradicting = 0;
  for (int i = 0; i < 400; ++i) {
    const plan::ExecutionPlan plan = random_plan(random);
    const auto orders = runtime::issue_orders(plan);
    INFO("plan " << i << " of seed " << seed);
    REQUIRE(orders.size() == plan.roles.size());
    REQUIRE(agree(orders));
    std::vector<std::vector<CommunicationUse>> starts(orders.size());
    for (std::size_t role = 0; role < orders.size(); ++role) {
      REQUIRE(is_in_time(plan.roles[role], orders[role]));
      for (const plan::Instruction& each : plan.roles[role].instructions) {
        if (each.kind == plan::InstructionKind::start)
          starts[role].push_back({each.index, each.instance});
      }
      REQUIRE(std::is_permutation(starts[role].begin(), starts[role].end(), orders[role].begin(),
                                  orders[role].end()));
    }
    num_contradicting += !agree(starts);
  }
  CHECK(num_contradicting > 20);  // the order of Starts alone would not do
}

TEST_CASE("a plan that blocks whatever the order is refused") {
  plan::ExecutionPlan plan;
  plan.roles.resize(2);
  using enum plan::InstructionKind;
  plan.roles[0].instructions = {instruction(start, 0), instruction(wait, 0), instruction(start, 1),
                                instruction(wait, 1)};
  plan.roles[1].instructions = {instruction(start, 1), instruction(wait, 1), instruction(start, 0),
                                instruction(wait, 0)};
  CHECK_THROWS_AS(runtime::issue_orders(plan), Error);
}

}  // namespace
}  // namespace rhino
