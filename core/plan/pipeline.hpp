// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "rhino/pipeline.hpp"
#include "rhino/strategy.hpp"
#include "sharding/partition.hpp"

namespace rhino::plan {

/// Throws Error unless each of `num_meshes` meshes has a chunk and no other has, and every replica
/// as many as the others.
void check_placement(const Placement& placement, std::int32_t num_meshes);

/// Bytes of one device's tile of what crosses at a port.
double tile_bytes(const sharding::Port& port, const Mesh& mesh);

/// Seconds of a message of so many bytes from a device of one mesh to one of the other.
using MessagePrice = std::function<double(const Mesh& from, const Mesh& to, double bytes)>;

/// The pipeline that chunk programs form, as schedules are asked: where chunks lie, what passes
/// read of each other and keep. Seconds of passes and memory limits are 0; those of edges, too,
/// where there is no price. Backward passes should be cut, or W is nowhere.
PipelineProblem pipeline_of(const Strategy& strategy,
                            const std::vector<sharding::ChunkProgram>& chunk_programs,
                            const MessagePrice& message_s = nullptr);

}  // namespace rhino::plan
