// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "runtime/device/device.hpp"

namespace rhino::runtime {

/// What a module, `rhino_runtime_<kind>.so` beside the worker, exports: a device that the caller
/// owns. Throws Error.
extern "C" Device* rhino_make_device(const DeviceOptions* options);

/// The device of a module that was built with this worker; it stays open for good. Throws Error
/// where the module is missing, and what it throws.
std::unique_ptr<Device> make_device_of_module(const std::string& kind,
                                              const DeviceOptions& options);

}  // namespace rhino::runtime
