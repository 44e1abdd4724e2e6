// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rhino/error.hpp"

namespace rhino::plugin {

/// Marks, on a page shared with the parent process, that code of plugin `id` runs: when the child
/// dies, the innermost one is to blame.
class PluginScope {
 public:
  explicit PluginScope(const std::string& id);
  ~PluginScope();
  PluginScope(const PluginScope&) = delete;
  PluginScope& operator=(const PluginScope&) = delete;

 private:
  std::string outer_;
};

/// Thrown by the engine's own calls to end a searcher that has handed in enough and is out of time,
/// or that has met a Fault. No Error: one that rejects a candidate for an Error does not catch it.
struct EndOfSearch {};

/// A plugin has answered what is no answer, or thrown what is no Error: its cell has failed,
/// however much else a searcher finds.
struct Fault : Error {
  using Error::Error;
};

/// What `work` returns; an Error that it throws, and that names no plugin, is a Fault of `id`.
template <class Work>
auto blaming(const std::string& id, Work&& work) {
  try {
    return work();
  } catch (const Error& error) {
    const std::string sentence = error.what();
    if (id.empty() || sentence.find("plugin '") != std::string::npos) throw;
    throw Fault("plugin '" + id + "': " + sentence);
  }
}

/// The plugin that runs now (in a child: that ran last), empty between calls.
std::string running_plugin();

/// Forgets it: called by the parent before it forks.
void clear_running_plugin();

}  // namespace rhino::plugin
