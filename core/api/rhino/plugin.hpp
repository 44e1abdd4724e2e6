// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "rhino/abi.hpp"
#include "rhino/options.hpp"
#include "rhino/resharding.hpp"
#include "rhino/schedule.hpp"
#include "rhino/search.hpp"

namespace rhino {

/// What a plugin library exports: data plus one factory. Exactly one of the three pointers is set.
struct PluginEntry {
  Search* (*make_search)(const Options&);
  Resharding* (*make_resharding)(const Options&);
  Schedule* (*make_schedule)(const Options&);
};

/// An ELF note, read from the file before the library is opened: a library with another tag is
/// refused and none of its code runs. desc: abi tag, id and description, each a C string of fixed
/// room.
struct PluginNote {
  static constexpr std::uint32_t kAbiTagRoom = 64, kIdRoom = 64, kDescriptionRoom = 128;
  std::uint32_t name_size = 6;
  std::uint32_t desc_size = kAbiTagRoom + kIdRoom + kDescriptionRoom;
  std::uint32_t type = 1;
  char name[8] = {'R', 'h', 'i', 'n', 'o', 0, 0, 0};
  char abi_tag[kAbiTagRoom];
  char id[kIdRoom];
  char description[kDescriptionRoom];
};

/// Makes a T for one of the three interfaces; the other factories stay empty.
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

/// The whole entry of a plugin library: `RHINO_PLUGIN("resharding/broadcast", Broadcast, "pipelined
/// multicast, load-balanced")`.
#define RHINO_PLUGIN(plugin_id, Class, what)                                                 \
  extern "C" {                                                                               \
  __attribute__((visibility("default"), section(".note.rhino"),                              \
                 aligned(4))) extern const rhino::PluginNote rhino_plugin_note;              \
  const rhino::PluginNote rhino_plugin_note = {                                              \
      .abi_tag = RHINO_ABI_TAG, .id = plugin_id, .description = what};                       \
  __attribute__((visibility("default"))) extern const rhino::PluginEntry rhino_plugin_entry; \
  const rhino::PluginEntry rhino_plugin_entry = rhino::plugin_entry<Class>();                \
  }
