// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rhino/cluster.hpp"

namespace rhino::ir {

/// Ranks (indices in mesh.devices) that differ along `axes` alone, group by group: what a
/// collective over `axes` connects. Within a group they count row-major over `axes`, major first.
/// Throws Error for an axis that the mesh lacks.
std::vector<std::vector<std::size_t>> ranks_along(const Mesh& mesh,
                                                  const std::vector<std::int32_t>& axes);
/// The devices of those ranks.
std::vector<std::vector<DeviceId>> devices_along(const Mesh& mesh,
                                                 const std::vector<std::int32_t>& axes);

}  // namespace rhino::ir
