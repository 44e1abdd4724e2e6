// SPDX-License-Identifier: Apache-2.0
#include "measure/machine_load.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "plan/bytes_text.hpp"
#include "plan/validate.hpp"
#include "planning/cell_inputs.hpp"
#include "runtime/session.hpp"
#include "topology/discover.hpp"
#include "topology/host_report.hpp"

namespace rhino::measure {
namespace {

/// nullptr: all workers are started by this process.
const std::vector<topology::FoundHost>* hosts_of(const config::CellSpec& cell) {
  return planning::is_of_found_hosts(cell) ? topology::found_hosts() : nullptr;
}

std::size_t machine_of(const std::vector<topology::FoundHost>* hosts, const Cluster& cluster,
                       DeviceId device) {
  const auto host = static_cast<std::size_t>(cluster.host_of[static_cast<std::size_t>(device)]);
  return hosts == nullptr ? 0 : static_cast<std::size_t>(hosts->at(host).machine);
}

/// What the machines have, by their numbers.
std::vector<MachineLoad> empty_machines(const std::vector<topology::FoundHost>* hosts) {
  if (hosts == nullptr) {
    const topology::Machine machine = topology::discover_machine();
    return {{.name = "this machine",
             .num_cores = machine.num_cores,
             .memory_bytes = static_cast<double>(machine.total_memory_bytes)}};
  }
  std::vector<MachineLoad> machines;
  std::vector<std::set<std::int32_t>> cores;
  for (const topology::FoundHost& host : *hosts) {
    const auto number = static_cast<std::size_t>(host.machine);
    machines.resize(std::max(machines.size(), number + 1));
    cores.resize(machines.size());
    MachineLoad& machine = machines[number];
    if (machine.name.empty()) machine.name = "host " + host.report.name;
    machine.memory_bytes = std::max(machine.memory_bytes, host.report.total_memory_bytes);
    for (const topology::Core& core : host.report.cores) cores[number].insert(core.number);
    machine.num_cores = static_cast<std::int32_t>(cores[number].size());
  }
  return machines;
}

}  // namespace

std::vector<MachineLoad> machine_loads(const config::CellSpec& cell, const Cluster& cluster,
                                       const plan::ExecutionPlan& plan, std::int64_t num_ranks) {
  const std::vector<topology::FoundHost>* hosts = hosts_of(cell);
  std::vector<MachineLoad> machines = empty_machines(hosts);
  const bool all = num_ranks == cluster.num_devices();
  for (DeviceId device = 0; all && device < cluster.num_devices(); ++device)
    ++machines[machine_of(hosts, cluster, device)].num_ranks;
  for (const plan::Role& role : plan.roles) {
    for (const DeviceId device : role.mesh.devices) {
      MachineLoad& machine = machines[machine_of(hosts, cluster, device)];
      machine.num_ranks += all ? 0 : 1;
      machine.needed_bytes += static_cast<double>(plan::memory_bytes(role));
    }
  }
  return machines;
}

bool is_oversubscribed(const std::vector<MachineLoad>& machines) {
  return std::ranges::any_of(machines,
                             [](const MachineLoad& one) { return one.num_ranks > one.num_cores; });
}

std::int32_t most_ranks(const std::vector<MachineLoad>& machines) {
  return std::max(1, std::ranges::max(machines, {}, &MachineLoad::num_ranks).num_ranks);
}

void refuse_too_large(const std::vector<MachineLoad>& machines) {
  for (const MachineLoad& one : machines) {
    if (one.needed_bytes > one.memory_bytes)
      throw runtime::OutOfMemory(fmt::format("the plan takes {} of {}, which has {}",
                                             plan::bytes_text(one.needed_bytes), one.name,
                                             plan::bytes_text(one.memory_bytes)));
  }
}

std::int32_t num_devices_here(const config::CellSpec& cell, const Cluster& cluster) {
  const std::vector<topology::FoundHost>* hosts = hosts_of(cell);
  std::int32_t count = 0;
  for (DeviceId device = 0; device < cluster.num_devices(); ++device)
    count += machine_of(hosts, cluster, device) == 0 ? 1 : 0;
  return count;
}

}  // namespace rhino::measure
