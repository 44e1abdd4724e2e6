// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "config/pipeline_choice.hpp"
#include "rhino/cluster.hpp"
#include "rhino/pipeline.hpp"
#include "rhino/program.hpp"
#include "sharding/partition.hpp"

/// Pipelines of abstract stages as the engine knows pipelines: devices, costs and chunk programs.
/// Stage i is device i. What it takes for a pass is one dot of a dtype that its device makes at
/// just that pace, everything else is free; so a plan of such programs is a plan like any other.
namespace rhino::planning {

/// The devices of the stages: those of `topology` with the stages' pace in place of their own, or
/// devices of one host with a link for each border. Throws Error with the place of the choice where
/// the topology has too few devices.
Cluster pipeline_cluster(const config::PipelineChoice& choice,
                         const std::optional<Cluster>& topology);

/// What the schedule is asked; chunks of one stage have equal shares of its time, and of its limit,
/// which counts micro-batches in place of bytes. In several replicas as many of them take as long
/// as their stage whatever they are of.
PipelineProblem pipeline_problem(const config::PipelineChoice& choice, const Placement& placement,
                                 const Cluster& cluster);

/// Programs of all chunks, and the Program that they are parts of: nothing but its values and
/// outputs. `is_cut`: see Partitioner::programs.
struct PipelinePrograms {
  Program program;
  std::vector<sharding::ChunkProgram> chunks;
};
PipelinePrograms pipeline_programs(const config::PipelineChoice& choice,
                                   const PipelineProblem& problem, const std::vector<bool>& is_cut);

}  // namespace rhino::planning
