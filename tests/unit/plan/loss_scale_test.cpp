// SPDX-License-Identifier: Apache-2.0
// Updates in which meshes wait for each other in turn: a loss scale goes by gradients of all
// chunks.
#include <catch2/catch.hpp>

#include "ir/dead_ops.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "plan/validate.hpp"
#include "plan_harness.hpp"
#include "plan_interpreter.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"
#include "sharding/replicas.hpp"

namespace rhino::test {
namespace {

const Program& scaled_step() {
  static const Program program = ir::training_step(
      models::mlp_forward({.inputs = 8, .width = 8, .depth = 10, .classes = 4, .dtype = DType::f64},
                          8),
      {.learning_rate = 0.1, .loss_scale = {.initial = 8, .growth_interval = 4}});
  return program;
}

/// Updates the head alone, so that no chunk in front of it waits for the flag of those behind.
const Program& head_step() {
  static const Program program = [] {
    Program step = scaled_step();
    std::erase_if(step.outputs, [&](const Output& output) {
      return output.kind == OutputKind::updated_state &&
             !step.producer(step.inputs[at(output.input)].value).name.starts_with("head");
    });
    return ir::without_dead_ops(step);
  }();
  return program;
}

Strategy strategy_on(const Program& program, const std::vector<Mesh>& meshes,
                     const std::vector<std::int32_t>& mesh_of) {
  StrategyDraft draft;
  draft.name = "scaled";
  draft.num_micro_batches = 4;
  for (const std::int32_t mesh : mesh_of) draft.chunks.push_back({meshes[at(mesh)], false});
  draft.batch_axis = 0;
  return sharding::complete(program, draft);
}

std::vector<Mesh> equal_meshes(std::int32_t num_meshes, std::int64_t size) {
  std::vector<Mesh> meshes;
  for (std::int32_t m = 0; m < num_meshes; ++m)
    meshes.push_back(make_mesh({size}, m * static_cast<DeviceId>(size)));
  return meshes;
}

/// All forwards, chunk by chunk, then all backwards; micro-batches by turns through the replicas.
PipelineSchedule chunk_by_chunk(const PipelineProblem& problem) {
  PipelineSchedule schedule;
  schedule.order.resize(at(problem.num_meshes));
  const auto num_chunks = static_cast<std::int32_t>(problem.chunks.size());
  const std::int32_t each = num_chunks / problem.num_replicas;
  const auto add = [&](ActionKind kind, std::int32_t chunk) {
    for (std::int32_t m = 0; m < problem.num_micro_batches; ++m) {
      if (m % problem.num_replicas == chunk / each)
        schedule.order[at(problem.chunks[at(chunk)].mesh)].push_back({kind, chunk, m});
    }
  };
  for (std::int32_t c = 0; c < num_chunks; ++c) add(ActionKind::forward, c);
  for (std::int32_t c = num_chunks; c-- > 0;) add(ActionKind::backward_weight, c);
  return schedule;
}

void check(const Program& program, const plan::ExecutionPlan& plan) {
  REQUIRE_NOTHROW(plan::validate(plan));
  for (const Eagerness eagerness : {Eagerness::early, Eagerness::late})
    check_against_reference(plan, program, random_inputs(program, 5), eagerness, 1e-5);
}

}  // namespace

TEST_CASE("a loss scale of several chunks on a mesh waits for nobody in a circle") {
  const std::vector<std::vector<std::int32_t>> placements = {
      {0, 1},       {0, 1, 0},          {0, 1, 0, 1},       {0, 1, 0, 1, 0, 1},
      {0, 1, 1, 0}, {0, 1, 2, 0, 1, 2}, {0, 1, 2, 2, 1, 0}, {0, 1, 1, 0, 0, 1, 1, 0}};
  const auto mesh_of = GENERATE_COPY(from_range(placements));
  const std::int64_t size = GENERATE(1, 2);
  const bool is_blocking = GENERATE(false, true);
  const Program& program = GENERATE(false, true) ? head_step() : scaled_step();
  CAPTURE(mesh_of, size, is_blocking, program.outputs.size());
  SendRecv resharding;
  const Strategy strategy = strategy_on(program, equal_meshes(3, size), mesh_of);
  check(program, plan_of({program, strategy, resharding, {}, 1, {is_blocking, is_blocking}},
                         chunk_by_chunk));
}

TEST_CASE("a loss scale of pipelines in two directions waits for nobody in a circle") {
  const std::int32_t num_meshes = GENERATE(2, 3, 4);
  const std::int64_t size = GENERATE(1, 2);
  CAPTURE(num_meshes, size);
  const Program& program = scaled_step();
  std::vector<std::int32_t> mesh_of;
  for (std::int32_t m = 0; m < num_meshes; ++m) mesh_of.push_back(m);
  const Strategy strategy = strategy_on(program, equal_meshes(num_meshes, size), mesh_of);
  std::vector<Chunk> chunks = strategy.chunks;
  chunks.insert(chunks.end(), strategy.chunks.rbegin(), strategy.chunks.rend());
  const sharding::ReplicatedStep step = sharding::replicate(program, strategy, chunks);
  SendRecv resharding;
  plan::ExecutionPlan plan =
      plan_of({step.program, step.strategy, resharding, {}, 2}, chunk_by_chunk);
  for (plan::Role& role : plan.roles) {
    for (plan::PlanInput& input : role.inputs) input.input = step.inputs[at(input.input)];
    for (plan::PlanOutput& output : role.outputs) output.output = step.outputs[at(output.output)];
  }
  check(program, plan);
}

}  // namespace rhino::test
