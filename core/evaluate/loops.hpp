// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "evaluate/frame.hpp"

namespace rhino::evaluate {

/// Fills in PassOps::traffic of all passes of a frame: which kernels their ops fall into, by the
/// rules of core/lower, roughly.
void find_loops(const sharding::OpGraph& graph, Frame& frame);

}  // namespace rhino::evaluate
