// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/cuda/nccl_ranks.hpp"

namespace rhino::runtime::cuda {

/// The tiles of this rank's role, per part; nullptr where it is no source or target.
struct Tiles {
  std::vector<const Shape*> sources, targets;
};

/// The messages of a transfer as phases, and as broadcasts where `options` say so. `communication`
/// states its steps itself.
NcclSchedule transfer_schedule(const plan::Communication& communication, const Tiles& tiles,
                               Ranks& ranks, const NcclOptions& options);

}  // namespace rhino::runtime::cuda
