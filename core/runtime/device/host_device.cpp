// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/host_device.hpp"

#include <chrono>
#include <cstring>

#include "runtime/transport/shared_memory.hpp"

namespace rhino::runtime {
namespace {

class HostMemory final : public DeviceMemory {
 public:
  explicit HostMemory(std::int64_t num_bytes) : memory_(num_bytes) {}
  std::byte* data() const override { return memory_.data(); }
  std::int64_t num_bytes() const override { return memory_.num_bytes(); }
  const SharedMemory* shared() const override { return &memory_; }

 private:
  SharedMemory memory_;
};

/// All is over as it is recorded.
class HostStream final : public Stream {
 public:
  void wait(std::int64_t) override {}
  Event record() override { return {}; }
  std::int64_t mark() override {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  }
  double time_s(std::int64_t mark) override { return static_cast<double>(mark) * 1e-9; }
};

}  // namespace

std::unique_ptr<DeviceMemory> HostDevice::allocate(std::int64_t num_bytes) {
  return std::make_unique<HostMemory>(num_bytes);
}

void HostDevice::copy(Stream&, void* to, const void* from, std::int64_t num_bytes) {
  std::memcpy(to, from, static_cast<std::size_t>(num_bytes));
}

void HostDevice::fill(Stream&, void* to, std::byte value, std::int64_t num_bytes) {
  std::memset(to, std::to_integer<int>(value), static_cast<std::size_t>(num_bytes));
}

std::unique_ptr<Stream> HostDevice::stream() { return std::make_unique<HostStream>(); }

}  // namespace rhino::runtime
