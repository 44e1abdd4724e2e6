// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "topology/file_descriptor.hpp"
#include "topology/large_pages.hpp"

namespace rhino::runtime {

/// Memory that other processes of this user on this host can map: zeroed, and taken at once in
/// large pages where the system grants them.
class SharedMemory {
 public:
  /// Empty.
  SharedMemory();
  /// Throws Error naming the bytes where the system has no room.
  explicit SharedMemory(std::int64_t num_bytes);
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// Discards the content. Throws Error.
  void resize(std::int64_t num_bytes);

  std::byte* data() const { return mapping_.data(); }  ///< aligned to a large page
  std::int64_t num_bytes() const { return num_bytes_; }
  int file_descriptor() const { return file_.get(); }
  /// Where `address` lies in it, or -1 unless all `num_bytes` from there do.
  std::int64_t offset_of(const std::byte* address, std::int64_t num_bytes) const;

 private:
  topology::FileDescriptor file_;
  topology::SharedMapping mapping_;
  std::int64_t num_bytes_ = 0;
};

/// Memories that a rank shares: of its buffers, and of its staging.
inline constexpr std::size_t kNumShared = 2;

/// Begins the name by which /proc lists a SharedMemory; the id of the process that made it follows.
inline constexpr const char* kSharedMemoryName = "rhino-shared-";

/// How another process finds them; plain bytes in a rank's address. Ranks whose namespaces differ
/// count as different hosts.
struct SharedAddress {
  std::array<char, 40> boot{};
  std::array<std::uint64_t, 3> namespaces{};  ///< inodes: ipc, net, pid
  pid_t pid = 0;                              ///< 0: shares nothing
  std::array<int, kNumShared> files{-1, -1};
  std::array<std::uint64_t, kNumShared> inodes{};
};

/// `memories[i]` may be nullptr.
SharedAddress share(const std::array<const SharedMemory*, kNumShared>& memories);

/// What another rank shares, mapped as it comes to be needed.
class PeerMemory {
 public:
  /// Whether the peer's memories can be read from here.
  bool open(const SharedAddress& own, const SharedAddress& peer);
  /// The bytes at `offset` of its memory `index`; nullptr where they cannot be mapped.
  std::byte* at(std::size_t index, std::int64_t offset, std::int64_t num_bytes);

 private:
  struct Memory {
    topology::FileDescriptor file;
    topology::SharedMapping mapping;
  };
  std::array<Memory, kNumShared> memories_;
};

}  // namespace rhino::runtime
