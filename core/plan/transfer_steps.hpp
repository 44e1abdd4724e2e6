// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "plan/execution_plan.hpp"
#include "rhino/transfer.hpp"

namespace rhino::plan {

/// A plugin's plan as single messages, each one box in the tiles of both ends: a Multicast as a
/// chain of relayed pieces, an AllGather as a ring. A device sends from its source tile where that
/// holds the box, else it relays from its target tile; a copy to itself goes from the one to the
/// other. A step comes `after` what brings its data to the sender within its op, and, where its op
/// comes after others, after the ends of all of those. Throws Error where the plan names what its
/// problem does not have: a tensor, a device, an element outside of a target's tile. What `from`
/// does not hold at all makes no step; validate() then misses it. Nearly linear in the steps.
std::vector<TransferStep> transfer_steps(const ReshardProblem& problem, const TransferPlan& plan);

}  // namespace rhino::plan
