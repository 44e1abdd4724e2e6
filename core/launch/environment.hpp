// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace rhino::launch {

/// Looks a variable up; nothing where it is not set, or set to nothing.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// That of this process.
Environment process_environment();

}  // namespace rhino::launch
