// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace rhino::plugin {

/// What a plugin says may be of any length, of several lines, and full of what terminals obey.
inline std::string one_line(const std::string& text) {
  constexpr std::size_t kMost = 2000;
  std::string line;
  for (const char c : text.substr(0, kMost)) {
    const bool is_space = static_cast<unsigned char>(c) <= ' ' || c == 0x7f;
    if (!is_space) line += c;
    else if (!line.empty() && line.back() != ' ') line += ' ';
  }
  return text.size() > kMost ? line + " ..." : line;
}

}  // namespace rhino::plugin
