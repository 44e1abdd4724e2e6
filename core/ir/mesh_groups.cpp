// SPDX-License-Identifier: Apache-2.0
#include "ir/mesh_groups.hpp"

#include <map>
#include <string>
#include <utility>

#include "rhino/error.hpp"
#include "rhino/tile.hpp"

namespace rhino::ir {

std::vector<std::vector<std::size_t>> ranks_along(const Mesh& mesh,
                                                  const std::vector<std::int32_t>& axes) {
  std::map<std::vector<std::int64_t>, std::map<std::vector<std::int64_t>, std::size_t>> members;
  for (std::size_t rank = 0; rank < mesh.devices.size(); ++rank) {
    std::vector<std::int64_t> outside = coordinates(mesh, static_cast<std::int64_t>(rank)), inside;
    for (std::int32_t axis : axes) {
      const auto a = static_cast<std::size_t>(axis);
      if (a >= mesh.axes.size()) {
        throw Error("a collective names axis " + std::to_string(axis) + " of a mesh with " +
                    std::to_string(mesh.axes.size()) + " axes");
      }
      inside.push_back(std::exchange(outside[a], 0));
    }
    members[outside][inside] = rank;
  }
  std::vector<std::vector<std::size_t>> groups;
  for (const auto& [outside, ranks] : members) {
    std::vector<std::size_t>& group = groups.emplace_back();
    for (const auto& [inside, rank] : ranks) group.push_back(rank);
  }
  return groups;
}

std::vector<std::vector<DeviceId>> devices_along(const Mesh& mesh,
                                                 const std::vector<std::int32_t>& axes) {
  std::vector<std::vector<DeviceId>> groups;
  for (const std::vector<std::size_t>& ranks : ranks_along(mesh, axes)) {
    std::vector<DeviceId>& group = groups.emplace_back();
    for (const std::size_t rank : ranks) group.push_back(mesh.devices[rank]);
  }
  return groups;
}

}  // namespace rhino::ir
