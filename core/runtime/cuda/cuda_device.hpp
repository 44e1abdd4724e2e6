// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "runtime/device/device.hpp"

namespace rhino::runtime::cuda {

class Compiler;
class Driver;

/// What else of this room works on one GPU needs of it.
class CudaDeviceBase : public Device {
 public:
  virtual const Driver& driver() const = 0;
  virtual const Compiler& compiler() const = 0;
};

/// An NVIDIA GPU of this host, options.ordinal; where there are fewer, ranks share them in turn.
/// Throws Error, in one sentence, where driver, GPU or NVRTC are missing or too old.
std::unique_ptr<Device> make_cuda_device(const DeviceOptions& options);

}  // namespace rhino::runtime::cuda
