// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/device/device.hpp"

namespace rhino::runtime {

/// A device whose memory is that of the host, and which has done its work when enqueuing returns.
/// Memory is shared with the other ranks of the host.
class HostDevice : public Device {
 public:
  std::unique_ptr<DeviceMemory> allocate(std::int64_t num_bytes) override;
  void copy(Stream& stream, void* to, const void* from, std::int64_t num_bytes) override;
  void fill(Stream& stream, void* to, std::byte value, std::int64_t num_bytes) override;
  std::unique_ptr<Stream> stream() override;
};

}  // namespace rhino::runtime
