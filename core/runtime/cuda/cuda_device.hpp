// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "runtime/device/device.hpp"

namespace rhino::runtime::cuda {

/// An NVIDIA GPU of this host, options.ordinal. Throws Error, in one sentence, where driver, GPU or
/// NVRTC are missing or too old.
std::unique_ptr<Device> make_cuda_device(const DeviceOptions& options);

}  // namespace rhino::runtime::cuda
