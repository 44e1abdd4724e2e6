// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "plan/execution_plan.hpp"
#include "rhino/pipeline.hpp"
#include "rhino/resharding.hpp"
#include "rhino/strategy.hpp"
#include "sharding/partition.hpp"

namespace rhino::plan {

/// Chunk programs cut at their collectives: what alternates is a Run and a set of collectives.
struct AssembleInput {
  const Program& program;
  const Strategy& strategy;
  const std::vector<sharding::ChunkProgram>& chunk_programs;
  const Cluster& cluster;
  const PipelineSchedule& schedule;
  Resharding& resharding;  ///< asked once per distinct handover
};

/// Cuts every chunk program at its collectives, orders everything by the schedule, joins the chunks
/// with transfers (sends posted as soon as the value exists, receives as early as the order allows:
/// the overlap-friendly order of AlpaComm, facts 4.3), allocates the arena. Throws Error where the
/// schedule lacks an action or a plugin's plan does not fit its problem.
ExecutionPlan assemble(const AssembleInput& input);

}  // namespace rhino::plan
