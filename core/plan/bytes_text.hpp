// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <string>
#include <utility>

namespace rhino::plan {

/// `1.50 GB`, `2.00 kB`: memory as tables and sentences tell it.
inline std::string bytes_text(double bytes) {
  const auto [unit, name] = bytes >= 1e9   ? std::pair(1e9, "GB")
                            : bytes >= 1e6 ? std::pair(1e6, "MB")
                                           : std::pair(1e3, "kB");
  char text[32];
  std::snprintf(text, sizeof text, "%.2f %s", bytes / unit, name);
  return text;
}

/// Why devices with `limit_bytes` hold no part of a plan that needs `bytes` of each.
inline std::string too_large_text(double bytes, double limit_bytes) {
  return "needs " + bytes_text(bytes) + " of memory per device, and there are " +
         bytes_text(limit_bytes);
}

}  // namespace rhino::plan
