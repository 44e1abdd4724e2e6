// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <map>

#include "drafts.hpp"
#include "ir/op_info.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "sharding/complete.hpp"
#include "spmd_harness.hpp"

namespace rhino::test {
namespace {

/// f32, or 16 bits with f32 masters under a dynamic loss scale.
Program tiny_step(DType dtype) {
  models::GptConfig config{.preset = "tiny",
                           .num_layers = 2,
                           .hidden = 8,
                           .num_heads = 2,
                           .vocabulary = 16,
                           .sequence = 4,
                           .dtype = dtype};
  ir::Optimizer optimizer{.learning_rate = 0.1};
  if (is_narrow(dtype)) {
    optimizer.master_weights = optimizer.wide_gradients = true;
    optimizer.loss_scale = {.initial = 8, .growth_interval = 4};
  }
  return ir::training_step(models::gpt_forward(config, 8), optimizer);
}

const Program& mixed_step() {
  static const Program program = tiny_step(DType::bf16);
  return program;
}

std::vector<ir::Tensor> inputs_with_scale(double scale) {
  Random random(3);
  std::vector<ir::Tensor> inputs = random_inputs(random, mixed_step());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (mixed_step().inputs[i].initializer.kind == Initializer::Kind::doubling)
      inputs[i].elements = {scale};
  }
  return inputs;
}

/// In f64, where nothing is rounded: devices differ from one by the order of sums alone.
void check_equal(const Strategy& strategy) {
  const std::vector<ir::Tensor> inputs = inputs_with_scale(8);
  const std::vector<ir::Tensor> expected = ir::evaluate(mixed_step(), inputs, ir::Precision::f64),
                                actual = run_partitioned(mixed_step(), strategy, inputs);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i, mixed_step().producer(mixed_step().outputs[i].value).name);
    CHECK(relative_error(actual[i], expected[i]) < 1e-9);
  }
}

/// With an infinite loss scale no gradient is finite, and all devices skip the update.
void check_skipped(const Strategy& strategy) {
  const std::vector<ir::Tensor> inputs = inputs_with_scale(std::numeric_limits<double>::infinity());
  const std::vector<ir::Tensor> actual = run_partitioned(mixed_step(), strategy, inputs);
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const Output& output = mixed_step().outputs[i];
    if (output.kind != OutputKind::updated_state) continue;
    const Input& input = mixed_step().inputs[static_cast<std::size_t>(output.input)];
    const std::string& name = mixed_step().producer(input.value).name;
    CAPTURE(name);
    if (name == "loss_scale.steps") CHECK(actual[i].elements == std::vector<double>{0});
    if (name.starts_with("loss_scale") || input.kind == InputKind::parameter) continue;
    CHECK(actual[i] == inputs[static_cast<std::size_t>(output.input)]);
  }
}

using Counts = std::map<OpKind, int>;

/// Collectives of the updates of all chunks.
Counts collectives(const Program& program, const StrategyDraft& draft) {
  Counts counts;
  for (const auto& part : sharding::partition(program, sharding::complete(program, draft))) {
    if (part.phase != sharding::ChunkPhase::update) continue;
    for (const Op& op : part.program.ops) {
      if (ir::is_collective(op.kind)) ++counts[op.kind];
    }
  }
  return counts;
}

}  // namespace

TEST_CASE("a mixed step whose loss is scaled equals the single device, and skips as one") {
  const auto num_chunks = GENERATE(1, 2, 3);
  const std::int64_t data = GENERATE(1, 2), tensor = GENERATE(1, 2);
  StrategyDraft draft = make_draft(num_chunks, data, tensor, 2);
  if (num_chunks == 3 && data * tensor > 1) return;
  draft.zero_stage = GENERATE(0, 1, 2, 3);
  if (tensor > 1) annotate_megatron(mixed_step(), draft);
  CAPTURE(num_chunks, data, tensor, draft.zero_stage);
  const Strategy strategy = sharding::complete(mixed_step(), draft);
  check_equal(strategy);
  check_skipped(strategy);
}

TEST_CASE("devices agree that gradients are finite by scalars alone") {
  const Program plain = tiny_step(DType::f32);
  // Each gradient is reduced once, although two programs of the update of a stage read it.
  CHECK(collectives(mixed_step(), make_draft(2, 2, 1, 2)) ==
        collectives(plain, make_draft(2, 2, 1, 2)));
  // What is reduced in parts is examined in parts: one scalar more to reduce per gradient.
  StrategyDraft draft = make_draft(1, 2, 1, 2);
  draft.zero_stage = 2;
  Counts expected = collectives(plain, draft);
  expected[OpKind::all_reduce] +=
      std::ranges::count(plain.inputs, InputKind::parameter, &Input::kind);
  CHECK(collectives(mixed_step(), draft) == expected);
  for (const auto& part :
       sharding::partition(mixed_step(), sharding::complete(mixed_step(), draft))) {
    for (const Op& op : part.program.ops) {
      if (op.kind == OpKind::all_reduce) CHECK(op.shape.dims.empty());
      if (op.kind == OpKind::reduce_scatter) CHECK(op.shape.dtype == DType::f32);
      // Parameters are gathered as they are rounded from their masters.
      if (op.kind == OpKind::all_gather && part.phase == sharding::ChunkPhase::update)
        CHECK(op.shape.dtype == DType::bf16);
    }
  }
}

}  // namespace rhino::test
