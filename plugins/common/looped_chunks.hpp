// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rhino/error.hpp"
#include "rhino/options.hpp"
#include "rhino/pipeline.hpp"

namespace rhino::common {

/// The option `chunks` of schedules that go round: how many each mesh has.
inline std::int32_t read_chunks(const Options& options) {
  constexpr std::int64_t kMost = 64;
  const auto chunks = options.get<std::int64_t>("chunks", 2);
  if (chunks < 1 || chunks > kMost) throw Error("chunks is a number from 1 to 64");
  return static_cast<std::int32_t>(chunks);
}

/// Round and round: chunk c lies on mesh c modulo the number of meshes.
inline Placement looped(int num_meshes, std::int32_t chunks_per_mesh) {
  Placement placement;
  for (std::int32_t chunk = 0; chunk < num_meshes * chunks_per_mesh; ++chunk)
    placement.mesh_of_chunk.push_back(chunk % num_meshes);
  return placement;
}

/// The chunks of every mesh, in pipeline order. Throws Error where they do not go round.
inline std::vector<std::vector<std::int32_t>> chunks_by_mesh(const PipelineProblem& problem) {
  std::vector<std::vector<std::int32_t>> chunks(static_cast<std::size_t>(problem.num_meshes));
  for (std::size_t chunk = 0; chunk < problem.chunks.size(); ++chunk) {
    if (problem.chunks[chunk].mesh != static_cast<std::int32_t>(chunk) % problem.num_meshes)
      throw Error("chunk " + std::to_string(chunk) + " does not lie where this schedule places it");
    chunks[chunk % chunks.size()].push_back(static_cast<std::int32_t>(chunk));
  }
  return chunks;
}

}  // namespace rhino::common
