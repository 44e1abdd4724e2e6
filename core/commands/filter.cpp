// SPDX-License-Identifier: Apache-2.0
#include <regex>

#include "commands/commands.hpp"
#include "rhino/error.hpp"

namespace rhino::commands {

bool matches(const std::string& pattern, const std::string& name) {
  try {
    return pattern.empty() || std::regex_search(name, std::regex(pattern));
  } catch (const std::regex_error&) {
    throw Error("--filter: '" + pattern + "' is no regular expression");
  }
}

}  // namespace rhino::commands
