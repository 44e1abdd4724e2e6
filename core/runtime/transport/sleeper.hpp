// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace rhino::runtime {

/// Lets one thread sleep in the kernel until another wakes it or a file descriptor becomes
/// readable. Wakes are never lost: the thread notes version() before it looks whether there is
/// something to do, and sleep() returns at once if a wake came since.
class Sleeper {
 public:
  /// Throws Error.
  Sleeper();
  ~Sleeper();
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;

  void watch(std::span<const int> file_descriptors);

  std::uint64_t version() const { return version_.load(); }
  /// Sleeps, at most `timeout_ms` (-1: for ever). `with_watched`: also until a watched descriptor
  /// is readable. [the sleeping thread]
  void sleep(std::uint64_t version, bool with_watched, int timeout_ms) noexcept;
  /// [any thread]
  void wake() noexcept;

 private:
  int event_;
  std::vector<int> watched_;
  std::atomic<std::uint64_t> version_{0};
  std::atomic<bool> asleep_{false};
};

}  // namespace rhino::runtime
