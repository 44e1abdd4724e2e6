// SPDX-License-Identifier: Apache-2.0
#include "plan/index_checks.hpp"

#include <algorithm>

namespace rhino::plan::indices {

void check_shape(const Shape& shape, const std::string& place) {
  std::int64_t count = 1;
  for (std::int64_t extent : shape.dims) {
    if (extent < 0 || extent > kMaxElements ||
        count > kMaxElements / std::max<std::int64_t>(extent, 1)) {
      fail(place, " has the impossible shape ", to_string(shape));
    }
    count *= std::max<std::int64_t>(extent, 1);
  }
}

void check_mesh(const Mesh& mesh, std::int64_t num_devices, const std::string& place) {
  std::int64_t count = 1;
  for (const MeshAxis& axis : mesh.axes) {
    if (axis.size < 1 || count > std::ssize(mesh.devices) / axis.size) {
      fail(place, ": the axes of its mesh do not fit its ", number(std::ssize(mesh.devices)),
           " devices");
    }
    count *= axis.size;
  }
  if (count != std::ssize(mesh.devices)) {
    fail(place, ": its mesh has ", number(std::ssize(mesh.devices)), " devices on axes for ",
         number(count));
  }
  std::vector<DeviceId> sorted = mesh.devices;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    fail(place, ": a device is twice in its mesh");
  if (sorted.front() < 0 || (num_devices >= 0 && sorted.back() >= num_devices)) {
    fail(place, ": its mesh names a device that the cluster lacks");
  }
}

void check_spec(const ShardingSpec& spec, const Mesh& mesh, const std::vector<std::int64_t>& dims,
                const std::string& place) {
  for (std::size_t d = 0; d < spec.dims.size(); ++d) {
    std::int64_t length = d < dims.size() ? dims[d] : 0;
    bool contiguous = d < dims.size();
    for (const AxisSplit& split : spec.dims[d].splits) {
      if (split.axis == kMicroAxis) continue;
      require_index(split.axis, mesh.axes, place, "mesh axis");
      const std::int64_t parts = mesh.axes[static_cast<std::size_t>(split.axis)].size;
      contiguous = contiguous && split.period == length;
      if (split.period < 1 || split.period > kMaxElements ||
          (!contiguous && split.period % parts != 0) ||
          (length > 0 && length % split.period != 0)) {
        fail(place, " is cut with a period of ", number(split.period), ", which does not divide");
      }
      length = (split.period + parts - 1) / parts;
    }
  }
  for (const Partial& partial : spec.partial) {
    if (partial.axis != kMicroAxis) require_index(partial.axis, mesh.axes, place, "mesh axis");
  }
}

void check_tiled(const Shape& global, const ShardingSpec& spec, const Mesh& mesh,
                 const std::string& place) {
  check_shape(global, place);
  check_spec(spec, mesh, global.dims, place);
  if (spec.dims.size() != global.dims.size())
    fail(place, " has a spec of another rank than ", to_string(global));
  for (std::size_t d = 0; d < global.dims.size(); ++d) {
    for (const AxisSplit& split : spec.dims[d].splits) {
      if (split.axis == kMicroAxis)
        fail(place, " is cut over micro-batches where one instance is meant");
    }
  }
}

}  // namespace rhino::plan::indices
