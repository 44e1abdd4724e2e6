// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace fake {

/// What passes as PTX: text, as PTX is, that carries a library in hexadecimal digits.
inline constexpr std::string_view kPtxMark = "// fake PTX ";

inline bool is_fake_ptx(const char* text) {
  return std::string_view(text).substr(0, kPtxMark.size()) == kPtxMark;
}

inline std::string pack_ptx(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(kPtxMark);
  for (const char c : bytes) {
    text += kDigits[static_cast<unsigned char>(c) >> 4];
    text += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

inline std::string unpack_ptx(std::string_view text) {
  const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = kPtxMark.size(); i + 1 < text.size(); i += 2) {
    bytes += static_cast<char>(value(text[i]) << 4 | value(text[i + 1]));
  }
  return bytes;
}

}  // namespace fake
