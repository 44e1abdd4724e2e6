// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "rhino/transfer.hpp"

namespace rhino {

/// Bytes by (devices that hold them at the source, devices that want them), found element by
/// element: an oracle that shares nothing with the bound and the plugins but `tile_boxes`.
using ElementSlices = std::map<std::pair<std::set<DeviceId>, std::set<DeviceId>>, std::int64_t>;
ElementSlices element_slices(const ReshardProblem& problem);

}  // namespace rhino
