// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plugin/plugin_info.hpp"
#include "rhino/options.hpp"
#include "rhino/resharding.hpp"
#include "rhino/schedule.hpp"
#include "rhino/search.hpp"

namespace rhino::plugin {

/// The plugins that this run may use, by id. Holds an open descriptor of each library.
class Registry {
 public:
  /// Reads the notes of all libraries named `*.so` in `folders`; a folder that does not exist holds
  /// none. One that cannot be read is left out, and refused where it is asked for. Throws Error
  /// naming both files where an id occurs twice.
  explicit Registry(const std::vector<std::string>& folders);
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  /// Ordered by id.
  const std::vector<PluginInfo>& plugins() const { return plugins_; }

  /// Of each library that cannot be read a sentence that names it, such as one that a linker has
  /// not finished. Ordered by path in each folder.
  const std::vector<std::string>& unreadable() const { return unreadable_; }

  /// Throws Error "unknown plugin 'x'; did you mean 'y'?" / "... known: a, b", or names a library
  /// that is called like it: one that cannot be read, or one in the current folder, or up to two
  /// below it.
  const PluginInfo& find(const std::string& id) const;

 private:
  std::vector<PluginInfo> plugins_;
  std::vector<std::string> unreadable_;
};

/// `--plugin-dir` ones first, then RHINO_PLUGIN_PATH, then those beside the executable (build tree)
/// and lib/rhino (installed).
std::vector<std::string> plugin_folders(const std::vector<std::string>& given,
                                        const std::string& executable);

/// Why a library of another ABI is refused, naming both tags; empty for one of this engine's.
std::string abi_refusal(const PluginInfo& info);

/// Opens the library and makes the plugin. Refused, with one sentence that names file and cause:
/// another ABI tag (none of its code has run then), a library that does not load, one without
/// entry, another kind than asked for, an option that its constructor did not read. Every call of
/// the returned object is marked (see PluginScope), and whatever it throws comes out as Error
/// naming the plugin.
std::unique_ptr<Search> make_search(const PluginInfo& info, const Options& options);
std::unique_ptr<Resharding> make_resharding(const PluginInfo& info, const Options& options);
std::unique_ptr<Schedule> make_schedule(const PluginInfo& info, const Options& options);

}  // namespace rhino::plugin
