// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "evaluate/fused_loops.hpp"

namespace rhino::evaluate {

/// Fills in PassOps::traffic of all passes of a frame: which kernels their ops fall into; facts and
/// reads.
/// `fused`: of the same graph, for all its frames. Launches are numbered from `first_launch` on.
void find_loops(const sharding::OpGraph& graph, FusedLoops& fused, Frame& frame,
                std::int32_t first_launch = kFirstLoopLaunch);

}  // namespace rhino::evaluate
