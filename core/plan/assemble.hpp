// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lower/lowerings.hpp"
#include "plan/blocking.hpp"
#include "plan/cut.hpp"
#include "plan/known_cuts.hpp"
#include "plan/outline.hpp"
#include "plan/pass_order.hpp"
#include "rhino/pipeline.hpp"
#include "rhino/resharding.hpp"
#include "rhino/strategy.hpp"
#include "sharding/partition.hpp"

namespace rhino::plan {

struct AssembleInput {
  const Program& program;
  const Strategy& strategy;
  const std::vector<sharding::ChunkProgram>& chunk_programs;
  const Cluster& cluster;
  const PipelineProblem& problem;  ///< what the schedule was asked: its times, if it has any
  const PassOrder& order;          ///< what it answered, of the chunks as they are cut
  Resharding& resharding;          ///< asked once per distinct handover
  std::string resharding_id = {};  ///< of the plugin, for messages; empty: none
  Blocking blocking = {};
  lower::Lowerings* lowerings = nullptr;  ///< where programs may be known, nullptr: nowhere
  KnownCuts* cuts = nullptr;              ///< likewise
};

/// Cuts every chunk program at its collectives, orders everything by the schedule, joins the chunks
/// with transfers (sends posted as soon as the value exists, receives when their sender comes to
/// send: the overlap-friendly order of AlpaComm, facts 4.3), allocates the arena. Sent tiles are
/// freed when they have arrived, sooner only as far as a device would lack memory. Gradients are
/// reduced as their last micro-batch completes them. Throws Error where a plugin's plan does not
/// fit its problem.
ExecutionPlan assemble(const AssembleInput& input);
/// What of that tells memory, order and time.
PlanOutline outline(const AssembleInput& input);

}  // namespace rhino::plan
