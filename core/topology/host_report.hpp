// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rhino/cluster.hpp"
#include "topology/cores.hpp"
#include "topology/gpus.hpp"

namespace rhino::topology {

/// What a launched process tells of its host.
struct HostReport {
  std::int32_t rank = 0;  ///< that the launcher gave it
  /// The process that the launcher started: an agent that is started again has the same.
  std::int32_t launched = 0;
  std::string name;  ///< of the host
  /// Processes of one machine have one `boot`, those of one container one `container`, too: they
  /// can map each other's memory.
  std::string boot, container;
  std::string engine, binaries;  ///< version; fingerprint of what runs here
  std::string processor;
  double memory_bytes = 0;        ///< available now
  double total_memory_bytes = 0;  ///< of the machine, or of the container's limit
  double cache_bytes = 0;
  std::vector<Core> cores;           ///< that it may run on
  std::int32_t cores_there = 0;      ///< of the machine, that are online
  std::string interface;             ///< by which it reaches the others; empty: not known yet
  double interface_bytes_per_s = 0;  ///< as the interface says; 0: it does not
  bool has_rdma = false;
  GpuInventory gpus;
};

constexpr auto members(const Core*) {
  return std::tuple(&Core::number, &Core::package, &Core::node, &Core::cache);
}
constexpr auto members(const HostReport*) {
  using R = HostReport;
  return std::tuple(&R::rank, &R::launched, &R::name, &R::boot, &R::container, &R::engine,
                    &R::binaries, &R::processor, &R::memory_bytes, &R::total_memory_bytes,
                    &R::cache_bytes, &R::cores, &R::cores_there, &R::interface,
                    &R::interface_bytes_per_s, &R::has_rdma, &R::gpus);
}

/// Of this process; GPUs only where the machine has devices of NVIDIA's. `binaries`: the files that
/// have to be equal everywhere.
HostReport report_host(const std::string& engine, const std::vector<std::string>& binaries);

/// A host of a run, as the processes that were launched on it tell.
struct FoundHost {
  HostReport report;                ///< of the first of them, with the cores of all
  std::vector<std::int32_t> ranks;  ///< of the launched processes
  std::int32_t machine = 0;         ///< hosts of one number are containers of one machine
};

/// As the interface says, each way; 0: it does not.
double interface_rate(const std::string& name);

/// Those of one container are one host; hosts in the order of their first ranks. Throws Error
/// naming the hosts whose engine or binaries differ from those of the first.
std::vector<FoundHost> group_hosts(std::vector<HostReport> reports);

/// The cluster that these hosts are, for devices of this kind (`cpu`, `cuda`). `num_hosts` 0: all;
/// `devices_per_host` 0: of CPUs as many as processes were launched there, where that are several
/// on some host, else one per core; of GPUs all. Rates are nominal until a calibration replaces
/// them. Throws Error, as where a host has no GPU.
Cluster cluster_of(const std::vector<FoundHost>& hosts, const std::string& device,
                   std::int64_t num_hosts, std::int64_t devices_per_host);

/// The hosts of this run, where a launcher started it on some; nullptr: there is this one alone.
/// Set once, before anything asks.
const std::vector<FoundHost>* found_hosts();
void set_found_hosts(std::vector<FoundHost> hosts);

}  // namespace rhino::topology
