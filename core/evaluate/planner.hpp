// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cost/cost.hpp"
#include "plan/assemble.hpp"
#include "rhino/pipeline.hpp"
#include "rhino/resharding.hpp"
#include "rhino/schedule.hpp"
#include "rhino/strategy.hpp"
#include "sharding/op_graph.hpp"
#include "sharding/partition.hpp"

namespace rhino::evaluate {

/// What turns a strategy into a plan. All borrowed.
struct PlanContext {
  const Program& program;
  const cost::CostModel& cost;
  Resharding& resharding;
  Schedule& schedule;
  std::string resharding_id = {}, schedule_id = {};  ///< for messages
  plan::Blocking blocking = {};
  bool is_draft = false;                            ///< what the schedule is told
  const sharding::OpGraph* graph = nullptr;         ///< of the program, where it is known
  lower::Lowerings* lowerings = nullptr;            ///< where programs may be known
  plan::KnownCuts* cuts = nullptr;                  ///< likewise
  const std::vector<ValueId>* unwritten = nullptr;  ///< unwritten_values(), where they are known
};

/// Forward values that kernels of attention never write, increasing; none where it is not one
/// kernel. So backward passes make them anew, whatever a strategy says.
std::vector<ValueId> unwritten_values(const Program& program, const Cluster& cluster);
Strategy making_anew(Strategy strategy, const std::vector<ValueId>& values);

/// Searchers are free to answer anything: throws Error unless `strategy` is one for the program, on
/// devices of the cluster.
void check(const Program& program, const Cluster& cluster, const Strategy& strategy,
           const sharding::OpGraph* graph = nullptr);
/// Of that: that the cluster has the devices.
void check_devices(const Cluster& cluster, const Strategy& strategy);

/// Seconds of one chunk program on its mesh: kernels of the fusion groups, and its collectives one
/// after the other.
struct ChunkPrice {
  double kernels_s = 0;
  double collectives_s = 0;
  double seconds() const { return kernels_s + collectives_s; }
};
ChunkPrice price(const sharding::ChunkProgram& chunk_program, const Mesh& mesh,
                 const cost::CostModel& cost, lower::Lowerings* lowerings = nullptr);

/// What the schedule plugin is asked: seconds and bytes of every pass and edge. `whole` and `cut`:
/// the programs of `strategy` with every backward pass whole, and the passes with every one cut.
PipelineProblem pipeline_problem(const Strategy& strategy,
                                 const std::vector<sharding::ChunkProgram>& whole,
                                 const std::vector<sharding::ChunkProgram>& cut,
                                 const cost::CostModel& cost, lower::Lowerings* lowerings = nullptr,
                                 plan::KnownCuts* cuts = nullptr,
                                 const plan::Blocking& blocking = {});

/// What a schedule was asked, and said.
struct Ordered {
  PipelineProblem problem;
  PipelineSchedule answer;
};

/// Partition, schedule, cut the backward passes that the schedule runs in two, assemble: the plan
/// of one strategy, not yet validated. Where it does not fit, a schedule that goes by the room for
/// activations is asked again and told of less; every question is added to `asked`. Throws Error
/// where a plugin or the strategy is at fault.
plan::PlanOutline make_outline(const PlanContext& context, const Strategy& strategy,
                               std::vector<Ordered>* asked = nullptr);
plan::ExecutionPlan make_plan(const PlanContext& context, const Strategy& strategy);

}  // namespace rhino::evaluate
