// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "plan/blocks.hpp"

namespace rhino::plan {

/// Tensors that one block of a role hands over to other roles together: one communication, its
/// parts in this order, once per micro-batch or step. What is made of something that another role
/// makes of an earlier tensor does not wait for it: levels go apart.
struct Handover {
  /// Where a tensor arrives.
  struct Target {
    std::int32_t role = -1, resident = -1;
    bool operator==(const Target&) const = default;
  };
  /// The resident that it leaves and those that it arrives in, at most one per role.
  struct Tensor {
    std::int32_t source_resident = -1;
    std::vector<Target> targets;
  };

  std::int32_t source_role = -1;
  Site site;  ///< the block that yields them; the prologue for inputs of the Program
  /// False and of a forward or backward site: accumulated over all micro-batches.
  bool per_micro_batch = false;
  std::vector<Tensor> tensors;
  std::vector<std::int32_t> target_roles;  ///< increasing
  std::int32_t level = 0;                  ///< Resident::level of them all
};

/// Groups what crosses: same origin, same time and level, and roles in common among the targets.
/// By level, so that whoever sends and receives in this order waits for nobody that waits for it:
/// a block makes what has a level of what other roles made at lower ones, if at all.
std::vector<Handover> make_handovers(const std::vector<RoleBlocks>& roles);

/// The communication of each handover. Where a problem falls into equal ones (reshard_shares.hpp),
/// `resharding` is asked for one of them, and once for all that are alike but for their devices.
/// Sets `incomplete` where one of its plans says so.
std::vector<Communication> reshard(const std::vector<Handover>& handovers,
                                   const std::vector<RoleBlocks>& roles, const Cluster& cluster,
                                   Resharding& resharding, bool& incomplete);

}  // namespace rhino::plan
