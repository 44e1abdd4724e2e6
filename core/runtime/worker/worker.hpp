// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "runtime/device/device.hpp"

namespace rhino::runtime {

/// Makes a device of the kind that the session names. Throws Error for a kind that it does not
/// know.
using DeviceFactory =
    std::function<std::unique_ptr<Device>(const std::string& kind, const DeviceOptions& options)>;

/// Serves one controller on the descriptors of WorkerDescriptor as `rank` of `num_ranks`, until it
/// says so or is gone. Returns the exit code.
int serve_session(int rank, int num_ranks, const DeviceFactory& make_device);

}  // namespace rhino::runtime
