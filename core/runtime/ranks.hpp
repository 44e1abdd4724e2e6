// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "plan/execution_plan.hpp"

namespace rhino::runtime {

/// The device that a rank drives and its place in the plan.
struct RankPlace {
  DeviceId device = 0;
  std::int32_t role = 0;      ///< index in ExecutionPlan::roles
  std::int32_t position = 0;  ///< index in the role's mesh.devices
};

/// One rank per device of the plan, in the order of device ids.
std::vector<RankPlace> place_ranks(const plan::ExecutionPlan& plan);

/// For people: `run of 'forward.0'`, `wait for 'activations 0 to 1', micro-batch 2`.
std::string describe_instruction(const plan::ExecutionPlan& plan,
                                 const plan::Instruction& instruction);

}  // namespace rhino::runtime
