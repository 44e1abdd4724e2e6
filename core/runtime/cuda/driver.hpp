// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "runtime/cuda/driver_api.hpp"

namespace rhino::runtime::cuda {

/// The driver as a library that has started: no device, no context.
class DriverLibrary {
 public:
  /// Throws Error where there is no driver, an older one than kOldestDriver, or no GPU.
  DriverLibrary();

  const DriverApi* operator->() const { return &api_; }
  /// Throws Error: `what` ("copying 64 bytes"), and why not in the driver's words; where memory
  /// lacks, DeviceOutOfMemory.
  void check(CuResult result, const std::string& what) const;
  int version() const { return version_; }  ///< 12000: CUDA 12.0
  int num_devices() const;
  int attribute(CuDevice device, CuDeviceAttribute attribute) const;

 private:
  DriverApi api_;
  int version_ = 0;
};

/// The driver and one device of this host, whose context is that of the calling thread from now on.
/// What is made with it goes before it.
class Driver {
 public:
  /// `beside`: see DeviceOptions; who wants a GPU that is not there shares one. Throws Error where
  /// there is no driver, an older one than kOldestDriver, or no such device.
  explicit Driver(int ordinal, const std::vector<int>& beside = {});
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  const DriverApi* operator->() const { return library_.operator->(); }
  /// As DriverLibrary.
  void check(CuResult result, const std::string& what) const { library_.check(result, what); }

  /// The context is that of the calling thread, too. [any thread]
  void enter_thread() const;

  int version() const { return library_.version(); }
  int architecture() const { return architecture_; }  ///< 90: sm_90
  int num_multiprocessors() const { return num_multiprocessors_; }
  const std::string& name() const { return name_; }  ///< the driver's: "NVIDIA H100 80GB HBM3"
  CuDevice device() const { return device_; }
  int num_gpus() const { return num_gpus_; }  ///< of this host

 private:
  DriverLibrary library_;
  int architecture_ = 0, num_multiprocessors_ = 1, num_gpus_ = 0;
  CuDevice device_ = 0;
  CuContext context_ = nullptr;
  std::string name_;
};

}  // namespace rhino::runtime::cuda
