// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/entry_points.hpp"

#include <dlfcn.h>
#include <link.h>

#include "rhino/error.hpp"

namespace rhino::runtime::cuda {

void* open_library(const std::vector<const char*>& sonames, const std::string& purpose,
                   std::string* path) {
  std::string reasons;
  for (const char* soname : sonames) {
    if (void* library = ::dlopen(soname, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) {
      link_map* map = nullptr;
      if (path && ::dlinfo(library, RTLD_DI_LINKMAP, &map) == 0) *path = map->l_name;
      return library;
    }
    reasons += (reasons.empty() ? "" : "; ") + std::string(::dlerror());
  }
  throw Error(purpose + " is not here: " + reasons);
}

bool is_library_here(const char* soname) {
  return ::dlopen(soname, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) != nullptr;
}

void* find_entry(void* library, const char* name, const std::string& purpose) {
  if (void* entry = ::dlsym(library, name)) return entry;
  throw Error(purpose + " is too old: it has no " + name);
}

void* find_entry_or_null(void* library, const char* name) { return ::dlsym(library, name); }

}  // namespace rhino::runtime::cuda
