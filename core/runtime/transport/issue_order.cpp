// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/issue_order.hpp"

#include <map>

#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::runtime {
namespace {

/// All roles going through their lists, one Run each per round.
class Walk {
 public:
  explicit Walk(const plan::ExecutionPlan& plan)
      : plan_(plan), next_(plan.roles.size()), orders_(plan.roles.size()) {
    for (std::size_t role = 0; role < plan.roles.size(); ++role) {
      for (const plan::Instruction& instruction : plan.roles[role].instructions) {
        if (instruction.kind == plan::InstructionKind::start)
          uses_[use_of(instruction)].roles.push_back(role);
      }
    }
  }

  std::vector<std::vector<CommunicationUse>> finish() {
    for (bool moves = true; moves;) {
      moves = false;
      for (std::size_t role = 0; role < next_.size(); ++role) moves = advance(role) || moves;
    }
    for (std::size_t role = 0; role < next_.size(); ++role) {
      if (next_[role] < plan_.roles[role].instructions.size())
        throw Error("the communications of the plan have no order in which none blocks another");
    }
    return std::move(orders_);
  }

 private:
  struct Use {
    std::vector<std::size_t> roles;
    std::size_t num_started = 0;
    bool is_over() const { return num_started == roles.size(); }
  };

  static CommunicationUse use_of(const plan::Instruction& instruction) {
    return {instruction.index, instruction.instance};
  }

  /// To the next Run, or to a Wait that others hold up. True: it came further.
  bool advance(std::size_t role) {
    const std::vector<plan::Instruction>& list = plan_.roles[role].instructions;
    const std::size_t before = next_[role];
    while (next_[role] < list.size()) {
      const plan::Instruction& instruction = list[next_[role]];
      if (instruction.kind == plan::InstructionKind::wait && !uses_[use_of(instruction)].is_over())
        break;
      if (instruction.kind == plan::InstructionKind::start) start(use_of(instruction));
      ++next_[role];
      if (instruction.kind == plan::InstructionKind::run) break;
    }
    return next_[role] > before;
  }

  void start(const CommunicationUse& name) {
    Use& use = uses_[name];
    ++use.num_started;
    if (!use.is_over()) return;
    for (const std::size_t role : use.roles) orders_[role].push_back(name);
  }

  const plan::ExecutionPlan& plan_;
  std::vector<std::size_t> next_;  ///< per role
  std::map<CommunicationUse, Use> uses_;
  std::vector<std::vector<CommunicationUse>> orders_;
};

}  // namespace

std::vector<std::vector<CommunicationUse>> issue_orders(const plan::ExecutionPlan& plan) {
  return Walk(plan).finish();
}

}  // namespace rhino::runtime
