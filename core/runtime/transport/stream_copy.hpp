// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace rhino::runtime {

/// What arrives at a rank in one communication is copied past the caches from this size on: it
/// would only throw out what they hold.
inline constexpr std::int64_t kStreamBytes = 8 << 20;

/// memcpy that writes past the caches.
void stream_copy(std::byte* target, const std::byte* source, std::size_t num_bytes);

}  // namespace rhino::runtime
