// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/axis_indices.hpp"

#include <string>

#include "rhino/error.hpp"

namespace rhino::runtime {

Program with_axis_indices(Program program, const DeviceOptions& options) {
  for (Op& op : program.ops) {
    if (op.kind != OpKind::axis_index) continue;
    double rank = 0;
    for (std::int32_t axis : op.attributes.get<CollectiveAttr>().axes) {
      const auto a = static_cast<std::size_t>(axis);
      if (a >= options.coordinates.size() || a >= options.axis_sizes.size()) {
        throw Error("program '" + program.name + "' asks for its place on axis " +
                    std::to_string(axis) + " of a mesh with " +
                    std::to_string(options.axis_sizes.size()) + " axes");
      }
      rank = rank * static_cast<double>(options.axis_sizes[a]) +
             static_cast<double>(options.coordinates[a]);
    }
    op.kind = OpKind::constant;
    op.attributes = ConstantAttr{{rank}};
  }
  return program;
}

}  // namespace rhino::runtime
