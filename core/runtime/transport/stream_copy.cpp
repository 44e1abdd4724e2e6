// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/stream_copy.hpp"

#include <algorithm>
#include <cstring>

namespace rhino::runtime {

void stream_copy(std::byte* target, const std::byte* source, std::size_t num_bytes) {
  const std::size_t ahead = -reinterpret_cast<std::uintptr_t>(target) % kLineBytes;
  std::size_t done = std::min(num_bytes, ahead);
  std::memcpy(target, source, done);
  for (; done + kLineBytes <= num_bytes; done += kLineBytes)
    stream_line(target + done, source + done);
  end_stream();
  std::memcpy(target + done, source + done, num_bytes - done);
}

}  // namespace rhino::runtime
