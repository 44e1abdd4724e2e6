// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "common/box_grid.hpp"
#include "rhino/resharding.hpp"

namespace rhino::common {

/// One unique slice of data that crosses: which devices hold it and which need it (AlpaComm,
/// section 2.2: unit communication task). A device that holds the slice under the source spec and
/// needs it too is among both: it copies the slice to itself.
struct UnitTask {
  std::int32_t tensor = 0;
  Box box;
  std::vector<DeviceId> senders;    ///< in mesh order
  std::vector<DeviceId> receivers;  ///< of all targets, in mesh order, without repetition
};

inline std::int64_t num_bytes(const ReshardProblem& problem, const UnitTask& task) {
  const Shape& shape = problem.tensors[static_cast<std::size_t>(task.tensor)].shape;
  return num_elements(task.box) * dtype_bytes(shape.dtype);
}

namespace detail {

/// Appends those of `more` that are new.
inline void unite(std::vector<DeviceId>& all, const std::vector<DeviceId>& more) {
  const std::set<DeviceId> known(all.begin(), all.end());
  for (const DeviceId device : more) {
    if (!known.contains(device)) all.push_back(device);
  }
}

inline void add_unit_tasks(const ReshardTensor& tensor, std::int32_t index,
                           std::vector<UnitTask>& tasks) {
  const BoxGrid source(tensor.shape.dims, tensor.source_spec, tensor.source_mesh);
  std::map<std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>, std::size_t> known;
  for (const ReshardTarget& target : tensor.targets) {
    const auto add = [&](const Box& box, const std::vector<DeviceId>& senders,
                         const std::vector<DeviceId>& receivers) {
      if (tensor.targets.size() > 1) {  // boxes of one target are distinct
        const auto [found, is_new] = known.try_emplace({box.start, box.size}, tasks.size());
        if (!is_new) return unite(tasks[found->second].receivers, receivers);
      }
      tasks.push_back({index, box, senders, receivers});
    };
    BoxGrid(tensor.shape.dims, target.spec, target.mesh)
        .for_each([&](const Box& wanted, const std::vector<DeviceId>& receivers) {
          source.for_each_overlap(wanted,
                                  [&](const Box& box, const std::vector<DeviceId>& senders) {
                                    add(box, senders, receivers);
                                  });
        });
  }
}

}  // namespace detail

/// All unit tasks of a problem: target tiles row-major, and for each the source tiles that
/// intersect it, row-major. Slices that several targets need alike are one task; distinct ones of
/// different targets may overlap.
inline std::vector<UnitTask> unit_tasks(const ReshardProblem& problem) {
  std::vector<UnitTask> tasks;
  for (std::size_t t = 0; t < problem.tensors.size(); ++t)
    detail::add_unit_tasks(problem.tensors[t], static_cast<std::int32_t>(t), tasks);
  return tasks;
}

}  // namespace rhino::common
