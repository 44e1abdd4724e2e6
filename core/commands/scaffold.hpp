// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace rhino::commands {

/// Kinds of plugins: search, resharding, schedule.
std::vector<std::string> plugin_kinds();

/// Folders to put on the include path of a plugin: of the installation or of the build tree that
/// `executable` belongs to. Throws Error where neither has the headers.
std::vector<std::string> api_folders(const std::string& executable);

/// Writes `NAME/NAME.cpp`, `NAME/meson.build` and `NAME/README.md` into the current folder: a
/// plugin `kind/name` that works as it stands. Returns the folder. Throws Error where the name is
/// no identifier, or the folder is there already.
std::string write_scaffold(const std::string& kind, const std::string& name,
                           const std::vector<std::string>& include_folders);

}  // namespace rhino::commands
