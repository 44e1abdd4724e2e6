// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <string>
#include <utility>

namespace rhino::common {

/// `1.50 GB`
inline std::string bytes_text(double bytes) {
  const auto [unit, name] = bytes >= 1e9   ? std::pair(1e9, "GB")
                            : bytes >= 1e6 ? std::pair(1e6, "MB")
                                           : std::pair(1e3, "kB");
  char text[48];
  std::snprintf(text, sizeof text, "%.2f %s", bytes / unit, name);
  return text;
}

inline std::string needed_text(double bytes) {
  return "needs about " + bytes_text(bytes) + " of memory per device";
}

}  // namespace rhino::common
