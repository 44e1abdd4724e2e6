// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "rhino/cluster.hpp"
#include "rhino/pipeline.hpp"
#include "rhino/strategy.hpp"
#include "rhino/transfer.hpp"
#include "sharding/partition.hpp"

namespace rhino::plan {

/// Throws Error unless each of `num_meshes` meshes has a chunk and no other has, and every replica
/// as many as the others.
void check_placement(const Placement& placement, std::int32_t num_meshes);

/// Bytes of one device's tile of what crosses at a port.
double tile_bytes(const sharding::Port& port, const Mesh& mesh);

/// Seconds of what crosses between two meshes together, each tensor with one target.
using CrossingPrice = std::function<double(const std::vector<ReshardTensor>& tensors)>;

/// The pipeline that chunk programs form, as schedules are asked: where chunks lie, what passes
/// read of each other and keep. What a pass sends to one mesh arrives together, so that edges there
/// last as long as all of it. Seconds of passes and memory limits are 0; those of edges, too,
/// where there is no price. Backward passes should be cut, or W is nowhere.
PipelineProblem pipeline_of(const Strategy& strategy,
                            const std::vector<sharding::ChunkProgram>& chunk_programs,
                            const CrossingPrice& crossing_s = nullptr);

/// What meshes have for activations beside what lasts, `lasting_bytes` [mesh] of each device. A
/// mesh without room for one micro-batch fits in no order: nothing is said of it, and the plan
/// shows what it lacks.
void set_rooms(PipelineProblem& problem, const Strategy& strategy, const Cluster& cluster,
               const std::vector<double>& lasting_bytes);

}  // namespace rhino::plan
