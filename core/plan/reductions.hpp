// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "plan/blocks.hpp"
#include "plan/handover.hpp"

namespace rhino::plan {

/// The last pass of a site: it begins to reduce what all passes of the site have accumulated.
struct LastPass {
  Block block;
  std::vector<ValueId> reductions;  ///< outputs of the block; the update waits for them
};

/// Moves the all-reduces with which the update of `role` begins to where their operands are
/// complete: into the last pass of the site that accumulates them, of which it returns a block of
/// its own. The update reads the sums instead, in the memory of the operands. They stay where they
/// are where all of them together are no more than `least_bytes`, of which nothing could be under
/// way beside the pass; and where other roles wait for what the pass sends: that would share the
/// network with them, and a stage that is done before others has time for them in the end.
std::vector<LastPass> reduce_early(RoleBlocks& role, const std::vector<Handover>& handovers,
                                   std::int64_t least_bytes);

}  // namespace rhino::plan
