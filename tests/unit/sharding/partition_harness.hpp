// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "drafts.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "spmd_harness.hpp"

/// Steps, drafts and chunk programs for tests of the partitioner.
namespace rhino::test {

models::GptConfig tiny_gpt();
Program step_of(Program forward, ir::Optimizer::Kind kind = ir::Optimizer::Kind::adam);
/// Of tiny_gpt, batch 8.
const Program& gpt_step();

/// Chunks on disjoint meshes, one per entry; the devices of a mesh are consecutive.
std::vector<Chunk> chunks_on(const std::vector<std::vector<std::int64_t>>& meshes);
StrategyDraft draft_on(const std::vector<std::vector<std::int64_t>>& meshes,
                       std::int64_t num_micro_batches);

bool is_made_forward(const Op& op);
/// Some forward values.
std::vector<ValueId> random_recompute(Random& random, const Program& program);
/// Dots of a phase of the step.
std::int64_t num_dots(const Program& program, Phase phase);

/// Every device's programs, with backward passes whole, or cut, as chance has it, yield what the
/// reference evaluator does.
void check_step(const Program& program, const Strategy& strategy, std::uint64_t seed = 1);

const sharding::ChunkProgram& program_at(const std::vector<sharding::ChunkProgram>& programs,
                                         std::int32_t chunk, sharding::ChunkPhase phase);
std::vector<sharding::Port> ports_from(const std::vector<sharding::Port>& inputs,
                                       std::int32_t source, sharding::Repeat repeat);

}  // namespace rhino::test
