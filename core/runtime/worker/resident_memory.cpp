// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/resident_memory.hpp"

#include <fstream>
#include <string>

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

}  // namespace

std::int64_t resident_bytes() { return status_bytes("VmRSS"); }

std::int64_t peak_resident_bytes() { return status_bytes("VmHWM"); }

}  // namespace rhino::runtime
