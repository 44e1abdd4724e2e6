// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rhino/cluster.hpp"

namespace rhino::config {

/// Reads a cluster from YAML; every number with its unit in the key. Throws Error `file:line: ...`.
Cluster read_topology(const std::string& path);

}  // namespace rhino::config
