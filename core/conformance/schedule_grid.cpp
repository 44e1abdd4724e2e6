// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <optional>

#include "conformance/conformance.hpp"
#include "conformance/grid.hpp"
#include "conformance/pipelines.hpp"
#include "rhino/strategy.hpp"

namespace rhino::conformance {
namespace {

constexpr std::int32_t kMostMeshes = 8;
constexpr std::int64_t kMostMicroBatches = 16;

/// Empty where its formula says a time, twice the same, or nothing.
std::string one_formula_fault(const PipelineProblem& problem, Schedule& plugin) {
  try {
    const std::optional<double> bubble_s = plugin.bubble_s(problem);
    if (bubble_s && !(*bubble_s >= 0 && std::isfinite(*bubble_s)))
      return "its formula of the bubble says " + std::to_string(*bubble_s) + " s";
    if (plugin.bubble_s(problem) != bubble_s) return "asked twice, its formula says another time";
  } catch (const Error& error) {
    return std::string("its formula of the bubble says no time: ") + error.what();
  }
  return "";
}

/// Of the problem, and of others whose stages are equal and whose transfers are free.
std::string formula_fault(PipelineProblem problem, Schedule& plugin) {
  std::string fault = one_formula_fault(problem, plugin);
  for (PipelineEdge& edge : problem.edges) edge.seconds = 0;
  for (const auto& [forward_s, backward_s, weight_s] :
       std::array<std::array<double, 3>, 3>{{{1, 1, 1}, {1, 1, 9}, {9, 1, 0}}}) {
    for (ChunkCost& chunk : problem.chunks) {
      chunk.forward_s = forward_s;
      chunk.backward_s = backward_s;
      chunk.weight_s = weight_s;
      chunk.backward_weight_s = backward_s + weight_s;
    }
    if (fault.empty()) fault = one_formula_fault(problem, plugin);
  }
  return fault;
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
      PipelineProblem problem = pipeline_problem(placement, num_meshes, count);
      for (const bool is_draft : {false, true}) {
        problem.is_draft = is_draft;
        orders.put(
            std::to_string(num_meshes) + " meshes, " + micro_batches_text(count) +
                (is_draft ? ", a draft" : ""),
            [&] { return plugin.schedule(problem); },
            [&](const PipelineSchedule& schedule) {
              const std::string fault = schedule_fault(problem, schedule);
              return fault.empty() ? formula_fault(problem, plugin) : fault;
            });
      }
    }
  }
  ConformanceReport report = placements.take();
  if (report.ok()) report += orders.take();
  return report;
}

}  // namespace rhino::conformance
