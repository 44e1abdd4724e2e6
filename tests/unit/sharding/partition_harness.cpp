// SPDX-License-Identifier: Apache-2.0
#include "partition_harness.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

namespace rhino::test {

models::GptConfig tiny_gpt() {
  models::GptConfig config;
  config.preset = "tiny";
  config.num_layers = 2;
  config.hidden = 8;
  config.num_heads = 2;
  config.vocabulary = 16;
  config.sequence = 4;
  return config;
}

Program step_of(Program forward, ir::Optimizer::Kind kind) {
  return ir::training_step(std::move(forward),
                           {.kind = kind, .learning_rate = 0.1, .momentum = 0.9});
}

const Program& gpt_step() {
  static const Program program = step_of(models::gpt_forward(tiny_gpt(), 8));
  return program;
}

std::vector<Chunk> chunks_on(const std::vector<std::vector<std::int64_t>>& meshes) {
  std::vector<Chunk> chunks;
  DeviceId next = 0;
  for (const auto& sizes : meshes) {
    chunks.push_back({make_mesh(sizes, next), false});
    next += static_cast<DeviceId>(chunks.back().mesh.devices.size());
  }
  return chunks;
}

StrategyDraft draft_on(const std::vector<std::vector<std::int64_t>>& meshes,
                       std::int64_t num_micro_batches) {
  StrategyDraft draft;
  draft.name = "test";
  draft.num_micro_batches = num_micro_batches;
  draft.chunks = chunks_on(meshes);
  draft.batch_axis = 0;
  return draft;
}

bool is_made_forward(const Op& op) { return op.phase == Phase::forward && !op.operands.empty(); }

std::vector<ValueId> random_recompute(Random& random, const Program& program) {
  std::vector<ValueId> values;
  const std::int64_t often = draw(random, 3);
  for (ValueId id = 0; id < program.size(); ++id) {
    if (is_made_forward(program.op(id)) && draw(random, 3) < often) values.push_back(id);
  }
  return values;
}

std::int64_t num_dots(const Program& program, Phase phase) {
  return std::ranges::count_if(
      program.ops, [&](const Op& op) { return op.kind == OpKind::dot && op.phase == phase; });
}

void check_step(const Program& program, const Strategy& strategy, std::uint64_t seed) {
  Random random(seed);
  const std::vector<ir::Tensor> inputs = random_inputs(random, program);
  const std::vector<ir::Tensor> expected = ir::evaluate(program, inputs, ir::Precision::f64);
  std::vector<bool> is_cut;
  for (std::size_t c = 0; c < strategy.chunks.size(); ++c) is_cut.push_back(draw(random, 2) > 0);
  const std::vector<ir::Tensor> actual = run_partitioned(program, strategy, inputs, is_cut);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(is_cut, i, program.producer(program.outputs[i].value).name);
    CHECK(relative_error(actual[i], expected[i]) < 1e-9);
  }
}

const sharding::ChunkProgram& program_at(const std::vector<sharding::ChunkProgram>& programs,
                                         std::int32_t chunk, sharding::ChunkPhase phase) {
  return *std::find_if(programs.begin(), programs.end(),
                       [&](const sharding::ChunkProgram& program) {
                         return program.chunk == chunk && program.phase == phase;
                       });
}

std::vector<sharding::Port> ports_from(const std::vector<sharding::Port>& inputs,
                                       std::int32_t source, sharding::Repeat repeat) {
  std::vector<sharding::Port> ports;
  std::copy_if(
      inputs.begin(), inputs.end(), std::back_inserter(ports),
      [&](const sharding::Port& port) { return port.source == source && port.repeat == repeat; });
  return ports;
}

}  // namespace rhino::test
