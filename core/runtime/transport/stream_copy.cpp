// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/stream_copy.hpp"

#include <algorithm>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace rhino::runtime {

#ifdef __SSE2__
void stream_copy(std::byte* target, const std::byte* source, std::size_t num_bytes) {
  constexpr std::size_t kLine = 64;
  const std::size_t ahead = (kLine - reinterpret_cast<std::uintptr_t>(target) % kLine) % kLine;
  const std::size_t head = std::min(num_bytes, ahead);
  std::memcpy(target, source, head);
  std::size_t done = head;
  for (; done + kLine <= num_bytes; done += kLine) {
    for (std::size_t i = 0; i < kLine; i += sizeof(__m128i)) {
      const auto* from = reinterpret_cast<const __m128i*>(source + done + i);
      _mm_stream_si128(reinterpret_cast<__m128i*>(target + done + i), _mm_loadu_si128(from));
    }
  }
  _mm_sfence();
  std::memcpy(target + done, source + done, num_bytes - done);
}
#else
void stream_copy(std::byte* target, const std::byte* source, std::size_t num_bytes) {
  std::memcpy(target, source, num_bytes);
}
#endif

}  // namespace rhino::runtime
