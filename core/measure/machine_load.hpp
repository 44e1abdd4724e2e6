// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/experiment.hpp"
#include "plan/execution_plan.hpp"

namespace rhino::measure {

/// What the workers of a plan ask of one machine. Emulated hosts are of this one, containers that
/// agents are in may be of one, too.
struct MachineLoad {
  std::string name;  ///< of one of its hosts; `this machine`
  std::int32_t num_ranks = 0, num_cores = 0;
  double needed_bytes = 0, memory_bytes = 0;
};

/// The first is this machine. `num_ranks`: all devices of `cluster`, or those of the plan alone.
std::vector<MachineLoad> machine_loads(const config::CellSpec& cell, const Cluster& cluster,
                                       const plan::ExecutionPlan& plan, std::int64_t num_ranks);

/// More ranks than cores, on some machine.
bool is_oversubscribed(const std::vector<MachineLoad>& machines);
/// Of the machine that has most.
std::int32_t most_ranks(const std::vector<MachineLoad>& machines);
/// Throws runtime::OutOfMemory naming a machine whose memory cannot hold its ranks.
void refuse_too_large(const std::vector<MachineLoad>& machines);

/// Devices of a cell that are on this machine.
std::int32_t num_devices_here(const config::CellSpec& cell, const Cluster& cluster);

}  // namespace rhino::measure
