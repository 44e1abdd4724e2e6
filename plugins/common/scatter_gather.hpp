// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "common/box_grid.hpp"
#include "common/cut.hpp"
#include "common/sender_choice.hpp"
#include "rhino/resharding.hpp"

namespace rhino::common {

/// Writes plans that bring the tiles of targets together from what single devices fetch.
class ScatterGather {
 public:
  explicit ScatterGather(const ReshardProblem& problem)
      : problem_(problem), choice_(problem.cluster) {}

  /// Calls deliver(tile, receivers) for each distinct tile of each target, with the devices that
  /// need it; those that hold all of it already have copied it to themselves.
  template <class Deliver>
  TransferPlan plan(Deliver&& deliver) {
    for (std::size_t t = 0; t < problem_.tensors.size(); ++t) {
      const ReshardTensor& tensor = problem_.tensors[t];
      tensor_ = static_cast<std::int32_t>(t);
      source_ = BoxGrid(tensor.shape.dims, tensor.source_spec, tensor.source_mesh);
      for (const ReshardTarget& target : tensor.targets) {
        const bool shared = share_devices(tensor.source_mesh, target.mesh);
        BoxGrid(tensor.shape.dims, target.spec, target.mesh)
            .for_each([&](const Box& tile, const std::vector<DeviceId>& receivers) {
              const std::vector<DeviceId> lacking =
                  shared ? copy_in_place(tile, receivers) : receivers;
              if (!lacking.empty()) deliver(tile, lacking);
            });
      }
    }
    return std::move(plan_);
  }

  /// `to` fetches all of `box`, a message per source tile that it intersects.
  void fetch(const Box& box, DeviceId to) {
    const DType dtype = problem_.tensors[static_cast<std::size_t>(tensor_)].shape.dtype;
    source_.for_each_overlap(box, [&](const Box& slice, const std::vector<DeviceId>& senders) {
      const DeviceId from = choice_.pick(senders, to, num_elements(slice) * dtype_bytes(dtype));
      plan_.ops.push_back({tensor_, Copy{from, to, slice}, {}});
    });
  }

  /// Each of `group` fetches its part, then they gather them all.
  void gather(const std::vector<Box>& parts, const std::vector<DeviceId>& group) {
    const std::size_t first = plan_.ops.size();
    for (std::size_t i = 0; i < group.size(); ++i) fetch(parts[i], group[i]);
    if (group.size() == 1) return;
    std::vector<std::int32_t> after;
    for (std::size_t op = first; op < plan_.ops.size(); ++op)
      after.push_back(static_cast<std::int32_t>(op));
    plan_.ops.push_back({tensor_, AllGather{group, parts}, std::move(after)});
  }

  /// `box` in one part for each of `count` devices, along the dims that the source cuts most: so
  /// that a part comes from few. One part where there are not enough elements.
  std::vector<Box> parts(const Box& box, std::size_t count) const {
    const auto wanted = static_cast<std::int64_t>(count);
    if (num_elements(box) < wanted) return {box};
    std::vector<std::size_t> dims(box.size.size());
    for (std::size_t d = 0; d < dims.size(); ++d) dims[d] = d;
    std::stable_sort(dims.begin(), dims.end(), [&](std::size_t a, std::size_t b) {
      return source_.num_parts(box, a) > source_.num_parts(box, b);
    });
    return cut_into(box, wanted, dims);
  }

 private:
  static bool share_devices(const Mesh& a, const Mesh& b) {
    std::vector<DeviceId> first = a.devices, second = b.devices, both;
    std::sort(first.begin(), first.end());
    std::sort(second.begin(), second.end());
    std::set_intersection(first.begin(), first.end(), second.begin(), second.end(),
                          std::back_inserter(both));
    return !both.empty();
  }

  /// Returns those that lack some of `tile`.
  std::vector<DeviceId> copy_in_place(const Box& tile, const std::vector<DeviceId>& receivers) {
    std::map<DeviceId, std::int64_t> held;
    source_.for_each_overlap(tile, [&](const Box& slice, const std::vector<DeviceId>& senders) {
      for (const DeviceId device : senders) held[device] += num_elements(slice);
    });
    std::vector<DeviceId> lacking;
    for (const DeviceId device : receivers) {
      const auto found = held.find(device);
      if (found != held.end() && found->second == num_elements(tile)) fetch(tile, device);
      else lacking.push_back(device);
    }
    return lacking;
  }

  const ReshardProblem& problem_;
  SenderChoice choice_;
  std::int32_t tensor_ = 0;
  BoxGrid source_{{}, {}, {}};  ///< of the tensor
  TransferPlan plan_;
};

}  // namespace rhino::common
