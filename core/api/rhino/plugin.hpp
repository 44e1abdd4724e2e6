// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "rhino/abi.hpp"
#include "rhino/options.hpp"
#include "rhino/resharding.hpp"
#include "rhino/schedule.hpp"
#include "rhino/search.hpp"

/// What makes a shared library a plugin. An author includes this header alone, implements one of
/// Search, Resharding and Schedule, and ends the file with RHINO_PLUGIN; the rest of it is between
/// that macro and the loader.
namespace rhino {

/// What a plugin library exports, as the symbol `rhino_plugin_entry`: data plus one factory.
/// Exactly one of the three pointers is set, and says what kind of plugin it is. The factory is
/// called in the child process that plans a cell; its caller owns what it returns and deletes it
/// there. A library is never unloaded.
struct PluginEntry {
  Search* (*make_search)(const Options&);
  Resharding* (*make_resharding)(const Options&);
  Schedule* (*make_schedule)(const Options&);
};

/// An ELF note, read from the file before the library is opened: a library with another tag is
/// refused and none of its code runs, not even static initialisers. The tag is a hash of the api
/// headers (comments included), the string ABI and the flavour of the standard library, so a plugin
/// is compiled again whenever any of them changes. desc: abi tag, id and description, each a C
/// string of fixed room; a longer id does not compile.
struct PluginNote {
  static constexpr std::uint32_t kAbiTagRoom = 64, kIdRoom = 64, kDescriptionRoom = 128;
  std::uint32_t name_size = 6;  ///< "Rhino" and its zero, as ELF counts
  std::uint32_t desc_size = kAbiTagRoom + kIdRoom + kDescriptionRoom;
  std::uint32_t type = 1;  ///< the only one there is
  char name[8] = {'R', 'h', 'i', 'n', 'o', 0, 0, 0};
  char abi_tag[kAbiTagRoom];
  char id[kIdRoom];                    ///< "kind/name": what YAML, records and tables call it
  char description[kDescriptionRoom];  ///< a few words for `rhino-bench list plugins`
};

/// Makes a T for one of the three interfaces; the other factories stay empty. T has a constructor
/// that takes `const Options&`, and reads all its options there.
template <class T>
constexpr PluginEntry plugin_entry() {
  PluginEntry entry{};
  if constexpr (std::is_base_of_v<Search, T>)
    entry.make_search = [](const Options& o) -> Search* { return new T(o); };
  if constexpr (std::is_base_of_v<Resharding, T>)
    entry.make_resharding = [](const Options& o) -> Resharding* { return new T(o); };
  if constexpr (std::is_base_of_v<Schedule, T>)
    entry.make_schedule = [](const Options& o) -> Schedule* { return new T(o); };
  return entry;
}

}  // namespace rhino

/// The whole entry of a plugin library, once, outside of any namespace:
///
///     RHINO_PLUGIN("resharding/broadcast", rhino::Broadcast, "pipelined multicast, load-balanced")
///
/// The id begins with the kind, `search/`, `resharding/` or `schedule/`. It and the two symbols are
/// all that a library shows; compile it with -fvisibility=hidden.
#define RHINO_PLUGIN(plugin_id, Class, what)                                                 \
  extern "C" {                                                                               \
  __attribute__((visibility("default"), section(".note.rhino"),                              \
                 aligned(4))) extern const rhino::PluginNote rhino_plugin_note;              \
  const rhino::PluginNote rhino_plugin_note = {                                              \
      .abi_tag = RHINO_ABI_TAG, .id = plugin_id, .description = what};                       \
  __attribute__((visibility("default"))) extern const rhino::PluginEntry rhino_plugin_entry; \
  const rhino::PluginEntry rhino_plugin_entry = rhino::plugin_entry<Class>();                \
  }
