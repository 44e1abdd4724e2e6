// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "plan/blocks.hpp"
#include "plan/handover.hpp"
#include "plan/pass_order.hpp"

namespace rhino::plan {

/// The last pass of a site: it begins to reduce what all passes of the site have accumulated.
struct LastPass {
  Block block;
  std::vector<ValueId> reductions;  ///< outputs of the block; the update waits for them
  bool sends = false;               ///< other roles wait for the pass: reductions follow it
};

/// Moves the all-reduces and reduce-scatters with which the update of `role` begins to where their
/// operands are complete: into the last pass of the site that accumulates them, of which it returns
/// a block of its own. The update reads the sums instead, all-reduced ones in the memory of the
/// operands. Where other roles wait for what the pass sends they would share the network with that,
/// and follow the pass, unless it is the last of the role's `steps`. They stay where they are in
/// that case, where overlap is not wanted or all of them together are no more than a bucket, of
/// which nothing could be under way beside a pass.
std::vector<LastPass> reduce_early(RoleBlocks& role, const std::vector<Handover>& handovers,
                                   const GradientSums& sums, const std::vector<PassStep>& steps);

}  // namespace rhino::plan
