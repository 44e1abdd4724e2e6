// SPDX-License-Identifier: Apache-2.0
#include "measure/run_context.hpp"

#include <sys/utsname.h>

#include <algorithm>

#include "topology/cores.hpp"
#include "topology/discover.hpp"
#include "topology/large_pages.hpp"

namespace rhino::measure {

calibrate::WorkerSetup RunContext::workers(const config::CellSpec& cell,
                                           std::int32_t num_ranks) const {
  const auto cores = topology::share_cores(topology::discover_cores(), num_ranks).front();
  return {.num_ranks = num_ranks,
          .session = {.worker = worker,
                      .run_dir = folder.path("logs"),
                      .device = cell.device,
                      .transport = cell.backend.starts_with("nccl") ? "nccl" : "ucx",
                      .broadcasts = cell.backend == "nccl_broadcast",
                      .gpu = cell.gpu,
                      .num_threads = std::max(1, static_cast<std::int32_t>(cores.size())),
                      .is_interrupted = is_interrupted}};
}

void RunContext::place(const config::CellSpec& cell, const Cluster& cluster,
                       runtime::SessionOptions& options) {
  if (cluster.is_emulated()) {
    progress("setting up the hosts of " + cluster.name);
    options.hosts = emulated.hosts(cluster);
  }
  if (!planning::is_of_found_hosts(cell) || agents == nullptr) return;
  const std::size_t count = cluster.hosts.size();
  options.agents = agents->session_hosts(count);
  options.tcp_between_hosts = agents->need_tcp(count);
  options.environment = runtime::network_environment(agents->hosts().front().report);
}

std::map<std::string, std::string> run_environment(const calibrate::WorkerSetup& setup) {
  const topology::Machine machine = topology::discover_machine();
  utsname system{};
  uname(&system);
  return {{"engine", RHINO_VERSION},
          {"processor", machine.processor},
          {"num_cores", std::to_string(machine.num_cores)},
          {"memory_bytes", std::to_string(machine.total_memory_bytes)},
          {"page_bytes", std::to_string(topology::shared_page_bytes())},
          {"kernel", std::string(system.sysname) + " " + system.release},
          {"compiler", __VERSION__},
          {"num_ranks", std::to_string(setup.num_ranks)},
          {"threads_per_rank", std::to_string(setup.session.num_threads)}};
}

}  // namespace rhino::measure
