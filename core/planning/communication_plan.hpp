// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "cost/cost.hpp"
#include "evaluate/bound.hpp"
#include "plan/single_communication.hpp"
#include "planning/plan_cell.hpp"

/// Cells of one communication alone: their problem, plan and bound.
namespace rhino::planning {

/// One of the two.
struct CommunicationProblem {
  std::optional<ReshardProblem> reshard;
  std::optional<plan::CollectiveProblem> collective;
};

/// What the cell asks for, on its cluster. Throws Error with the place in the experiment where the
/// cluster has no room for it.
CommunicationProblem communication_problem(const config::CellSpec& cell, const Cluster& cluster);

/// Plans and validates: a reshard in a forked child, where the plugin is called, see plan_cell.
PlannedCell plan_communication(const config::CellSpec& cell, const CommunicationProblem& problem,
                               const plugin::Registry& registry, const plugin::ChildLimits& limits);
/// What no execution can beat on links of these rates: see cost/reshard_bound.hpp; of a collective
/// what each device must send or receive, over its link or the interface of its host.
evaluate::Bound communication_bound(const CommunicationProblem& problem);

/// Bus bandwidth over algorithm bandwidth, as nccl-tests define them: what each device must send,
/// relative to the size.
double bus_factor(const config::CollectiveChoice& choice, std::int64_t num_devices);

}  // namespace rhino::planning
