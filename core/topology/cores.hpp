// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rhino::topology {

/// A processing unit and what it shares with others: numbers of its package, NUMA node and
/// last-level cache. Without hwloc these are 0 for all.
struct Core {
  std::int32_t number = 0;  ///< as the system counts them
  std::int32_t package = 0, node = 0, cache = 0;
  bool operator==(const Core&) const = default;
};

/// Those that this process may run on, neighbours side by side; looked up once.
const std::vector<Core>& discover_cores();
/// Those of a machine in hwloc's words: `package:2 numa:2 l3:1 core:4 pu:1`. Throws Error, also
/// where hwloc is not built in.
std::vector<Core> synthetic_cores(const std::string& machine);

/// `1 package, 2 NUMA nodes, 4 last-level caches (hwloc 2.9.0)`; empty where hwloc is not built in.
std::string describe_cores(const std::vector<Core>& cores);

/// The cores of each of `num_ranks` workers, equally many. They share a last-level cache, else a
/// NUMA node, else lie in as few nodes as can be: a worker gives up a quarter of its cores for
/// that, but no more. Empty lists where there are more workers than cores.
std::vector<std::vector<std::int32_t>> share_cores(const std::vector<Core>& cores,
                                                   std::int32_t num_ranks);

/// `0-3,8`
std::string core_list(const std::vector<std::int32_t>& cores);

}  // namespace rhino::topology
