// SPDX-License-Identifier: Apache-2.0
#include "conformance/pipelines.hpp"

#include <algorithm>
#include <random>
#include <utility>

#include "plan/pass_order.hpp"
#include "plan/pipeline.hpp"
#include "rhino/error.hpp"

namespace rhino::conformance {
namespace {

template <class Check>
std::string sentence_of(Check&& check) {
  try {
    check();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

std::string placement_fault(const Placement& placement, std::int32_t num_meshes) {
  return sentence_of([&] { plan::check_placement(placement, num_meshes); });
}

std::string schedule_fault(const PipelineProblem& problem, const PipelineSchedule& schedule) {
  return sentence_of([&] { plan::pass_order(problem, schedule); });
}

PipelineProblem pipeline_problem(const Placement& placement, std::int32_t num_meshes,
                                 std::int64_t num_micro_batches) {
  std::mt19937 random(static_cast<std::uint32_t>(num_meshes * 100 + num_micro_batches));
  std::uniform_real_distribution<double> seconds(0.5, 2);
  PipelineProblem problem;
  problem.num_meshes = num_meshes;
  problem.num_micro_batches = num_micro_batches;
  problem.num_replicas = placement.num_replicas;
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
  const auto each =
      static_cast<std::int32_t>(placement.mesh_of_chunk.size()) / placement.num_replicas;
  for (std::int32_t first = 0; first < placement.num_replicas * each; first += each) {
    const std::int32_t last = first + each - 1;
    for (std::int32_t chunk = first; chunk < last; ++chunk) join(chunk, chunk + 1);
    if (each > 2 && num_micro_batches % 2 == 0) join(first, last);
  }
  std::sort(problem.edges.begin(), problem.edges.end(),
            [](const PipelineEdge& a, const PipelineEdge& b) {
              return std::pair(a.from, a.to) < std::pair(b.from, b.to);
            });
  problem.activation_limit_bytes.assign(static_cast<std::size_t>(num_meshes), 0);
  return problem;
}

}  // namespace rhino::conformance
