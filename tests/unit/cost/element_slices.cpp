// SPDX-License-Identifier: Apache-2.0
#include "element_slices.hpp"

namespace rhino {
namespace {

bool contains(const Box& box, const std::vector<std::int64_t>& element) {
  for (std::size_t d = 0; d < element.size(); ++d) {
    if (element[d] < box.start[d] || element[d] >= box.start[d] + box.size[d]) return false;
  }
  return true;
}

std::set<DeviceId> holders(const ReshardTensor& tensor, const Mesh& mesh, const ShardingSpec& spec,
                           const std::vector<std::int64_t>& element) {
  std::set<DeviceId> devices;
  for (std::size_t rank = 0; rank < mesh.devices.size(); ++rank) {
    for (const TileBox& box :
         tile_boxes(tensor.shape.dims, spec, mesh, static_cast<std::int64_t>(rank)))
      if (contains(box.global, element)) devices.insert(mesh.devices[rank]);
  }
  return devices;
}

}  // namespace

ElementSlices element_slices(const ReshardProblem& problem) {
  ElementSlices slices;
  for (const ReshardTensor& tensor : problem.tensors) {
    for (std::int64_t e = 0; e < num_elements(tensor.shape); ++e) {
      std::vector<std::int64_t> element(tensor.shape.dims.size());
      std::int64_t rest = e;
      for (std::size_t d = element.size(); d-- > 0;) {
        element[d] = rest % tensor.shape.dims[d];
        rest /= tensor.shape.dims[d];
      }
      std::set<DeviceId> wanting;
      for (const ReshardTarget& target : tensor.targets)
        wanting.merge(holders(tensor, target.mesh, target.spec, element));
      slices[{holders(tensor, tensor.source_mesh, tensor.source_spec, element), wanting}] +=
          dtype_bytes(tensor.shape.dtype);
    }
  }
  return slices;
}

}  // namespace rhino
