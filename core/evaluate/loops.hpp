// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "evaluate/fused_loops.hpp"

namespace rhino::evaluate {

/// Fills in PassOps::traffic of all passes of a frame: which kernels their ops fall into.
/// `fused`: of the same graph, for all its frames.
void find_loops(const sharding::OpGraph& graph, FusedLoops& fused, Frame& frame);

}  // namespace rhino::evaluate
