// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "plan/execution_plan.hpp"

/// Meshes of a plan: over which one tiles lie, their own, else their role's, and what it has.
namespace rhino::plan {

inline const Mesh& mesh_of(const Role& role, const PlanInput& input) {
  return input.mesh.devices.empty() ? role.mesh : input.mesh;
}
inline const Mesh& mesh_of(const Role& role, const PlanOutput& output) {
  return output.mesh.devices.empty() ? role.mesh : output.mesh;
}
inline const Mesh& mesh_of(const ExecutionPlan& plan, const TransferEnd& end) {
  return end.role >= 0 ? plan.roles[static_cast<std::size_t>(end.role)].mesh : end.mesh;
}

/// An input of all micro-batches.
inline Shape whole_shape(const ExecutionPlan& plan, const PlanInput& input) {
  Shape whole = input.global;
  if (input.micro_dim >= 0)
    whole.dims[static_cast<std::size_t>(input.micro_dim)] *= plan.num_micro_batches;
  return whole;
}

/// Index of `device` in mesh.devices; -1: it is not there.
inline std::int64_t rank_in(const Mesh& mesh, DeviceId device) {
  const auto found = std::find(mesh.devices.begin(), mesh.devices.end(), device);
  return found == mesh.devices.end() ? -1 : found - mesh.devices.begin();
}

/// Of the memory of its devices the least, of those that say how much they have; infinite: none.
inline double memory_bytes(const Cluster& cluster, const Mesh& mesh) {
  double least = std::numeric_limits<double>::infinity();
  for (const DeviceId device : mesh.devices) {
    const double bytes = cluster.device(device).memory_bytes;
    if (bytes > 0) least = std::min(least, bytes);
  }
  return least;
}

/// What it has beside `lasting_bytes`; 0: nothing is left, or said.
inline double room_bytes(const Cluster& cluster, const Mesh& mesh, double lasting_bytes) {
  const double bytes = memory_bytes(cluster, mesh);
  return std::isinf(bytes) ? 0 : std::max(0.0, bytes - lasting_bytes);
}

/// Whether the devices of `role` hold a tile of this end.
inline bool has_role(const ExecutionPlan& plan, const TransferEnd& end, std::int32_t role) {
  if (end.role >= 0) return end.role == role;
  const Mesh& own = plan.roles[static_cast<std::size_t>(role)].mesh;
  return rank_in(end.mesh, own.devices.front()) >= 0;
}

}  // namespace rhino::plan
