// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/cuda/nccl_ranks.hpp"

namespace rhino::runtime::cuda {

/// A collective as one phase: NCCL's own call, or sends and receives of all with all or with
/// neighbours. `devices`: the group that this rank is in.
NcclSchedule collective_schedule(const plan::Communication& communication,
                                 const std::vector<DeviceId>& devices, Ranks& ranks);

}  // namespace rhino::runtime::cuda
