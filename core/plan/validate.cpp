// SPDX-License-Identifier: Apache-2.0
#include "plan/validate.hpp"

#include <set>

#include "plan/check_indices.hpp"
#include "plan/validate_parts.hpp"
#include "rhino/error.hpp"

namespace rhino::plan {
namespace {

void check_disjoint(const ExecutionPlan& plan) {
  std::set<DeviceId> taken;
  for (const Role& role : plan.roles) {
    for (DeviceId device : role.mesh.devices) {
      if (!taken.insert(device).second)
        throw Error("device " + std::to_string(device) + " has two roles");
    }
  }
}

}  // namespace

const char* name_of(InstructionPhase phase) {
  constexpr const char* kNames[] = {"forward", "backward", "update", "weight"};
  return kNames[static_cast<int>(phase)];
}

std::string instruction_place(const ExecutionPlan& plan, std::size_t role,
                              std::size_t instruction) {
  const Instruction& what = plan.roles[role].instructions[instruction];
  std::string place = "device " + std::to_string(plan.roles[role].mesh.devices.front()) +
                      " (role " + std::to_string(role) + "), instruction " +
                      std::to_string(instruction) + ", " + name_of(what.phase);
  if (what.chunk >= 0) place += " of chunk " + std::to_string(what.chunk);
  if (what.instance >= 0) place += ", micro-batch " + std::to_string(what.instance);
  return place;
}

void validate(const ExecutionPlan& plan) {
  validate_order(plan);
  validate_contents(plan);
}

void validate_order(const ExecutionPlan& plan) {
  check_indices(plan);
  check_disjoint(plan);
  check_transfers(plan);
  check_pairing(plan);
}

void validate_contents(const ExecutionPlan& plan) {
  check_shapes(plan);
  check_micro_batches(plan);
  check_memory(plan);
}

}  // namespace rhino::plan
