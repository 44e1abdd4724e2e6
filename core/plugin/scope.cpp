// SPDX-License-Identifier: Apache-2.0
#include "plugin/scope.hpp"

#include <sys/mman.h>

#include <cstring>

#include "rhino/error.hpp"
#include "rhino/plugin.hpp"

namespace rhino::plugin {
namespace {

constexpr std::size_t kRoom = PluginNote::kIdRoom;

/// One page that children inherit and write to.
char* shared_page() {
  static char* const page = [] {
    void* memory = mmap(nullptr, kRoom, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw Error("no memory for the page that names the running plugin");
    return static_cast<char*>(memory);
  }();
  return page;
}

void write_page(const std::string& id) { std::strncpy(shared_page(), id.c_str(), kRoom - 1); }

}  // namespace

PluginScope::PluginScope(const std::string& id) : outer_(running_plugin()) { write_page(id); }
PluginScope::~PluginScope() { write_page(outer_); }

std::string running_plugin() { return {shared_page(), strnlen(shared_page(), kRoom)}; }
void clear_running_plugin() { write_page(""); }

}  // namespace rhino::plugin
