// SPDX-License-Identifier: Apache-2.0
#include <random>

#include "conformance/conformance.hpp"
#include "conformance/grid.hpp"
#include "conformance/pipelines.hpp"

namespace rhino::conformance {
namespace {

constexpr std::int32_t kMostMeshes = 8;
constexpr std::int64_t kMostMicroBatches = 16;

/// Chunks of unlike cost. As in the engine, backward passes are not split.
PipelineProblem problem_for(const Placement& placement, std::int32_t num_meshes,
                            std::int64_t num_micro_batches) {
  std::mt19937 random(static_cast<std::uint32_t>(num_meshes * 100 + num_micro_batches));
  std::uniform_real_distribution<double> seconds(0.5, 2);
  PipelineProblem problem;
  problem.num_meshes = num_meshes;
  problem.num_micro_batches = num_micro_batches;
  for (const std::int32_t mesh : placement.mesh_of_chunk) {
    const double forward_s = seconds(random);
    problem.chunks.push_back({.forward_s = forward_s,
                              .backward_s = 2 * forward_s,
                              .activation_bytes = 1e6,
                              .mesh = mesh});
  }
  const std::size_t num_boundaries = placement.mesh_of_chunk.size() - 1;
  problem.transfer_bytes.assign(num_boundaries, 1e6);
  for (std::size_t b = 0; b < num_boundaries; ++b)
    problem.transfer_s.push_back(seconds(random) / 4);
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
