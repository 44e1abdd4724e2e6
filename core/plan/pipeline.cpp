// SPDX-License-Identifier: Apache-2.0
#include "plan/pipeline.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "plan/blocks.hpp"
#include "plan/plan_mesh.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "rhino/tile.hpp"

namespace rhino::plan {
namespace {

/// Distinct meshes in the order of first use; the number of each chunk's.
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

class PipelineMaker {
 public:
  PipelineMaker(const Strategy& strategy, const std::vector<sharding::ChunkProgram>& programs)
      : strategy_(strategy), programs_(programs) {}

  PipelineProblem make(const CrossingPrice& crossing_s) {
    for (const std::int32_t mesh : mesh_numbers(strategy_)) {
      problem_.chunks.push_back({.mesh = mesh});
      problem_.num_meshes = std::max(problem_.num_meshes, mesh + 1);
    }
    problem_.num_micro_batches = strategy_.num_micro_batches;
    for_each_port(&sharding::ChunkProgram::outputs,
                  [&](const ChunkPass& of, const sharding::Port& port) {
                    makers_.insert({{of.chunk, port.value}, {of.pass, &port.spec}});
                  });
    for_each_port(&sharding::ChunkProgram::inputs,
                  [&](const ChunkPass& of, const sharding::Port& port) {
                    if (port.source >= 0) read(of, port);
                  });
    for (const auto& [key, life] : lives_) keep(key.first, life);
    for (const auto& [ends, crossing] : crossings_) {
      const bool is_priced = crossing_s && mesh(ends.first.chunk) != mesh(ends.second.chunk);
      const double seconds = is_priced ? crossing_s(sent_together(ends)) : 0;
      problem_.edges.push_back({ends.first, ends.second, crossing.bytes, seconds});
    }
    return std::move(problem_);
  }

 private:
  /// A value of each micro-batch in the memory of a chunk's devices.
  struct Life {
    Pass first = Pass::forward, last = Pass::forward;
    double bytes = 0;
  };
  struct Crossing {
    double bytes = 0;
    std::vector<ReshardTensor> tensors;
  };
  struct Maker {
    Pass pass = Pass::forward;
    const ShardingSpec* spec = nullptr;
  };

  const Mesh& mesh(std::int32_t chunk) const { return strategy_.chunks[at(chunk)].mesh; }

  template <class Act>
  void for_each_port(std::vector<sharding::Port> sharding::ChunkProgram::*ports, Act&& act) const {
    for (const sharding::ChunkProgram& program : programs_) {
      if (!sharding::is_pass(program.phase)) continue;
      for (const sharding::Port& port : program.*ports) {
        if (port.repeat == sharding::Repeat::per_micro_batch)
          act(ChunkPass{pass_of({program.phase, program.chunk}), program.chunk}, port);
      }
    }
  }

  /// Passes of a chunk come in their order.
  void read(const ChunkPass& reader, const sharding::Port& port) {
    const bool is_own = port.source == reader.chunk;
    const auto& [pass, spec] = makers_.at({port.source, port.value});
    const ChunkPass maker{pass, port.source};
    const auto [life, is_first] = lives_.insert(
        {{reader.chunk, port.value},
         {is_own ? maker.pass : reader.pass, reader.pass, tile_bytes(port, mesh(reader.chunk))}});
    life->second.last = reader.pass;
    if (is_own || !is_first) return;
    Crossing& crossing = crossings_[{maker, reader}];
    crossing.bytes += static_cast<double>(num_bytes(port.global));
    crossing.tensors.push_back(
        {port.global, mesh(port.source), *spec, {{mesh(reader.chunk), port.spec}}});
  }

  /// All that the pass sends to the mesh, whichever pass there reads it: one handover.
  std::vector<ReshardTensor> sent_together(const std::pair<ChunkPass, ChunkPass>& ends) const {
    std::vector<ReshardTensor> tensors;
    for (const auto& [other, crossing] : crossings_) {
      if (other.first != ends.first || mesh(other.second.chunk) != mesh(ends.second.chunk))
        continue;
      tensors.insert(tensors.end(), crossing.tensors.begin(), crossing.tensors.end());
    }
    return tensors;
  }

  void keep(std::int32_t chunk, const Life& life) {
    ChunkCost& cost = problem_.chunks[at(chunk)];
    if (life.first == life.last) return;
    if (life.last == Pass::backward) cost.forward_to_backward_bytes += life.bytes;
    else if (life.first == Pass::forward) cost.forward_to_weight_bytes += life.bytes;
    else cost.backward_to_weight_bytes += life.bytes;
  }

  const Strategy& strategy_;
  const std::vector<sharding::ChunkProgram>& programs_;
  PipelineProblem problem_;
  std::map<std::pair<std::int32_t, ValueId>, Maker> makers_;  ///< by chunk and value
  std::map<std::pair<std::int32_t, ValueId>, Life> lives_;    ///< by reading chunk and value
  std::map<std::pair<ChunkPass, ChunkPass>, Crossing> crossings_;
};

}  // namespace

void check_placement(const Placement& placement, std::int32_t num_meshes) {
  const auto num_chunks = static_cast<std::int64_t>(placement.mesh_of_chunk.size());
  if (placement.num_replicas < 1 || num_chunks % placement.num_replicas != 0)
    throw Error("the schedule places " + std::to_string(num_chunks) + " chunks in " +
                std::to_string(placement.num_replicas) + " replicas");
  std::vector<bool> is_used(at(num_meshes));
  for (const std::int32_t mesh : placement.mesh_of_chunk) {
    if (mesh < 0 || mesh >= num_meshes)
      throw Error("the schedule places a chunk on mesh " + std::to_string(mesh) + " of " +
                  std::to_string(num_meshes));
    is_used[at(mesh)] = true;
  }
  const auto idle = std::find(is_used.begin(), is_used.end(), false);
  if (idle != is_used.end())
    throw Error("the schedule places no chunk on mesh " + std::to_string(idle - is_used.begin()));
}

double tile_bytes(const sharding::Port& port, const Mesh& mesh) {
  return static_cast<double>(num_elements(tile_dims(port.global.dims, port.spec, mesh)) *
                             dtype_bytes(port.global.dtype));
}

PipelineProblem pipeline_of(const Strategy& strategy,
                            const std::vector<sharding::ChunkProgram>& chunk_programs,
                            const CrossingPrice& crossing_s) {
  return PipelineMaker(strategy, chunk_programs).make(crossing_s);
}

void set_rooms(PipelineProblem& problem, const Strategy& strategy, const Cluster& cluster,
               const std::vector<double>& lasting_bytes) {
  std::vector<double> kept(at(problem.num_meshes)), rooms = kept;
  for (std::size_t c = 0; c < problem.chunks.size(); ++c) {
    const ChunkCost& chunk = problem.chunks[c];
    const std::size_t mesh = at(chunk.mesh);
    kept[mesh] += chunk.forward_to_backward_bytes + chunk.forward_to_weight_bytes;
    rooms[mesh] = room_bytes(cluster, strategy.chunks[c].mesh, lasting_bytes[mesh]);
  }
  for (std::size_t mesh = 0; mesh < kept.size(); ++mesh) {
    if (rooms[mesh] < kept[mesh]) rooms[mesh] = 0;
  }
  problem.activation_limit_bytes = std::move(rooms);
}

}  // namespace rhino::plan
