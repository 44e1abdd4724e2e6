// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "plan/plan_mesh.hpp"
#include "plan/validate_parts.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

using Use = std::pair<std::int32_t, std::int32_t>;  // (communication, instance)

std::string text(const ExecutionPlan& plan, const Use& use) {
  std::string name = "communication " + std::to_string(use.first) + " '" +
                     plan.communications[at(use.first)].name + "'";
  return use.second < 0 ? name : name + " of micro-batch " + std::to_string(use.second);
}

class PairingChecker {
 public:
  explicit PairingChecker(const ExecutionPlan& plan)
      : plan_(plan), members_(plan.communications.size()) {}

  void check() {
    for (std::size_t c = 0; c < members_.size(); ++c) find_members(c);
    for (std::size_t role = 0; role < plan_.roles.size(); ++role) check_list(role);
    for (const auto& [use, roles] : started_) check_all_started(use, roles);
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

  void check_list(std::size_t role) {
    std::map<Use, bool> own;  // waited for
    const std::vector<Instruction>& list = plan_.roles[role].instructions;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Use use{list[i].index, list[i].instance};
      if (list[i].kind == InstructionKind::start) {
        if (!own.try_emplace(use, false).second)
          fail(role, i, "starts " + text(plan_, use) + " twice");
        note_start(role, i, use);
      } else if (list[i].kind == InstructionKind::wait) {
        const auto found = own.find(use);
        if (found == own.end())
          fail(role, i, "waits for " + text(plan_, use) + ", which it has not started");
        if (std::exchange(found->second, true))
          fail(role, i, "waits for " + text(plan_, use) + " twice");
      }
    }
    for (const auto& [use, waited] : own) {
      if (!waited)
        throw Error("role " + std::to_string(role) + " starts " + text(plan_, use) +
                    " and never waits for it");
    }
  }
  void note_start(std::size_t role, std::size_t instruction, const Use& use) {
    const std::set<std::int32_t>& members = members_[at(use.first)];
    const bool is_transfer =
        plan_.communications[at(use.first)].kind == CommunicationKind::transfer;
    if (is_transfer && !members.contains(static_cast<std::int32_t>(role)))
      fail(role, instruction, "takes no part in " + text(plan_, use));
    std::vector<std::int32_t>& roles = started_[use];
    if (!is_transfer && !roles.empty())
      fail(role, instruction, "starts " + text(plan_, use) + ", which is another role's");
    roles.push_back(static_cast<std::int32_t>(role));
    if (is_transfer) starts_[role].push_back(use);
  }

  void check_all_started(const Use& use, const std::vector<std::int32_t>& roles) const {
    for (std::int32_t member : members_[at(use.first)]) {
      if (std::find(roles.begin(), roles.end(), member) != roles.end()) continue;
      const DeviceId device = plan_.roles[at(member)].mesh.devices.front();
      throw Error("device " + std::to_string(device) + " (role " + std::to_string(member) +
                  ") never starts " + text(plan_, use) + ", which role " +
                  std::to_string(roles.front()) + " starts");
    }
  }

  /// What one role sends another, both start in the same order.
  void check_order() {
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<Use>> sent,
        received;  // by (from, to)
    for (const auto& [role, uses] : starts_) {
      const auto own = static_cast<std::int32_t>(role);
      for (const Use& use : uses) {
        for (const auto& [from, to] : directions(use.first)) {
          if (from == own) sent[{from, to}].push_back(use);
          if (to == own) received[{from, to}].push_back(use);
        }
      }
    }
    for (const auto& [pair, uses] : sent) {
      const std::vector<Use>& other = received[pair];
      const auto [first, second] =
          std::mismatch(uses.begin(), uses.end(), other.begin(), other.end());
      if (first == uses.end() && second == other.end()) continue;
      throw Error("role " + std::to_string(pair.first) + " sends " + text(plan_, *first) +
                  " to role " + std::to_string(pair.second) + " where that one expects " +
                  text(plan_, *second));
    }
  }
  const std::set<std::pair<std::int32_t, std::int32_t>>& directions(std::int32_t communication) {
    const auto [found, added] = directions_.try_emplace(communication);
    if (!added) return found->second;
    for (const TransferLayout& layout : plan_.communications[at(communication)].layouts) {
      for (std::int32_t source : roles_of(layout.source)) {
        for (const TransferEnd& target : layout.targets) {
          for (std::int32_t role : roles_of(target)) found->second.insert({source, role});
        }
      }
    }
    return found->second;
  }

  /// Walks all lists at once: a Start never blocks, a Wait blocks until every role that takes part
  /// has started. What is stuck then is a cycle. No backend blocks where this does not.
  void check_waits() const {
    std::map<Use, std::size_t> started;
    std::vector<std::size_t> next(plan_.roles.size(), 0);
    std::map<Use, std::vector<std::size_t>> sleepers;
    std::vector<std::size_t> awake;
    for (std::size_t role = plan_.roles.size(); role-- > 0;) awake.push_back(role);
    while (!awake.empty()) {
      const std::size_t role = awake.back();
      awake.pop_back();
      const std::vector<Instruction>& list = plan_.roles[role].instructions;
      for (; next[role] < list.size(); ++next[role]) {
        const Instruction& instruction = list[next[role]];
        const Use use{instruction.index, instruction.instance};
        if (instruction.kind == InstructionKind::start) {
          if (++started[use] < num_members(use)) continue;
          const auto woken = sleepers.find(use);
          if (woken == sleepers.end()) continue;
          awake.insert(awake.end(), woken->second.begin(), woken->second.end());
          sleepers.erase(woken);
        } else if (instruction.kind == InstructionKind::wait && started[use] < num_members(use)) {
          sleepers[use].push_back(role);
          break;
        }
      }
    }
    for (const auto& [use, roles] : sleepers) {
      fail(roles.front(), next[roles.front()],
           "waits for ever for " + text(plan_, use) + ": roles wait for each other in a cycle");
    }
  }
  std::size_t num_members(const Use& use) const {
    return std::max<std::size_t>(1, members_[at(use.first)].size());
  }

  const ExecutionPlan& plan_;
  std::vector<std::set<std::int32_t>> members_;
  std::map<Use, std::vector<std::int32_t>> started_;
  std::map<std::size_t, std::vector<Use>> starts_;  ///< of transfers, per role
  std::map<std::int32_t, std::set<std::pair<std::int32_t, std::int32_t>>> directions_;
};

}  // namespace

void check_pairing(const ExecutionPlan& plan) { PairingChecker(plan).check(); }

}  // namespace rhino::plan
