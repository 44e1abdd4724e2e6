// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "rhino/cluster.hpp"

namespace rhino::config {

/// Reads a cluster from YAML (topologies/README.md); every number with its unit in the key.
/// `num_hosts`: in place of the file's; `devices_per_host`: the first of each host, with the
/// interfaces that they use; 0: the file's. Links of its own keep their ends: those of hosts and
/// devices that are left out are, too. Throws Error `file:line: ...`.
Cluster read_topology(const std::string& path, std::int64_t num_hosts = 0,
                      std::int64_t devices_per_host = 0);

}  // namespace rhino::config
