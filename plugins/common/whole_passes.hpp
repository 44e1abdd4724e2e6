// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "rhino/error.hpp"
#include "rhino/pipeline.hpp"

namespace rhino::common {

/// [chunk]: its mesh has no room for so many micro-batches beside what lies between a B and its W,
/// so that its backward pass is better left whole. Throws Error where a mesh has none for one
/// micro-batch alone.
inline std::vector<bool> whole_where_tight(const PipelineProblem& problem, std::int64_t count) {
  std::vector<double> needed(static_cast<std::size_t>(problem.num_meshes)), between = needed;
  for (const ChunkCost& chunk : problem.chunks) {
    const auto mesh = static_cast<std::size_t>(chunk.mesh);
    needed[mesh] += chunk.forward_to_backward_bytes + chunk.forward_to_weight_bytes;
    between[mesh] = std::max(between[mesh], chunk.backward_to_weight_bytes);
  }
  for (std::size_t mesh = 0; mesh < needed.size(); ++mesh) {
    const double limit = problem.activation_limit_bytes[mesh];
    if (limit <= 0 || needed[mesh] <= limit) continue;
    char text[128];
    std::snprintf(text, sizeof text,
                  "mesh %zu has room for %.3g bytes of activations, and one micro-batch keeps %.3g",
                  mesh, limit, needed[mesh]);
    throw Error(text);
  }
  std::vector<bool> is_whole;
  for (const ChunkCost& chunk : problem.chunks) {
    const auto mesh = static_cast<std::size_t>(chunk.mesh);
    const double limit = problem.activation_limit_bytes[mesh];
    is_whole.push_back(limit > 0 && between[mesh] > 0 &&
                       static_cast<double>(count) * needed[mesh] + between[mesh] > limit);
  }
  return is_whole;
}

}  // namespace rhino::common
