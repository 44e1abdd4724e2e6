// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/resident_memory.hpp"

#include <unistd.h>

#include <fstream>
#include <string>
#include <string_view>

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

/// Of mappings of shared memory, those of other processes and those of this one in small pages.
struct SharedBytes {
  std::int64_t peers = 0, own_small = 0;
};

SharedBytes shared_bytes() {
  const std::string shared = kSharedMemoryName, own = shared + std::to_string(::getpid()) + " ";
  std::ifstream mappings("/proc/self/smaps");
  SharedBytes bytes;
  bool is_shared = false, is_own = false;
  std::string line;
  const auto holds = [&](std::string_view key) { return line.starts_with(key); };
  const auto value = [&] { return std::stoll(line.substr(line.find(':') + 1)) * 1024; };
  while (std::getline(mappings, line)) {
    if (line.find('-') < line.find(':')) {  // the first line of a mapping: begin-end ... name
      is_shared = line.find(shared) != std::string::npos;
      is_own = line.find(own) != std::string::npos;
    } else if (is_shared && holds("Rss:")) (is_own ? bytes.own_small : bytes.peers) += value();
    else if (is_own && holds("ShmemPmdMapped:")) bytes.own_small -= value();
  }
  return bytes;
}

}  // namespace

ResidentMemory resident_memory() {
  const SharedBytes shared = shared_bytes();
  return {.bytes = status_bytes("VmRSS") - shared.peers,
          .peak_bytes = status_bytes("VmHWM") - shared.peers,
          .small_page_bytes = shared.own_small};
}

}  // namespace rhino::runtime
