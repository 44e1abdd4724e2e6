// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/resident_memory.hpp"

#include <unistd.h>

#include <fstream>
#include <string>

#include "runtime/transport/shared_memory.hpp"

namespace rhino::runtime {
namespace {

/// A line `key:  1234 kB` of the system's account of this process. (ru_maxrss would do, but a
/// spawned process inherits its parent's.)
std::int64_t status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key + ":")) return std::stoll(line.substr(key.size() + 1)) * 1024;
  }
  return 0;
}

std::int64_t peers_bytes() {
  const std::string shared = kSharedMemoryName, own = shared + std::to_string(::getpid());
  std::ifstream mappings("/proc/self/smaps");
  std::int64_t bytes = 0;
  bool is_peers = false;
  for (std::string line; std::getline(mappings, line);) {
    if (line.find('-') < line.find(':'))  // the first line of a mapping: begin-end ... name
      is_peers =
          line.find(shared) != std::string::npos && line.find(own + " ") == std::string::npos;
    else if (is_peers && line.starts_with("Rss:")) bytes += std::stoll(line.substr(4)) * 1024;
  }
  return bytes;
}

}  // namespace

std::int64_t resident_bytes() { return status_bytes("VmRSS") - peers_bytes(); }

std::int64_t peak_resident_bytes() { return status_bytes("VmHWM") - peers_bytes(); }

}  // namespace rhino::runtime
