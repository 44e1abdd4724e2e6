// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evaluate/planner.hpp"
#include "rhino/error.hpp"

namespace rhino::evaluate {

/// Chunks of all replicas on meshes of these axes, one after the other on consecutive devices, the
/// first chunk's mesh first.
std::vector<Chunk> place_chunks(const Cluster& cluster, const Placement& placement,
                                const std::vector<std::vector<MeshAxis>>& meshes);

/// Those of the first replica, of which strategies are, as `schedule` places them; on `num_meshes`
/// equal ones. A placement that is none is a plugin::Fault of `schedule_id`, for messages.
std::vector<Chunk> place_chunks(const Cluster& cluster, Schedule& schedule,
                                const std::vector<std::vector<MeshAxis>>& meshes,
                                const std::string& schedule_id = {});
std::vector<Chunk> place_chunks(const Cluster& cluster, Schedule& schedule, std::int32_t num_meshes,
                                const std::vector<MeshAxis>& axes,
                                const std::string& schedule_id = {});

/// Throws Error, which is the strategy's fault, where its chunks share meshes otherwise than
/// `context.schedule` places them. Some schedules order any.
void check_placed(const PlanContext& context, const Strategy& strategy);

/// What `work`, a question to the schedule or what is made of its answer, returns; an Error that it
/// throws is the strategy's where that is not placed as the schedule places chunks.
template <class Work>
auto blaming_placement(const PlanContext& context, const Strategy& strategy, Work&& work) {
  try {
    return work();
  } catch (const Error&) {
    check_placed(context, strategy);
    throw;
  }
}

}  // namespace rhino::evaluate
