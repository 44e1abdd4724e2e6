// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/device/device.hpp"
#include "runtime/device_case.hpp"

namespace rhino::runtime {

/// Runs a case on a device. A case without `expected` is not compared, and timed. Throws nothing
/// but what ends the process.
DeviceCaseResult run_case(Device& device, const DeviceCase& what);

/// Bytes go to the device, within it and back again, through `num_bytes` of its memory. Throws
/// Error.
void check_memory(Device& device, std::int64_t num_bytes);

}  // namespace rhino::runtime
