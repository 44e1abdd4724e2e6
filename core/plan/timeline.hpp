// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "plan/blocks.hpp"
#include "plan/handover.hpp"

namespace rhino::plan {

/// One instance of a handover's communication.
struct HandoverInstance {
  std::int32_t handover = -1;
  std::int32_t micro_batch = -1;  ///< -1: the one of the step
  bool operator==(const HandoverInstance&) const = default;
};

/// One block in a role's list.
struct TimelineStep {
  Site site;
  std::int32_t micro_batch = -1;
  bool first = true;  ///< of the role's steps of this site: nothing to accumulate onto yet
  bool last = true;  ///< of the role's steps of this site: accumulated values are complete after it
  std::int32_t position = 0;  ///< in an order of all roles' steps that respects all dependencies
  /// Whose buffers are handed to the transport before the block, in order.
  std::vector<HandoverInstance> receives;
  std::vector<HandoverInstance> releases;  ///< sends that are waited for before the block
};

/// The order of a role: prologue, the schedule's actions, update. `at_end`: sends that are waited
/// for after the update.
struct RoleTimeline {
  std::vector<TimelineStep> steps;
  std::vector<HandoverInstance> at_end;
};

/// Puts every block in its place and every receive and release where it can neither deadlock nor
/// stall: the steps of all roles are laid out in one common order as if a forward took one unit of
/// time and a backward two; a receive is posted at the beginning of the last step of its role
/// before the block that first uses it (on any role), so that the transfer overlaps that step; a
/// send is waited for once its receiver has begun to use it. Receives from one role are posted in
/// the order that role sends. Throws Error where the schedule lacks, repeats or misplaces an action
/// or contradicts the dependencies.
std::vector<RoleTimeline> make_timelines(const AssembleInput& input,
                                         const std::vector<RoleBlocks>& roles,
                                         const std::vector<Handover>& handovers);

}  // namespace rhino::plan
