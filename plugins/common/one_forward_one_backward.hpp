// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "rhino/pipeline.hpp"

namespace rhino::common {

/// The order of one stage: `warm_up` forwards, then backward and forward by turns, then the
/// remaining backwards. GPipe (warm_up = all), 1F1B and eager-1F1B differ in `warm_up` alone
/// (AlpaComm, section 4).
inline std::vector<Action> alternate(std::int32_t chunk, std::int32_t num_micro_batches,
                                     std::int32_t warm_up) {
  std::vector<Action> order;
  warm_up = std::clamp(warm_up, 1, num_micro_batches);
  for (std::int32_t forward = 0; forward < warm_up; ++forward)
    order.push_back({ActionKind::forward, chunk, forward});
  for (std::int32_t backward = 0; backward < num_micro_batches; ++backward) {
    order.push_back({ActionKind::backward_weight, chunk, backward});
    const std::int32_t forward = warm_up + backward;
    if (forward < num_micro_batches) order.push_back({ActionKind::forward, chunk, forward});
  }
  return order;
}

/// One chunk per mesh, in order.
inline Placement one_chunk_per_mesh(int num_meshes) {
  Placement placement;
  for (std::int32_t mesh = 0; mesh < num_meshes; ++mesh) placement.mesh_of_chunk.push_back(mesh);
  return placement;
}

/// The costs of every chunk, where all are equal and what crosses is free; null: they are not.
/// Bubbles of papers are of such pipelines.
inline const ChunkCost* equal_chunks(const PipelineProblem& problem) {
  const ChunkCost& first = problem.chunks.front();
  const auto differs = [&](const ChunkCost& chunk) {
    return chunk.forward_s != first.forward_s || chunk.backward_s != first.backward_s ||
           chunk.weight_s != first.weight_s || chunk.backward_weight_s != first.backward_weight_s;
  };
  const auto takes_time = [](const PipelineEdge& edge) { return edge.seconds > 0; };
  const bool is_equal = std::ranges::none_of(problem.chunks, differs) &&
                        std::ranges::none_of(problem.edges, takes_time);
  return is_equal ? &first : nullptr;
}

/// (p - 1) (F + BW): of one chunk per mesh and backward passes that are whole.
inline std::optional<double> whole_bubble_s(const PipelineProblem& problem) {
  const ChunkCost* chunk = equal_chunks(problem);
  if (chunk == nullptr) return std::nullopt;
  return (problem.num_meshes - 1) * (chunk->forward_s + chunk->backward_weight_s);
}

/// Every stage alternates after `warm_up(stages that follow it, itself included)` forwards.
template <class WarmUp>
PipelineSchedule alternating_schedule(const PipelineProblem& problem, WarmUp&& warm_up) {
  PipelineSchedule schedule;
  const auto num_micro_batches = static_cast<std::int32_t>(problem.num_micro_batches);
  for (std::int32_t mesh = 0; mesh < problem.num_meshes; ++mesh) {
    schedule.order.push_back(
        alternate(mesh, num_micro_batches, warm_up(problem.num_meshes - mesh)));
  }
  return schedule;
}

}  // namespace rhino::common
