// SPDX-License-Identifier: Apache-2.0
// A plugin of another ABI: its code must never run, not even its static initialisers.
#include <cstdlib>

#include "rhino/plugin.hpp"

namespace {
[[maybe_unused]] const int kRuns = (std::abort(), 0);
}

extern "C" {
__attribute__((visibility("default"), section(".note.rhino"),
               aligned(4))) extern const rhino::PluginNote rhino_plugin_note;
const rhino::PluginNote rhino_plugin_note = {.abi_tag = "0123456789abcdef-cxx11-plain",
                                             .id = "resharding/foreign",
                                             .description = "of another time"};
}
