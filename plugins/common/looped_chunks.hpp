// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "common/option_values.hpp"
#include "rhino/error.hpp"
#include "rhino/options.hpp"
#include "rhino/pipeline.hpp"

namespace rhino::common {

/// The option `chunks` of schedules that go round: how many each mesh has.
inline std::int32_t read_chunks(const Options& options) {
  return static_cast<std::int32_t>(whole_option(options, "chunks", 2, {.least = 1, .most = 64}));
}

/// Round and round: chunk c lies on mesh c modulo the number of meshes.
inline Placement looped(int num_meshes, std::int32_t chunks_per_mesh) {
  Placement placement;
  for (std::int32_t chunk = 0; chunk < num_meshes * chunks_per_mesh; ++chunk)
    placement.mesh_of_chunk.push_back(chunk % num_meshes);
  return placement;
}

/// Forth and back: chunks go from mesh 0 to the last one, from there to mesh 0, `waves` times. So
/// the last chunk of a wave lies where the first one does, and nothing crosses at its turns.
inline Placement waved(int num_meshes, std::int32_t waves) {
  Placement placement;
  for (std::int32_t chunk = 0; chunk < 2 * num_meshes * waves; ++chunk) {
    const std::int32_t step = chunk % (2 * num_meshes);
    placement.mesh_of_chunk.push_back(step < num_meshes ? step : 2 * num_meshes - 1 - step);
  }
  return placement;
}

/// Two replicas with a chunk on every mesh, the second one from the last mesh to the first. Throws
/// Error where meshes are odd in number.
inline Placement both_ways(int num_meshes) {
  if (num_meshes % 2 != 0)
    throw Error("two directions take an even number of stages, not " + std::to_string(num_meshes));
  Placement placement = waved(num_meshes, 1);
  placement.num_replicas = 2;
  return placement;
}

/// The chunks of every mesh, in pipeline order. Throws Error where they lie elsewhere.
inline std::vector<std::vector<std::int32_t>> chunks_by_mesh(const PipelineProblem& problem,
                                                             const Placement& placement) {
  std::vector<std::vector<std::int32_t>> chunks(static_cast<std::size_t>(problem.num_meshes));
  if (problem.chunks.size() != placement.mesh_of_chunk.size())
    throw Error("this schedule places " + std::to_string(placement.mesh_of_chunk.size()) +
                " chunks, not " + std::to_string(problem.chunks.size()));
  for (std::size_t chunk = 0; chunk < problem.chunks.size(); ++chunk) {
    const std::int32_t mesh = placement.mesh_of_chunk[chunk];
    if (problem.chunks[chunk].mesh != mesh)
      throw Error("chunk " + std::to_string(chunk) + " does not lie where this schedule places it");
    chunks[static_cast<std::size_t>(mesh)].push_back(static_cast<std::int32_t>(chunk));
  }
  return chunks;
}
/// The same where they go round, any number of times.
inline std::vector<std::vector<std::int32_t>> chunks_by_mesh(const PipelineProblem& problem) {
  const auto rounds = static_cast<std::int32_t>(problem.chunks.size()) / problem.num_meshes;
  return chunks_by_mesh(problem, looped(problem.num_meshes, rounds));
}

}  // namespace rhino::common
