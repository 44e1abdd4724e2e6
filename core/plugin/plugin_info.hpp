// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace rhino::plugin {

/// What a plugin library says of itself in its ELF note, read without running any of its code.
struct PluginInfo {
  std::string path;
  std::string abi_tag;
  std::string id;  ///< "resharding/broadcast"
  std::string description;
  std::string build_id;  ///< hash of the file's bytes: part of the resume key
  /// Open descriptor of the file: a rebuild never changes a running experiment; -1: not kept.
  int fd = -1;
  bool operator==(const PluginInfo&) const = default;
};

/// Reads the note of an ELF shared library; nullopt where there is no ELF library (a folder, a
/// pipe) or it holds no such note. Throws Error where the file cannot be read or its headers are
/// torn.
std::optional<PluginInfo> read_plugin_note(const std::string& path);

}  // namespace rhino::plugin
