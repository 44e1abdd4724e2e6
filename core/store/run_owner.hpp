// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>

#include "topology/file_descriptor.hpp"

namespace rhino::store {

/// The right to write in a run's folder, as the file `owner` in it says: process, host, time, boot,
/// namespaces, and `ended` once it is over. Hosts that share the folder agree by link() and
/// rename() alone. A lock tells more where the file system is this machine's own: none over a
/// network is trusted.
class RunOwner {
 public:
  /// Takes over what has ended, or was left by a process of this host that is gone, or by one
  /// before its last boot. Throws Error where another process owns it, or one of another host may;
  /// codec::OutputError where nothing can be written.
  explicit RunOwner(const std::string& folder);
  ~RunOwner();
  RunOwner(const RunOwner&) = delete;
  RunOwner& operator=(const RunOwner&) = delete;

 private:
  const pid_t process_;
  topology::FileDescriptor file_;  ///< locked; its end is written there
};

}  // namespace rhino::store
