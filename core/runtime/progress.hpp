// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "topology/file_descriptor.hpp"

namespace rhino::runtime {

enum class Activity : std::int32_t {
  starting,
  compiling,
  connecting,
  waiting_for_command,
  stepping,
  fetching,
  resetting
};

/// What a rank does, in memory that it shares with the controller: readable while the rank
/// computes, is stopped or is dead. Written by its worker, each field on its own; read without
/// order.
struct alignas(128) ProgressPage {
  std::atomic<std::uint64_t> heartbeats;  ///< counted by a thread of its own
  std::atomic<Activity> activity;
  std::atomic<std::int64_t> step;          ///< from 1, since the last reset
  std::atomic<std::int32_t> instruction;   ///< index in the role's list: that which host or device
                                           ///< is at
  std::atomic<std::int32_t> blocked;       ///< 1: others have to move, not it
  std::atomic<std::uint64_t> progress;     ///< instructions begun by the host, those ended by a
                                           ///< device that it waits for, what is compiled of
                                           ///< programs, pieces of inputs made
  std::atomic<std::uint64_t> runs;         ///< RunRequests taken up so far
  std::atomic<std::int64_t> taking_bytes;  ///< memory that it is just taking; 0: none
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

/// The pages of all ranks, mapped from a file descriptor.
class ProgressPages {
 public:
  /// A new shared memory object for `num_ranks`. Throws Error.
  explicit ProgressPages(int num_ranks);
  /// Maps what another process made.
  ProgressPages(topology::FileDescriptor memory, int num_ranks);
  ~ProgressPages();
  ProgressPages(const ProgressPages&) = delete;
  ProgressPages& operator=(const ProgressPages&) = delete;

  int fd() const { return memory_.get(); }
  ProgressPage& operator[](int rank) const { return pages_[rank]; }

  /// Nobody waits for `rank` in meet(): it is on another host, and its page a copy.
  void do_not_await(int rank) const;

  /// Returns when every rank has called it as often as `rank`: they go on within a microsecond of
  /// each other. `sleeps`: there are more ranks than cores.
  void meet(int rank, bool sleeps) const;

 private:
  topology::FileDescriptor memory_;
  int num_ranks_ = 0;
  std::size_t size_ = 0;
  ProgressPage* pages_ = nullptr;
};

/// A new anonymous memory file that is closed on exec. Throws Error.
topology::FileDescriptor make_memory_file(const char* name);
/// One that holds these.
topology::FileDescriptor make_memory_file(const char* name, const std::string& bytes);

}  // namespace rhino::runtime
