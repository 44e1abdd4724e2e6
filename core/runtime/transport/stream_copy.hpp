// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#ifdef __SSE2__
#include <emmintrin.h>
#else
#include <cstring>
#endif

namespace rhino::runtime {

inline constexpr std::size_t kLineBytes = 64;

/// What arrives at a rank in one communication is written past the caches from this size on: it
/// would only throw out what they hold.
inline constexpr std::int64_t kStreamBytes = 8 << 20;

/// Writes a line of 64 bytes, which begins at a multiple of that, past the caches. Visible to
/// others after end_stream().
inline void stream_line(void* target, const void* source) {
#ifdef __SSE2__
  auto* to = static_cast<__m128i*>(target);
  const auto* from = static_cast<const __m128i*>(source);
  for (int i = 0; i < 4; ++i) _mm_stream_si128(to + i, _mm_loadu_si128(from + i));
#else
  std::memcpy(target, source, kLineBytes);
#endif
}
inline void end_stream() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

/// memcpy that writes past the caches.
void stream_copy(std::byte* target, const std::byte* source, std::size_t num_bytes);

}  // namespace rhino::runtime
