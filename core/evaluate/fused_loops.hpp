// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "evaluate/frame.hpp"

namespace rhino::evaluate {

/// Fills in which loops ops of a pass fall into, and what these read and write (LoopTraffic: reads,
/// writes, opens, launch): as core/lower fuses the pass where nothing cuts it, at the extents of
/// whole tensors. `num_launches`: numbers that are given.
void find_fused_loops(const sharding::OpGraph& graph, const Frame& frame, PassOps& pass,
                      std::int32_t& num_launches);

}  // namespace rhino::evaluate
