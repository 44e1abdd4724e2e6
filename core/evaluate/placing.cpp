// SPDX-License-Identifier: Apache-2.0
#include "evaluate/placing.hpp"

#include <algorithm>

#include "plan/pipeline.hpp"
#include "plugin/scope.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

std::int64_t num_devices(const std::vector<MeshAxis>& axes) {
  std::int64_t count = 1;
  for (const MeshAxis& axis : axes) {
    if (axis.size < 1)
      throw Error("axis '" + axis.name + "' of a mesh has size " + std::to_string(axis.size));
    if (__builtin_mul_overflow(count, axis.size, &count))
      throw Error("the axes of a mesh make more devices than can be counted");
  }
  return count;
}

void check_enough(const Cluster& cluster, std::int64_t num_wanted) {
  if (num_wanted <= cluster.num_devices()) return;
  throw Error("the strategy wants " + std::to_string(num_wanted) + " devices, and topology '" +
              cluster.name + "' has " + std::to_string(cluster.num_devices()));
}

/// Of each chunk, its mesh in the order in which they come.
template <class Mesh>
std::vector<std::int32_t> numbers(const std::vector<Mesh>& of_chunks) {
  std::vector<Mesh> known;
  std::vector<std::int32_t> numbers;
  for (const Mesh& mesh : of_chunks) {
    const auto found = std::ranges::find(known, mesh);
    numbers.push_back(static_cast<std::int32_t>(found - known.begin()));
    if (found == known.end()) known.push_back(mesh);
  }
  return numbers;
}

std::string text(const std::vector<std::int32_t>& numbers) {
  std::string text;
  for (const std::int32_t number : numbers)
    text += (text.empty() ? "" : " ") + std::to_string(number);
  return text;
}

}  // namespace

std::vector<Chunk> place_chunks(const Cluster& cluster, const Placement& placement,
                                const std::vector<std::vector<MeshAxis>>& meshes) {
  std::int64_t num_wanted = 0;
  for (const std::vector<MeshAxis>& axes : meshes) {
    if (__builtin_add_overflow(num_wanted, num_devices(axes), &num_wanted))
      throw Error("the meshes have more devices than can be counted");
  }
  check_enough(cluster, num_wanted);
  std::vector<Mesh> placed;
  DeviceId next = 0;
  for (const std::vector<MeshAxis>& axes : meshes) {
    Mesh& mesh = placed.emplace_back(Mesh{axes, {}});
    for (std::int64_t d = num_devices(axes); d > 0; --d) mesh.devices.push_back(next++);
  }
  plan::check_placement(placement, static_cast<std::int32_t>(meshes.size()));
  std::vector<Chunk> chunks;
  for (const std::int32_t number : placement.mesh_of_chunk)
    chunks.push_back({placed[at(number)], false});
  return chunks;
}

std::vector<Chunk> place_chunks(const Cluster& cluster, Schedule& schedule,
                                const std::vector<std::vector<MeshAxis>>& meshes,
                                const std::string& schedule_id) {
  const auto num_meshes = static_cast<std::int32_t>(meshes.size());
  const Placement placement = schedule.placement(num_meshes);
  plugin::blaming(schedule_id, [&] { plan::check_placement(placement, num_meshes); });
  std::vector<Chunk> chunks = place_chunks(cluster, placement, meshes);
  chunks.resize(chunks.size() / at(placement.num_replicas));
  return chunks;
}

std::vector<Chunk> place_chunks(const Cluster& cluster, Schedule& schedule, std::int32_t num_meshes,
                                const std::vector<MeshAxis>& axes, const std::string& schedule_id) {
  if (num_meshes < 1)
    throw Error("a pipeline has one mesh at the least, not " + std::to_string(num_meshes));
  check_enough(cluster, num_meshes);
  return place_chunks(cluster, schedule, std::vector<std::vector<MeshAxis>>(at(num_meshes), axes),
                      schedule_id);
}

void check_placed(const PlanContext& context, const Strategy& strategy) {
  std::vector<std::vector<DeviceId>> meshes;
  for (const Chunk& chunk : strategy.chunks) meshes.push_back(chunk.mesh.devices);
  const std::vector<std::int32_t> own = numbers(meshes);
  const Placement placement = context.schedule.placement(*std::ranges::max_element(own) + 1);
  const std::vector<std::int32_t> placed = numbers(placement.mesh_of_chunk);
  if (own == placed) return;
  throw Error("strategy '" + strategy.name + "' has chunks on meshes " + text(own) +
              ", which the schedule does not order: it places them on " + text(placed));
}

}  // namespace rhino::evaluate
