// SPDX-License-Identifier: Apache-2.0
#include "conformance/conformance.hpp"
#include "conformance/grid.hpp"
#include "conformance/pipelines.hpp"

namespace rhino::conformance {
namespace {

constexpr std::int32_t kMostMeshes = 8;
constexpr std::int64_t kMostMicroBatches = 16;

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
      PipelineProblem problem = pipeline_problem(placement, num_meshes, count);
      for (const bool is_draft : {false, true}) {
        problem.is_draft = is_draft;
        orders.put(
            std::to_string(num_meshes) + " meshes, " + std::to_string(count) + " micro-batches" +
                (is_draft ? ", a draft" : ""),
            [&] { return plugin.schedule(problem); },
            [&](const PipelineSchedule& schedule) { return schedule_fault(problem, schedule); });
      }
    }
  }
  ConformanceReport report = placements.take();
  if (report.ok()) report += orders.take();
  return report;
}

}  // namespace rhino::conformance
