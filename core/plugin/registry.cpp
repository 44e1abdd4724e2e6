// SPDX-License-Identifier: Apache-2.0
#include "plugin/registry.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "plugin/suggest.hpp"
#include "rhino/error.hpp"

namespace rhino::plugin {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> libraries_in(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".so") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

Registry::Registry(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    for (const std::string& path : libraries_in(folder)) {
      std::optional<PluginInfo> info = read_plugin_note(path);
      if (!info) continue;
      for (const PluginInfo& other : plugins_) {
        if (other.id == info->id && !fs::equivalent(other.path, path)) {
          throw Error("plugin '" + info->id + "' is defined twice: in " + other.path + " and in " +
                      path);
        }
      }
      const bool known = std::any_of(plugins_.begin(), plugins_.end(),
                                     [&](const PluginInfo& other) { return other.id == info->id; });
      if (known) continue;
      info->fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
      plugins_.push_back(std::move(*info));
    }
  }
  std::sort(plugins_.begin(), plugins_.end(),
            [](const PluginInfo& a, const PluginInfo& b) { return a.id < b.id; });
}

Registry::~Registry() {
  for (const PluginInfo& info : plugins_) close(info.fd);
}

const PluginInfo& Registry::find(const std::string& id) const {
  std::vector<std::string> known;
  for (const PluginInfo& info : plugins_) {
    if (info.id == id) return info;
    known.push_back(info.id);
  }
  throw Error("unknown plugin '" + id + "'" + suggestion(id, known));
}

std::vector<std::string> plugin_folders(const std::vector<std::string>& given,
                                        const std::string& executable) {
  std::vector<std::string> folders = given;
  if (const char* path = std::getenv("RHINO_PLUGIN_PATH")) {
    std::istringstream list(path);
    for (std::string folder; std::getline(list, folder, ':');) {
      if (!folder.empty()) folders.push_back(folder);
    }
  }
  const fs::path home = fs::path(executable).parent_path();
  for (const fs::path& folder :
       {home / "plugins", home.parent_path() / "plugins", home.parent_path() / "lib" / "rhino"}) {
    std::error_code error;
    if (fs::is_directory(folder, error)) folders.push_back(fs::weakly_canonical(folder).string());
  }
  return folders;
}

}  // namespace rhino::plugin
