// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "rhino/cluster.hpp"

namespace rhino::topology {

/// What this machine offers to worker processes.
struct Machine {
  std::string processor;          ///< "AMD EPYC 9B14"
  std::int32_t num_cores = 1;     ///< that this process may use
  std::int64_t memory_bytes = 0;  ///< available now
  std::int64_t total_memory_bytes = 0;
  double cache_bytes = 0;  ///< of all levels and cores, at most: where it is not told, 1 GiB
};

Machine discover_machine();

/// Processes that the system has killed so far because memory ran out; 0 where it does not tell.
std::int64_t num_memory_kills();

/// A CPU device of so many cores at nominal rates: 16 fused multiply-adds per cycle at 3 GHz, a
/// tenth of a memory controller's 100 GB/s for each core.
DeviceModel nominal_cpu(const std::string& processor, double num_cores, double memory_bytes);

/// This machine as a cluster of CPU devices on one host: `num_devices` of them, 0: one per core.
/// Memory is shared out evenly; rates are nominal until a calibration replaces them.
Cluster discover_local(std::int32_t num_devices);

}  // namespace rhino::topology
