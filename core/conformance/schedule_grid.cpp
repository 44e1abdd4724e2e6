// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <random>
#include <utility>

#include "conformance/conformance.hpp"
#include "conformance/grid.hpp"
#include "conformance/pipelines.hpp"

namespace rhino::conformance {
namespace {

constexpr std::int32_t kMostMeshes = 8;
constexpr std::int64_t kMostMicroBatches = 16;

/// Chunks of unlike cost, in a chain. Where micro-batches are even in number the last one reads of
/// the first, too.
PipelineProblem problem_for(const Placement& placement, std::int32_t num_meshes,
                            std::int64_t num_micro_batches) {
  std::mt19937 random(static_cast<std::uint32_t>(num_meshes * 100 + num_micro_batches));
  std::uniform_real_distribution<double> seconds(0.5, 2);
  PipelineProblem problem;
  problem.num_meshes = num_meshes;
  problem.num_micro_batches = num_micro_batches;
  for (const std::int32_t mesh : placement.mesh_of_chunk) {
    const double forward_s = seconds(random), weight_s = seconds(random);
    problem.chunks.push_back({.mesh = mesh,
                              .forward_s = forward_s,
                              .backward_s = forward_s,
                              .weight_s = weight_s,
                              .backward_weight_s = forward_s + weight_s,
                              .forward_to_backward_bytes = 1e6,
                              .forward_to_weight_bytes = 1e6,
                              .backward_to_weight_bytes = 1e6});
  }
  const auto join = [&](std::int32_t early, std::int32_t late) {
    const double transfer_s = seconds(random) / 4;
    problem.edges.push_back({{Pass::forward, early}, {Pass::forward, late}, 1e6, transfer_s});
    problem.edges.push_back({{Pass::backward, late}, {Pass::backward, early}, 1e6, transfer_s});
  };
  const auto last = static_cast<std::int32_t>(placement.mesh_of_chunk.size()) - 1;
  for (std::int32_t chunk = 0; chunk < last; ++chunk) join(chunk, chunk + 1);
  if (last > 1 && num_micro_batches % 2 == 0) join(0, last);
  std::sort(problem.edges.begin(), problem.edges.end(),
            [](const PipelineEdge& a, const PipelineEdge& b) {
              return std::pair(a.from, a.to) < std::pair(b.from, b.to);
            });
  problem.activation_limit_bytes.assign(static_cast<std::size_t>(num_meshes), 0);
  return problem;
}

}  // namespace

ConformanceReport check_schedule(Schedule& plugin, const OnProblem& on_problem) {
  Grid placements(on_problem), orders(on_problem);
  for (std::int32_t num_meshes = 1; num_meshes <= kMostMeshes; ++num_meshes) {
    Placement placement;
    placements.put(
        "placement on " + std::to_string(num_meshes) + " meshes",
        [&] { return placement = plugin.placement(num_meshes); },
        [&](const Placement& answer) { return placement_fault(answer, num_meshes); });
    if (!placement_fault(placement, num_meshes).empty()) continue;
    for (std::int64_t count = 1; count <= kMostMicroBatches; ++count) {
      const PipelineProblem problem = problem_for(placement, num_meshes, count);
      orders.put(
          std::to_string(num_meshes) + " meshes, " + std::to_string(count) + " micro-batches",
          [&] { return plugin.schedule(problem); },
          [&](const PipelineSchedule& schedule) { return schedule_fault(problem, schedule); });
    }
  }
  ConformanceReport report = placements.take();
  if (report.ok()) report += orders.take();
  return report;
}

}  // namespace rhino::conformance
