// SPDX-License-Identifier: Apache-2.0
#include "evaluate/pipeline_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

/// Of the edge between two passes of neighbours.
double crossing_s(const PipelineProblem& problem, const ChunkPass& from, const ChunkPass& to) {
  const auto edge = std::ranges::find_if(
      problem.edges, [&](const PipelineEdge& each) { return each.from == from && each.to == to; });
  return edge == problem.edges.end() ? 0 : edge->seconds;
}

/// From the beginning of F of chunk `first` until B of chunk `last` may begin, of one micro-batch.
double round_trip_s(const PipelineProblem& problem, std::int32_t first, std::int32_t last) {
  const auto end = static_cast<std::int32_t>(problem.chunks.size()) - 1;
  double seconds = 0;
  for (std::int32_t c = first; c <= end; ++c) {
    seconds += problem.chunks[at(c)].forward_s;
    if (c < end) seconds += crossing_s(problem, {Pass::forward, c}, {Pass::forward, c + 1});
  }
  for (std::int32_t c = end; c > last; --c)
    seconds += problem.chunks[at(c)].backward_s +
               crossing_s(problem, {Pass::backward, c}, {Pass::backward, c - 1});
  return seconds;
}

/// All forwards that fit in memory while nothing has been freed.
double forwards_s(const PipelineProblem& problem, std::int32_t mesh) {
  const double limit_bytes =
      problem.activation_limit_bytes.empty() ? 0 : problem.activation_limit_bytes[at(mesh)];
  const auto all = static_cast<double>(problem.num_micro_batches);
  double seconds = 0, best = 0;
  for (const ChunkCost& chunk : problem.chunks) {
    if (chunk.mesh != mesh) continue;
    seconds += all * chunk.forward_s;
    const double bytes = chunk.forward_to_backward_bytes + chunk.forward_to_weight_bytes;
    if (limit_bytes <= 0 || bytes <= 0) best = std::numeric_limits<double>::infinity();
    else best = std::max(best, limit_bytes / bytes * chunk.forward_s);
  }
  return std::min(seconds, best);
}

}  // namespace

double pipeline_bound_s(const PipelineProblem& problem) {
  double bound_s = 0;
  for (std::int32_t mesh = 0; mesh < problem.num_meshes; ++mesh) {
    double work_s = 0;
    std::int32_t first = -1, last = -1;
    for (std::int32_t c = 0; c < std::ssize(problem.chunks); ++c) {
      const ChunkCost& chunk = problem.chunks[at(c)];
      if (chunk.mesh != mesh) continue;
      if (first < 0) first = c;
      last = c;
      work_s +=
          chunk.forward_s + std::min(chunk.backward_weight_s, chunk.backward_s + chunk.weight_s);
    }
    const double idle_s = round_trip_s(problem, first, last) - forwards_s(problem, mesh);
    bound_s = std::max(
        bound_s, static_cast<double>(problem.num_micro_batches) * work_s + std::max(0.0, idle_s));
  }
  return bound_s;
}

}  // namespace rhino::evaluate
