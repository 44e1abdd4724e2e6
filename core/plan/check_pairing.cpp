// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "ir/few.hpp"
#include "plan/plan_mesh.hpp"
#include "plan/validate_parts.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

using Instance = std::pair<std::int32_t, std::int32_t>;   // (communication, instance)
using Direction = std::pair<std::int32_t, std::int32_t>;  // from a role to a role
using Starters = ir::Few<std::int32_t, 2>;                // roles

std::string text(const ExecutionPlan& plan, const Instance& use) {
  std::string name = "communication " + std::to_string(use.first) + " '" +
                     plan.communications[at(use.first)].name + "'";
  return use.second < 0 ? name : name + " of micro-batch " + std::to_string(use.second);
}

/// Numbers for the uses that a plan makes of its communications, from 0 and in order.
class Uses {
 public:
  explicit Uses(const ExecutionPlan& plan) : instances_(plan.communications.size()) {
    for (const Role& role : plan.roles) {
      for (const Instruction& instruction : role.instructions) {
        if (is_use(instruction)) add(instruction);
      }
    }
    for (std::vector<std::int32_t>& list : instances_) {
      if (!std::ranges::is_sorted(list)) std::ranges::sort(list);
      list.erase(std::unique(list.begin(), list.end()), list.end());
      begin_.push_back(size_);
      size_ += list.size();
    }
  }

  static bool is_use(const Instruction& instruction) {
    return instruction.kind == InstructionKind::start || instruction.kind == InstructionKind::wait;
  }
  std::size_t size() const { return size_; }
  /// The first of a communication, or of those behind it.
  std::size_t begin(std::size_t communication) const {
    return communication < begin_.size() ? begin_[communication] : size_;
  }
  /// Of a use that the plan makes. Mostly they are those of successive micro-batches.
  std::size_t number(const Instruction& instruction) const {
    const std::vector<std::int32_t>& list = instances_[at(instruction.index)];
    const std::size_t guess = at(instruction.instance - list.front());
    const bool is_there = guess < list.size() && list[guess] == instruction.instance;
    const auto found = is_there ? list.begin() + static_cast<std::ptrdiff_t>(guess)
                                : std::ranges::lower_bound(list, instruction.instance);
    return begin_[at(instruction.index)] + at(found - list.begin());
  }
  Instance operator[](std::size_t number) const {
    const auto after = std::ranges::upper_bound(begin_, number);
    const std::size_t communication = at(after - begin_.begin()) - 1;
    return {static_cast<std::int32_t>(communication),
            instances_[communication][number - begin_[communication]]};
  }

 private:
  void add(const Instruction& instruction) {
    std::vector<std::int32_t>& list = instances_[at(instruction.index)];
    if (list.empty() || list.back() != instruction.instance) list.push_back(instruction.instance);
  }

  std::vector<std::vector<std::int32_t>> instances_;  ///< per communication, increasing
  std::vector<std::size_t> begin_;                    ///< per communication
  std::size_t size_ = 0;
};

class PairingChecker {
 public:
  explicit PairingChecker(const ExecutionPlan& plan)
      : plan_(plan),
        uses_(plan),
        members_(plan.communications.size()),
        starters_(uses_.size()),
        starts_(plan.roles.size()),
        directions_(plan.communications.size()) {}

  void check() {
    for (std::size_t c = 0; c < members_.size(); ++c) find_members(c);
    check_lists();
    for (std::size_t c = 0; c < members_.size(); ++c) check_all_started(c);
    check_order();
    check_waits();
  }

 private:
  /// Roles that take part in a transfer. Collectives stay inside the role that starts them.
  void find_members(std::size_t index) {
    for (const TransferLayout& layout : plan_.communications[index].layouts) {
      for (std::int32_t role : roles_of(layout.source)) members_[index].insert(role);
      for (const TransferEnd& target : layout.targets) {
        for (std::int32_t role : roles_of(target)) members_[index].insert(role);
      }
    }
  }
  std::vector<std::int32_t> roles_of(const TransferEnd& end) const {
    if (end.role >= 0) return {end.role};
    std::vector<std::int32_t> roles;
    for (std::int32_t role = 0; role < std::ssize(plan_.roles); ++role) {
      if (has_role(plan_, end, role)) roles.push_back(role);
    }
    return roles;
  }

  [[noreturn]] void fail(std::size_t role, std::size_t instruction,
                         const std::string& sentence) const {
    throw Error(instruction_place(plan_, role, instruction) + ": " + sentence);
  }

  void check_lists() {
    std::vector<std::int32_t> started_in(uses_.size(), -1), awaited_in(uses_.size(), -1);
    for (std::size_t role = 0; role < plan_.roles.size(); ++role) {
      const auto own = static_cast<std::int32_t>(role);
      std::vector<std::size_t> started;
      const std::vector<Instruction>& list = plan_.roles[role].instructions;
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (!Uses::is_use(list[i])) continue;
        const std::size_t use = uses_.number(list[i]);
        if (list[i].kind == InstructionKind::start) {
          if (std::exchange(started_in[use], own) == own)
            fail(role, i, "starts " + text(plan_, uses_[use]) + " twice");
          note_start(role, i, use);
          started.push_back(use);
        } else {
          if (started_in[use] != own)
            fail(role, i, "waits for " + text(plan_, uses_[use]) + ", which it has not started");
          if (std::exchange(awaited_in[use], own) == own)
            fail(role, i, "waits for " + text(plan_, uses_[use]) + " twice");
        }
      }
      check_awaited(role, started, awaited_in);
    }
  }
  void check_awaited(std::size_t role, const std::vector<std::size_t>& started,
                     const std::vector<std::int32_t>& awaited_in) const {
    std::size_t left = uses_.size();
    for (const std::size_t use : started)
      if (awaited_in[use] != static_cast<std::int32_t>(role)) left = std::min(left, use);
    if (left < uses_.size())
      throw Error("role " + std::to_string(role) + " starts " + text(plan_, uses_[left]) +
                  " and never waits for it");
  }
  void note_start(std::size_t role, std::size_t instruction, std::size_t use) {
    const std::int32_t index = plan_.roles[role].instructions[instruction].index;
    const bool is_transfer = plan_.communications[at(index)].kind == CommunicationKind::transfer;
    if (is_transfer && !members_[at(index)].contains(static_cast<std::int32_t>(role)))
      fail(role, instruction, "takes no part in " + text(plan_, uses_[use]));
    Starters& roles = starters_[use];
    if (!is_transfer && !roles.empty())
      fail(role, instruction, "starts " + text(plan_, uses_[use]) + ", which is another role's");
    roles.push_back(static_cast<std::int32_t>(role));
    if (is_transfer) starts_[role].push_back(use);
  }

  void check_all_started(std::size_t communication) const {
    if (members_[communication].empty()) return;
    for (std::size_t use = uses_.begin(communication); use < uses_.begin(communication + 1);
         ++use) {
      const Starters& roles = starters_[use];
      for (const std::int32_t member : members_[communication]) {
        if (std::find(roles.begin(), roles.end(), member) != roles.end()) continue;
        const DeviceId device = plan_.roles[at(member)].mesh.devices.front();
        throw Error("device " + std::to_string(device) + " (role " + std::to_string(member) +
                    ") never starts " + text(plan_, uses_[use]) + ", which role " +
                    std::to_string(roles[0]) + " starts");
      }
    }
  }

  /// What one role sends another, both start in the same order.
  void check_order() {
    std::map<Direction, std::vector<std::size_t>> sent, received;
    for (std::size_t role = 0; role < starts_.size(); ++role) {
      const auto own = static_cast<std::int32_t>(role);
      for (const std::size_t use : starts_[role]) {
        for (const Direction& direction : directions(uses_[use].first)) {
          if (direction.first == own) sent[direction].push_back(use);
          if (direction.second == own) received[direction].push_back(use);
        }
      }
    }
    for (const auto& [pair, uses] : sent) {
      const std::vector<std::size_t>& other = received[pair];
      const auto [first, second] =
          std::mismatch(uses.begin(), uses.end(), other.begin(), other.end());
      if (first == uses.end() && second == other.end()) continue;
      const auto said = [&](auto use, const std::vector<std::size_t>& list) {
        return use == list.end() ? "nothing more" : text(plan_, uses_[*use]);
      };
      throw Error("role " + std::to_string(pair.first) + " sends " + said(first, uses) +
                  " to role " + std::to_string(pair.second) + " where that one expects " +
                  said(second, other));
    }
  }
  const std::set<Direction>& directions(std::int32_t communication) {
    std::optional<std::set<Direction>>& known = directions_[at(communication)];
    if (known) return *known;
    known.emplace();
    for (const TransferLayout& layout : plan_.communications[at(communication)].layouts) {
      for (std::int32_t source : roles_of(layout.source)) {
        for (const TransferEnd& target : layout.targets) {
          for (std::int32_t role : roles_of(target)) known->insert({source, role});
        }
      }
    }
    return *known;
  }

  /// Walks all lists at once: a Start never blocks, a Wait blocks until every role that takes part
  /// has started. What is stuck then is a cycle. No backend blocks where this does not.
  void check_waits() const {
    std::vector<std::size_t> num_started(uses_.size());
    std::vector<std::size_t> next(plan_.roles.size(), 0);
    std::map<std::size_t, std::vector<std::size_t>> sleepers;
    std::vector<std::size_t> awake;
    for (std::size_t role = plan_.roles.size(); role-- > 0;) awake.push_back(role);
    while (!awake.empty()) {
      const std::size_t role = awake.back();
      awake.pop_back();
      const std::vector<Instruction>& list = plan_.roles[role].instructions;
      for (; next[role] < list.size(); ++next[role]) {
        const Instruction& instruction = list[next[role]];
        if (!Uses::is_use(instruction)) continue;
        const std::size_t use = uses_.number(instruction);
        if (instruction.kind == InstructionKind::start) {
          if (++num_started[use] < num_members(instruction.index)) continue;
          const auto woken = sleepers.find(use);
          if (woken == sleepers.end()) continue;
          awake.insert(awake.end(), woken->second.begin(), woken->second.end());
          sleepers.erase(woken);
        } else if (num_started[use] < num_members(instruction.index)) {
          sleepers[use].push_back(role);
          break;
        }
      }
    }
    for (const auto& [use, roles] : sleepers) {
      fail(roles.front(), next[roles.front()],
           "waits for ever for " + text(plan_, uses_[use]) +
               ": roles wait for each other in a cycle");
    }
  }
  std::size_t num_members(std::int32_t communication) const {
    return std::max<std::size_t>(1, members_[at(communication)].size());
  }

  const ExecutionPlan& plan_;
  const Uses uses_;
  std::vector<std::set<std::int32_t>> members_;   ///< per communication
  std::vector<Starters> starters_;                ///< per use
  std::vector<std::vector<std::size_t>> starts_;  ///< per role: uses that are transfers
  std::vector<std::optional<std::set<Direction>>> directions_;  ///< per communication
};

}  // namespace

void check_pairing(const ExecutionPlan& plan) { PairingChecker(plan).check(); }

}  // namespace rhino::plan
