// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rhino::codec {

/// 16 hex digits that tell texts apart (FNV-1a): the same on every machine, in every version.
inline std::string fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  std::string digits(16, '0');
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, hash /= 16)
    *digit = "0123456789abcdef"[hash % 16];
  return digits;
}

}  // namespace rhino::codec
