// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace rhino::codec {

/// Where a user's measurements and compiled kernels are kept between runs.
inline std::string cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME")) return cache + std::string("/rhino-bench");
  if (const char* home = std::getenv("HOME")) return home + std::string("/.cache/rhino-bench");
  return std::filesystem::temp_directory_path() / "rhino-bench";
}

}  // namespace rhino::codec
