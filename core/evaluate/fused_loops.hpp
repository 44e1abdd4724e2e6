// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "evaluate/frame.hpp"

namespace rhino::evaluate {

/// How micro-batches and devices cut a batch, see num_single_rows().
struct Rows {
  const Strategy& strategy;
  std::int64_t num_single = 0;
};

/// What is known of all passes. Borrowed.
struct FusedIn {
  const Rows& rows;
  const Frame& frame;
};

/// Fills in which loops ops of a pass fall into, and what these read and write (LoopTraffic: reads,
/// writes, opens, launch): as core/lower fuses the pass where nothing cuts it, at the extents of
/// whole tensors, or of single rows. `num_launches`: numbers that are given.
void find_fused_loops(const sharding::OpGraph& graph, const FusedIn& in, PassOps& pass,
                      std::int32_t& num_launches);

}  // namespace rhino::evaluate
