// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "topology/network_namespace.hpp"

namespace rhino::runtime {

/// How a child process begins.
struct Spawn {
  std::string file;                    ///< path, also /proc/self/fd/N
  std::vector<std::string> arguments;  ///< argv, the first is its name
  /// In addition to, or instead of, that of this process.
  std::map<std::string, std::string> environment;
  /// (here, there); all else that is not closed on exec stays open.
  std::vector<std::pair<int, int>> descriptors;
  std::string log;  ///< standard output and error are appended to it; input is empty
  pid_t group = 0;  ///< process group to join; 0: a new one
  /// Of the host to start on, with mounts of its own so that /sys shows that host's interfaces;
  /// without descriptors: that of this process.
  topology::HostNamespaces host;
};

/// Starts it with default signal handling and returns its id once it is what it shall be. Throws
/// Error naming the file and what failed. For processes of one thread.
pid_t spawn(const Spawn& what);

/// Whether the system takes this process down, of which nobody can be told yet: gigabytes, and
/// contexts of GPUs, are given back in seconds, when its connections are gone already.
bool is_exiting(pid_t pid);

}  // namespace rhino::runtime
