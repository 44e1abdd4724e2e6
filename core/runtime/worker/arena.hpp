// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace rhino::runtime {

/// One piece of memory for all buffers of a device and the workspace of its Runs, in huge pages
/// where the system grants them.
class Arena {
 public:
  /// Throws Error naming the bytes where the system has no room.
  explicit Arena(std::int64_t num_bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  std::byte* data() const { return data_; }  ///< 2 MiB-aligned
  std::int64_t num_bytes() const { return num_bytes_; }
  /// Writes all bits: floating-point elements that nobody writes afterwards read as NaN.
  void poison();

 private:
  std::int64_t num_bytes_ = 0;
  void* mapped_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  std::byte* data_ = nullptr;
};

}  // namespace rhino::runtime
