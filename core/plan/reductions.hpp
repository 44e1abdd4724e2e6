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

/// Moves the all-reduces and reduce-scatters with which the update of `role` begins to where their
/// operands are complete: into the last pass of the site that accumulates them, of which it returns
/// a block of its own. The update reads the sums instead, all-reduced ones in the memory of the
/// operands. They stay where they are where overlap is not wanted or all of them together are no
/// more than a bucket, of which nothing could be under way beside the pass; and where other roles
/// wait for what the pass sends: that would share the network with them, and a stage that is done
/// before others has time for them in the end.
std::vector<LastPass> reduce_early(RoleBlocks& role, const std::vector<Handover>& handovers,
                                   const GradientSums& sums);

}  // namespace rhino::plan
