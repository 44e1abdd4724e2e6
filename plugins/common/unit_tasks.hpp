// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "rhino/resharding.hpp"
#include "rhino/tile.hpp"

namespace rhino {

/// One unique slice of data that crosses: which devices hold it and which need it (AlpaComm,
/// section 2.2: unit communication task). A device that holds the slice under the source spec and
/// needs it too is among both.
struct UnitTask {
  std::int32_t tensor = 0;
  Box box;
  std::vector<DeviceId> senders;    ///< in mesh order
  std::vector<DeviceId> receivers;  ///< of all targets, in mesh order, without repetition
};

namespace detail {

/// Distinct boxes of a sharded tensor with the devices that hold each, in the order of first
/// appearance over mesh ranks.
inline std::vector<std::pair<Box, std::vector<DeviceId>>> distinct_boxes(const Shape& shape,
                                                                         const ShardingSpec& spec,
                                                                         const Mesh& mesh) {
  std::vector<std::pair<Box, std::vector<DeviceId>>> boxes;
  std::map<std::vector<std::int64_t>, std::size_t> index;
  for (std::size_t rank = 0; rank < mesh.devices.size(); ++rank) {
    for (TileBox& tile : tile_boxes(shape.dims, spec, mesh, static_cast<std::int64_t>(rank))) {
      const auto [found, is_new] = index.try_emplace(tile.global.start, boxes.size());
      if (is_new) boxes.push_back({std::move(tile.global), {}});
      boxes[found->second].second.push_back(mesh.devices[rank]);
    }
  }
  return boxes;
}

}  // namespace detail

/// All unit tasks of a problem: target tiles in order, and for each the source tiles that intersect
/// it. Slices that several targets need alike are one task; distinct ones of different targets may
/// overlap.
inline std::vector<UnitTask> unit_tasks(const ReshardProblem& problem) {
  std::vector<UnitTask> tasks;
  for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
    const ReshardTensor& tensor = problem.tensors[t];
    const auto sources =
        detail::distinct_boxes(tensor.shape, tensor.source_spec, tensor.source_mesh);
    std::map<std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>, std::size_t> index;
    for (const ReshardTarget& target : tensor.targets) {
      for (const auto& [wanted, receivers] :
           detail::distinct_boxes(tensor.shape, target.spec, target.mesh)) {
        for (const auto& [held, senders] : sources) {
          const Box box = intersect(wanted, held);
          if (num_elements(box) == 0) continue;
          const auto [found, is_new] = index.try_emplace({box.start, box.size}, tasks.size());
          if (is_new) tasks.push_back({static_cast<std::int32_t>(t), box, senders, {}});
          std::vector<DeviceId>& all = tasks[found->second].receivers;
          for (const DeviceId receiver : receivers) {
            if (std::find(all.begin(), all.end(), receiver) == all.end()) all.push_back(receiver);
          }
        }
      }
    }
  }
  return tasks;
}

}  // namespace rhino
