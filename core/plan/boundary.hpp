// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "plan/blocks.hpp"

namespace rhino::plan {

/// A tensor that crosses from one role to others: the border it leaves and those it arrives in, at
/// most one per role.
struct CrossingTensor {
  std::int32_t source_border = -1;
  struct Target {
    std::int32_t role = -1, border = -1;
    bool operator==(const Target&) const = default;
  };
  std::vector<Target> targets;
};

/// Tensors that one block yields and that cross together: one communication, its parts in this
/// order, once per micro-batch or step.
struct Boundary {
  std::int32_t source_role = -1;
  Site site;  ///< the block that yields them; the prologue for inputs of the Program
  bool per_micro_batch =
      false;  ///< false and of a forward or backward site: accumulated over all micro-batches
  std::vector<CrossingTensor> tensors;
  std::vector<std::int32_t> target_roles;  ///< increasing
};

/// Groups what crosses: same origin, same time, and roles in common among the targets.
std::vector<Boundary> make_boundaries(const std::vector<RoleBlocks>& roles);

/// The communication of each boundary. `resharding` is asked once per distinct problem. Sets
/// `incomplete` where one of its plans says so.
std::vector<Communication> reshard(const std::vector<Boundary>& boundaries,
                                   const std::vector<RoleBlocks>& roles, const Cluster& cluster,
                                   Resharding& resharding, bool& incomplete);

}  // namespace rhino::plan
