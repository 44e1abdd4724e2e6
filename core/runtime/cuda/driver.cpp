// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/driver.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "rhino/error.hpp"
#include "runtime/device/device.hpp"

namespace rhino::runtime::cuda {
namespace {

constexpr const char* kDriverPurpose = "the NVIDIA driver";

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Each rank its own, or, where some want one that is not there, all in turn.
int gpu_of(int ordinal, const std::vector<int>& beside, int num_gpus) {
  if (beside.empty() || num_gpus == 0 || std::ranges::max(beside) < num_gpus) return ordinal;
  const auto smaller = std::ranges::count_if(beside, [&](int other) { return other < ordinal; });
  return static_cast<int>(smaller) % num_gpus;
}

}  // namespace

DriverLibrary::DriverLibrary() : api_(load_table<DriverApi>({"libcuda.so.1"}, kDriverPurpose)) {
  // A kernel that is loaded when it is first launched waits for all that runs on the device, which
  // may be NCCL waiting for a rank that waits for this one. Who says otherwise is heard.
  ::setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  const CuResult started = api_.cuInit(0);
  if (started == kCuNoDevice) throw Error("the NVIDIA driver finds no GPU on this host");
  check(started, "starting the NVIDIA driver");
  check(api_.cuDriverGetVersion(&version_), "asking the NVIDIA driver for its version");
  if (version_ < kOldestDriver) {
    throw Error("the NVIDIA driver is too old: it is for CUDA " + version_text(version_) +
                ", and " + version_text(kOldestDriver) + " is needed");
  }
}

void DriverLibrary::check(CuResult result, const std::string& what) const {
  if (result == 0) return;
  const char* text = nullptr;
  if (api_.cuGetErrorString(result, &text) != 0 || text == nullptr)
    text = "an error without a name";
  const std::string sentence =
      what + " failed: " + text + " (code " + std::to_string(result) + " of the driver)";
  if (result == kCuOutOfMemory) throw DeviceOutOfMemory(sentence);
  throw Error(sentence);
}

int DriverLibrary::num_devices() const {
  int count = 0;
  check(api_.cuDeviceGetCount(&count), "counting GPUs");
  return count;
}

int DriverLibrary::attribute(CuDevice device, CuDeviceAttribute attribute) const {
  int value = 0;
  check(api_.cuDeviceGetAttribute(&value, attribute, device), "asking a GPU what it can");
  return value;
}

Driver::Driver(int ordinal, const std::vector<int>& beside) : num_gpus_(library_.num_devices()) {
  const DriverApi& api = *library_.operator->();
  const int index = gpu_of(ordinal, beside, num_gpus_);
  if (index >= num_gpus_) {
    throw Error("there is no GPU " + std::to_string(ordinal) + " on this host, which has " +
                std::to_string(num_gpus_));
  }
  check(api.cuDeviceGet(&device_, index), "opening GPU " + std::to_string(index));
  std::array<char, 256> name{};
  check(api.cuDeviceGetName(name.data(), static_cast<int>(name.size()), device_),
        "asking a GPU for its name");
  name_ = name.data();
  architecture_ = library_.attribute(device_, kCuComputeCapabilityMajor) * 10 +
                  library_.attribute(device_, kCuComputeCapabilityMinor);
  num_multiprocessors_ = library_.attribute(device_, kCuMultiprocessorCount);
  check(api.cuDevicePrimaryCtxRetain(&context_, device_), "making a context on " + name_);
  enter_thread();
}

void Driver::enter_thread() const {
  check(library_->cuCtxSetCurrent(context_), "making a context on " + name_ + " current");
}

Driver::~Driver() {
  if (const CuResult result = library_->cuDevicePrimaryCtxRelease_v2(device_))
    std::fprintf(stderr, "releasing the context of %s failed with code %d\n", name_.c_str(),
                 result);
}

}  // namespace rhino::runtime::cuda
