// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>

#include "ir/op_info.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "rhino/error.hpp"
#include "sharding/complete.hpp"
#include "spmd_harness.hpp"

namespace rhino::test {
namespace {

GptConfig tiny_gpt() {
  GptConfig config;
  config.preset = "tiny";
  config.num_layers = 2;
  config.hidden = 8;
  config.num_heads = 2;
  config.vocabulary = 16;
  config.sequence = 4;
  return config;
}

Program step_of(Program forward, Optimizer::Kind kind = Optimizer::Kind::adam) {
  return training_step(std::move(forward), {.kind = kind, .learning_rate = 0.1, .momentum = 0.9});
}

const Program& gpt_step() {
  static const Program program = step_of(gpt_forward(tiny_gpt(), 8));
  return program;
}

/// Chunks on disjoint meshes, one per entry; the devices of a mesh are consecutive.
std::vector<Chunk> chunks_on(const std::vector<std::vector<std::int64_t>>& meshes) {
  std::vector<Chunk> chunks;
  DeviceId next = 0;
  for (const auto& sizes : meshes) {
    chunks.push_back({make_mesh(sizes, next), false});
    next += static_cast<DeviceId>(chunks.back().mesh.devices.size());
  }
  return chunks;
}

void check_step(const Program& program, const Strategy& strategy, std::uint64_t seed = 1) {
  Random random(seed);
  const std::vector<Tensor> inputs = random_inputs(random, program);
  const std::vector<Tensor> expected = evaluate(program, inputs, Precision::f64);
  const std::vector<Tensor> actual = run_partitioned(program, strategy, inputs);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i, program.op(program.outputs[i].value).name);
    CHECK(relative_error(actual[i], expected[i]) < 1e-9);
  }
}

}  // namespace

TEST_CASE("gpt under data, tensor and pipeline parallelism equals the single device") {
  const std::vector<std::vector<std::vector<std::int64_t>>> all_meshes = {
      {{1}}, {{2}}, {{2, 2}}, {{2}, {2}}, {{2, 2}, {2, 2}}, {{4}, {2}}, {{1}, {1}, {1}}};
  const auto meshes = GENERATE_COPY(from_range(all_meshes));
  const auto num_micro_batches = GENERATE(1, 2, 4);
  const auto zero_stage = GENERATE(0, 1, 2, 3);
  StrategyDraft draft;
  draft.name = "gpt";
  draft.num_micro_batches = num_micro_batches;
  draft.chunks = chunks_on(meshes);
  draft.batch_axis = 0;
  draft.zero_stage = zero_stage;
  CAPTURE(meshes, num_micro_batches, zero_stage);
  if (num_micro_batches * meshes[0][0] > 8) return;
  check_step(gpt_step(), complete(gpt_step(), draft));
}

}  // namespace rhino::test
