// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "plan/execution_plan.hpp"

/// Over which mesh tiles of a plan lie: their own, else their role's.
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

/// Whether the devices of `role` hold a tile of this end.
inline bool has_role(const ExecutionPlan& plan, const TransferEnd& end, std::int32_t role) {
  if (end.role >= 0) return end.role == role;
  const Mesh& own = plan.roles[static_cast<std::size_t>(role)].mesh;
  return rank_in(end.mesh, own.devices.front()) >= 0;
}

}  // namespace rhino::plan
