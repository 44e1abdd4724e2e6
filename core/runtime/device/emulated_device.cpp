// SPDX-License-Identifier: Apache-2.0
#include <sys/prctl.h>

#include <chrono>
#include <thread>
#include <utility>

#include "runtime/device/host_device.hpp"

namespace rhino::runtime {
namespace {

using Clock = std::chrono::steady_clock;

/// Until `end`, asleep but for the last moments: waking takes that long and more.
void rest_until(Clock::time_point end) {
  constexpr auto kAwake = std::chrono::microseconds(80);
  if (end - Clock::now() > kAwake) std::this_thread::sleep_until(end - kAwake);
  while (Clock::now() < end) std::this_thread::yield();
}

class EmulatedExecutable : public Executable {
 public:
  explicit EmulatedExecutable(double seconds)
      : duration_(
            std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {}

  std::int64_t workspace_bytes() const override { return 0; }
  void enqueue(Stream&, std::span<const void* const>, std::span<void* const>, void*) override {
    rest_until(Clock::now() + duration_);
  }

 private:
  Clock::duration duration_;
};

class EmulatedDevice : public HostDevice {
 public:
  explicit EmulatedDevice(DeviceOptions options) : options_(std::move(options)) {
    ::prctl(PR_SET_TIMERSLACK, 1);  // or the kernel wakes it up to 50 us late
  }

  std::unique_ptr<Executable> compile(const Program& program) override {
    return std::make_unique<EmulatedExecutable>(options_.program_s(program));
  }
  std::string name() const override { return "emulated"; }
  std::string narrow_dots() const override { return "not at all"; }

 private:
  DeviceOptions options_;
};

}  // namespace

std::unique_ptr<Device> make_emulated_device(const DeviceOptions& options) {
  return std::make_unique<EmulatedDevice>(options);
}

}  // namespace rhino::runtime
