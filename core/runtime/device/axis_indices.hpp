// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rhino/program.hpp"
#include "runtime/device/device.hpp"

namespace rhino::runtime {

/// `program` with every axis_index replaced by the constant that it is on the device at
/// options.coordinates. Throws Error where an axis is not in `options`.
Program with_axis_indices(Program program, const DeviceOptions& options);

}  // namespace rhino::runtime
