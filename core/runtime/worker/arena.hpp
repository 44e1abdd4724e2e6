// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/device/device.hpp"

namespace rhino::runtime {

/// All memory of a rank on its device, and the host's way to its bytes: in place where the host
/// shares them, else through memory of its own. While the host reads or writes, nothing else does.
/// `place` is an address of the device.
class Arena {
 public:
  /// `device` must live longer. Throws Error naming the bytes where there is no room.
  Arena(Device& device, std::int64_t num_bytes);

  std::byte* data() const { return memory_->data(); }
  std::int64_t num_bytes() const { return memory_->num_bytes(); }
  /// nullptr: the host cannot read it in place.
  const SharedMemory* shared() const { return memory_->shared(); }

  /// What lies at `place`; valid until the next call.
  const std::byte* fetch(const std::byte* place, std::int64_t num_bytes);
  /// Where to write what shall lie at `place`, all of it, before commit() of the same bytes.
  std::byte* stage(std::byte* place, std::int64_t num_bytes);
  void commit(std::byte* place, std::int64_t num_bytes);
  /// Bytes of ones: NaN in floating-point types.
  void poison(std::byte* place, std::int64_t num_bytes);

 private:
  Device& device_;
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<DeviceMemory> memory_;
  std::vector<std::byte> staged_;  ///< grows to the largest piece
};

}  // namespace rhino::runtime
