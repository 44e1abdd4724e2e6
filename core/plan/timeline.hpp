// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "plan/blocks.hpp"
#include "plan/handover.hpp"
#include "plan/pass_times.hpp"

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
  /// Before all that: sent or received while the role does nothing else, in order.
  std::vector<HandoverInstance> exchanges;
};

/// The order of a role: prologue, the passes of the schedule, update. `at_end`: sends that are
/// waited for after the update.
struct RoleTimeline {
  std::vector<TimelineStep> steps;
  std::vector<HandoverInstance> at_end;
};

struct TimelineInput {
  const AssembleInput& input;
  const std::vector<RoleBlocks>& roles;
  const std::vector<Handover>& handovers;
  const PassTimes& times;
};

/// Puts every block in its place and every receive and release where it can neither deadlock nor
/// stall: the steps of all roles are laid out in one common order by `times`, as each role works
/// off its list and what crosses delays its receiver alone; links that it shares may take twice as
/// long again. A receive is posted when its sender
/// comes to send it, at the latest at the beginning of the last step of its role before the block
/// that first uses it (on any role); a send is waited for once it has arrived and its receiver has
/// begun to use it. Receives from one role are posted in the order that role sends.
///
/// Where transfers between passes block (Blocking::transfers), each has its place in the
/// common order: when its first reader comes to it. There both ends stop for it, which cannot
/// deadlock, as all roles keep to one order.
///
/// `slack`, per role: by so many steps receives may be earlier, and waits for sends later, than
/// order alone demands. Less of it keeps fewer tiles and lets a role wait for what it sends.
std::vector<RoleTimeline> make_timelines(const TimelineInput& input,
                                         const std::vector<std::int32_t>& slack);

}  // namespace rhino::plan
