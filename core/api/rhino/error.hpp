// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace rhino {

/// The one exception of the project: a sentence for the user that names the place (`file:line: ...`
/// where there is one). Inline with default visibility, so that one thrown inside a plugin is
/// caught outside of it.
class __attribute__((visibility("default"))) Error : public std::runtime_error {
 public:
  explicit Error(const std::string& sentence) : std::runtime_error(sentence) {}
};

}  // namespace rhino
