// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "plan/cut.hpp"
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
  const PipelineProblem& problem;  ///< what the schedule was asked: its times, if it has any
  const PipelineSchedule& schedule;
  Resharding& resharding;  ///< asked once per distinct handover
  // Ids of the plugins that these come from, for messages; empty: of none.
  std::string schedule_id = {}, resharding_id = {};
  std::int64_t least_bucket_bytes = kLeastBucketBytes;  ///< of gradients that are reduced together
};

/// Cuts every chunk program at its collectives, orders everything by the schedule, joins the chunks
/// with transfers (sends posted as soon as the value exists, receives when their sender comes to
/// send: the overlap-friendly order of AlpaComm, facts 4.3), allocates the arena. Sent tiles are
/// freed when they have arrived, sooner only as far as a device would lack memory. Gradients are
/// reduced as their last micro-batch completes them. Throws Error
/// where the schedule lacks an action or a plugin's plan does not fit its problem.
ExecutionPlan assemble(const AssembleInput& input);

}  // namespace rhino::plan
