// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "plan/handover.hpp"

namespace rhino::plan {

/// Seconds by which the steps of all roles are laid out in time.
struct PassTimes {
  struct Send {
    double share = 1;      ///< of its block's time that is over when it leaves
    double busy_s = 0;     ///< of its busiest link
    double latency_s = 0;  ///< of its longest chain of messages
  };
  std::array<std::vector<double>, kNumPasses> seconds;  ///< per Pass and chunk
  std::vector<Send> sends;                              ///< per handover
};

/// Passes as the schedule was asked, or, where it was told no times, 1 for a forward, 2 for a
/// backward (cut: 1 for each half) and 0 for what crosses. A handover leaves its
/// block when the ops that it depends on are done, by their FLOPs. `communications`: as reshard()
/// returns them.
PassTimes pass_times(const AssembleInput& input, const std::vector<RoleBlocks>& roles,
                     const std::vector<Handover>& handovers,
                     const std::vector<Communication>& communications);

}  // namespace rhino::plan
