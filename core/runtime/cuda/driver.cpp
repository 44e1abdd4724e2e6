// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/driver.hpp"

#include <array>
#include <cstdio>

#include "rhino/error.hpp"

namespace rhino::runtime::cuda {
namespace {

constexpr const char* kDriverPurpose = "the NVIDIA driver";

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

Driver::Driver(int ordinal, bool may_share)
    : api_(load_table<DriverApi>({"libcuda.so.1"}, kDriverPurpose)) {
  const CuResult started = api_.cuInit(0);
  if (started == kCuNoDevice) throw Error("the NVIDIA driver finds no GPU on this host");
  check(started, "starting the NVIDIA driver");
  check(api_.cuDriverGetVersion(&version_), "asking the NVIDIA driver for its version");
  if (version_ < kOldestDriver) {
    throw Error("the NVIDIA driver is too old: it is for CUDA " + version_text(version_) +
                ", and " + version_text(kOldestDriver) + " is needed");
  }
  check(api_.cuDeviceGetCount(&num_gpus_), "counting GPUs");
  if (num_gpus_ == 0 || (ordinal >= num_gpus_ && !may_share)) {
    throw Error("there is no GPU " + std::to_string(ordinal) + " on this host, which has " +
                std::to_string(num_gpus_));
  }
  const int index = ordinal % num_gpus_;
  check(api_.cuDeviceGet(&device_, index), "opening GPU " + std::to_string(index));
  std::array<char, 256> name{};
  check(api_.cuDeviceGetName(name.data(), static_cast<int>(name.size()), device_),
        "asking a GPU for its name");
  name_ = name.data();
  architecture_ = attribute(kCuComputeCapabilityMajor) * 10 + attribute(kCuComputeCapabilityMinor);
  num_multiprocessors_ = attribute(kCuMultiprocessorCount);
  CuContext context = nullptr;
  check(api_.cuDevicePrimaryCtxRetain(&context, device_), "making a context on " + name_);
  check(api_.cuCtxSetCurrent(context), "making a context on " + name_ + " current");
}

Driver::~Driver() {
  if (const CuResult result = api_.cuDevicePrimaryCtxRelease_v2(device_))
    std::fprintf(stderr, "releasing the context of %s failed with code %d\n", name_.c_str(),
                 result);
}

void Driver::check(CuResult result, const std::string& what) const {
  if (result == 0) return;
  const char* text = nullptr;
  if (api_.cuGetErrorString(result, &text) != 0 || text == nullptr)
    text = "an error without a name";
  throw Error(what + " failed: " + text + " (code " + std::to_string(result) + " of the driver)");
}

int Driver::attribute(CuDeviceAttribute attribute) const {
  int value = 0;
  check(api_.cuDeviceGetAttribute(&value, attribute, device_), "asking a GPU what it can");
  return value;
}

}  // namespace rhino::runtime::cuda
