// SPDX-License-Identifier: Apache-2.0
#include "conformance/pipelines.hpp"

#include <algorithm>

#include "plan/pass_order.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::conformance {
std::string placement_fault(const Placement& placement, std::int32_t num_meshes) {
  if (placement.num_replicas != 1)
    return "it places " + std::to_string(placement.num_replicas) +
           " replicas of the chunks, and the engine runs one";
  std::vector<bool> used(at(num_meshes));
  for (const std::int32_t mesh : placement.mesh_of_chunk) {
    if (mesh < 0 || mesh >= num_meshes)
      return "it places a chunk on mesh " + std::to_string(mesh) + " of " +
             std::to_string(num_meshes);
    used[at(mesh)] = true;
  }
  const auto idle = std::find(used.begin(), used.end(), false);
  if (idle == used.end()) return "";
  return "it places no chunk on mesh " + std::to_string(idle - used.begin());
}

std::string schedule_fault(const PipelineProblem& problem, const PipelineSchedule& schedule) {
  try {
    plan::pass_order(problem, schedule);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace rhino::conformance
