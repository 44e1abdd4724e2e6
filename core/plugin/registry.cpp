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

/// `search/mine` lies in rhino_search_mine.so.
std::string library_name(const std::string& id) {
  std::string name = "rhino_" + id + ".so";
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

/// Where it lies near the current folder; empty: nowhere.
fs::path forgotten_library(const std::string& id) {
  const std::string name = library_name(id);
  constexpr int kDepth = 2, kMostEntries = 20000;
  int num_entries = 0;
  std::error_code error;
  using Walk = fs::recursive_directory_iterator;
  for (Walk walk(".", fs::directory_options::skip_permission_denied, error), end;
       walk != end && !error && num_entries < kMostEntries; walk.increment(error), ++num_entries) {
    if (walk.depth() == kDepth) walk.disable_recursion_pending();
    if (walk->path().filename() == name) return walk->path().lexically_normal();
  }
  return {};
}

}  // namespace

Registry::Registry(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    for (const std::string& path : libraries_in(folder)) {
      std::optional<PluginInfo> info;
      try {
        info = read_plugin_note(path);
      } catch (const Error& error) {
        unreadable_.emplace_back(error.what());
      }
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
  for (const std::string& sentence : unreadable_) {
    if (sentence.find("/" + library_name(id) + ": ") != std::string::npos)
      throw Error("unknown plugin '" + id + "': " + sentence);
  }
  const fs::path forgotten = forgotten_library(id);
  if (forgotten.empty()) throw Error("unknown plugin '" + id + "'" + suggestion(id, known));
  throw Error("unknown plugin '" + id + "'; " + forgotten.string() +
              " has that name: --plugin-dir " +
              ("." / forgotten.parent_path()).lexically_normal().string() + " makes it known");
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
