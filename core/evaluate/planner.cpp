// SPDX-License-Identifier: Apache-2.0
#include "evaluate/planner.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ir/mesh_groups.hpp"
#include "ir/op_info.hpp"
#include "lower/lower.hpp"
#include "plan/assemble.hpp"
#include "rhino/error.hpp"
#include "sharding/complete.hpp"

namespace rhino::evaluate {
namespace {

/// The program with every collective as a further input, and what it reads as a further output:
/// what is left are kernels.
Program without_collectives(const sharding::ChunkProgram& chunk_program) {
  Program program = chunk_program.program;
  for (Op& op : program.ops) {
    if (!ir::is_collective(op.kind)) continue;
    for (const ValueId operand : op.operands)
      program.outputs.push_back({operand, OutputKind::value, -1});
    program.inputs.push_back(
        {.value = static_cast<ValueId>(&op - program.ops.data()), .kind = InputKind::batch});
    op.kind = OpKind::parameter;
    op.operands.clear();
    op.attributes = {};
  }
  return program;
}

double collectives_s(const Program& program, const Mesh& mesh, const cost::CostModel& cost) {
  double seconds = 0;
  for (const Op& op : program.ops) {
    if (!ir::is_collective(op.kind)) continue;
    const auto groups = ir::devices_along(mesh, op.attributes.get<CollectiveAttr>().axes);
    const auto bytes = static_cast<double>(num_bytes(program.shape(op.operands[0])));
    seconds += cost.collective_s(op.kind, bytes, groups.front(),
                                 cost::groups_per_host(groups, cost.cluster()));
  }
  return seconds;
}

/// Distinct meshes in the order of first use; index of each chunk's.
std::vector<std::int32_t> mesh_numbers(const Strategy& strategy) {
  std::vector<Mesh> meshes;
  std::vector<std::int32_t> numbers;
  for (const Chunk& chunk : strategy.chunks) {
    const auto found = std::find(meshes.begin(), meshes.end(), chunk.mesh);
    numbers.push_back(static_cast<std::int32_t>(found - meshes.begin()));
    if (found == meshes.end()) meshes.push_back(chunk.mesh);
  }
  return numbers;
}

/// Searchers are free to answer anything.
void check(const Program& program, const Cluster& cluster, const Strategy& strategy) {
  sharding::check_strategy(program, strategy);
  for (const Chunk& chunk : strategy.chunks) {
    for (const DeviceId device : chunk.mesh.devices) {
      if (device >= 0 && device < cluster.num_devices()) continue;
      throw Error("strategy '" + strategy.name + "' uses device " + std::to_string(device) +
                  ", and topology '" + cluster.name + "' has " +
                  std::to_string(cluster.num_devices()));
    }
  }
}

double tile_bytes(const sharding::Port& port, const Mesh& mesh) {
  return static_cast<double>(num_elements(tile_dims(port.global.dims, port.spec, mesh)) *
                             dtype_bytes(port.global.dtype));
}

}  // namespace

ChunkPrice price(const sharding::ChunkProgram& chunk_program, const Mesh& mesh,
                 const cost::CostModel& cost) {
  const auto model = cost.cluster().model_of[static_cast<std::size_t>(mesh.devices.front())];
  return {cost.program_s(lower::lower(without_collectives(chunk_program)), model),
          collectives_s(chunk_program.program, mesh, cost)};
}

PipelineProblem pipeline_problem(const Strategy& strategy,
                                 const std::vector<sharding::ChunkProgram>& chunk_programs,
                                 const cost::CostModel& cost) {
  PipelineProblem problem;
  problem.num_micro_batches = strategy.num_micro_batches;
  const std::vector<std::int32_t> numbers = mesh_numbers(strategy);
  problem.num_meshes = numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end()) + 1;
  problem.chunks.resize(strategy.chunks.size());
  problem.transfer_bytes.assign(strategy.chunks.size() - 1, 0);
  problem.transfer_s.assign(strategy.chunks.size() - 1, 0);
  for (std::size_t c = 0; c < numbers.size(); ++c) problem.chunks[c].mesh = numbers[c];
  std::map<std::int32_t, double> resident_bytes;
  std::set<std::pair<std::int32_t, ValueId>> counted;  // what a chunk reads of the one before
  for (const sharding::ChunkProgram& part : chunk_programs) {
    const auto c = static_cast<std::size_t>(part.chunk);
    const Mesh& mesh = strategy.chunks[c].mesh;
    const double seconds = price(part, mesh, cost).seconds();
    if (part.phase == sharding::ChunkPhase::forward) problem.chunks[c].forward_s += seconds;
    if (part.phase == sharding::ChunkPhase::backward) problem.chunks[c].backward_s += seconds;
    for (const sharding::Port& port : part.inputs) {
      const bool crosses = port.repeat == sharding::Repeat::per_micro_batch && port.source >= 0;
      if (!crosses && port.source < 0) resident_bytes[numbers[c]] += tile_bytes(port, mesh);
      if (!crosses) continue;
      if (port.source == part.chunk && part.phase == sharding::ChunkPhase::backward)
        problem.chunks[c].activation_bytes += tile_bytes(port, mesh);
      if (port.source == part.chunk - 1 && counted.insert({part.chunk, port.value}).second) {
        const auto boundary = static_cast<std::size_t>(port.source);
        problem.transfer_bytes[boundary] += static_cast<double>(num_bytes(port.global));
        problem.transfer_s[boundary] +=
            cost.message_s(tile_bytes(port, mesh), strategy.chunks[boundary].mesh.devices.front(),
                           mesh.devices.front());
      }
    }
  }
  for (std::int32_t mesh = 0; mesh < problem.num_meshes; ++mesh) {
    const auto chunk =
        static_cast<std::size_t>(std::find(numbers.begin(), numbers.end(), mesh) - numbers.begin());
    const double memory =
        cost.cluster().device(strategy.chunks[chunk].mesh.devices.front()).memory_bytes;
    problem.activation_limit_bytes.push_back(std::max(0.0, memory - resident_bytes[mesh]));
  }
  return problem;
}

plan::ExecutionPlan make_plan(const PlanContext& context, const Strategy& strategy) {
  check(context.program, context.cost.cluster(), strategy);
  const std::vector<sharding::ChunkProgram> chunk_programs =
      sharding::partition(context.program, strategy);
  const PipelineProblem problem = pipeline_problem(strategy, chunk_programs, context.cost);
  const PipelineSchedule schedule = context.schedule.schedule(problem);
  plan::ExecutionPlan plan = plan::assemble(
      {context.program, strategy, chunk_programs, context.cost.cluster(), problem, schedule,
       context.resharding, context.schedule_id, context.resharding_id, context.least_bucket_bytes});
  plan.name = strategy.name;
  return plan;
}

std::vector<Chunk> place_chunks(const Cluster& cluster, Schedule& schedule, std::int32_t num_meshes,
                                const std::vector<MeshAxis>& axes) {
  std::int64_t per_mesh = 1;
  for (const MeshAxis& axis : axes) per_mesh *= axis.size;
  if (per_mesh * num_meshes > cluster.num_devices()) {
    throw Error("the strategy wants " + std::to_string(per_mesh * num_meshes) +
                " devices, and topology '" + cluster.name + "' has " +
                std::to_string(cluster.num_devices()));
  }
  const Placement placement = schedule.placement(num_meshes);
  if (placement.num_replicas != 1)
    throw Error("the schedule places " + std::to_string(placement.num_replicas) +
                " replicas of the chunks, and chunk programs exist for one");
  std::vector<Chunk> chunks;
  for (const std::int32_t number : placement.mesh_of_chunk) {
    if (number < 0 || number >= num_meshes)
      throw Error("the schedule places a chunk on mesh " + std::to_string(number) + " of " +
                  std::to_string(num_meshes));
    Mesh mesh{axes, {}};
    for (std::int64_t d = 0; d < per_mesh; ++d)
      mesh.devices.push_back(static_cast<DeviceId>(number * per_mesh + d));
    chunks.push_back({mesh, false});
  }
  return chunks;
}

}  // namespace rhino::evaluate
