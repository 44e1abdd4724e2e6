// SPDX-License-Identifier: Apache-2.0
#include "launch/environment.hpp"

#include <cstdlib>

namespace rhino::launch {

Environment process_environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  };
}

}  // namespace rhino::launch
