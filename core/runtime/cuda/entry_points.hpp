// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tuple>
#include <vector>

/// Libraries that are opened when a device is made and never linked. A table is a plain struct of
/// function pointers, each named as its library exports it; entries() lists them.
namespace rhino::runtime::cuda {

template <class Table, class Function>
struct Entry {
  const char* name;
  Function Table::*member;
};
template <class Table, class Function>
Entry(const char*, Function Table::*) -> Entry<Table, Function>;

/// Opens the first of `sonames` that the system's linker finds, never to be closed. Throws Error
/// with `purpose` ("the NVIDIA driver") where none is there. `path` gets where it was found.
void* open_library(const std::vector<const char*>& sonames, const std::string& purpose,
                   std::string* path = nullptr);
/// Whether it opens.
bool is_library_here(const char* soname);
/// Throws Error naming library and entry point where it is missing.
void* find_entry(void* library, const char* name, const std::string& purpose);

/// nullptr where it is missing.
void* find_entry_or_null(void* library, const char* name);

template <class Table>
Table load_table(const std::vector<const char*>& sonames, const std::string& purpose) {
  Table table;
  void* library = open_library(sonames, purpose, &table.path);
  const auto fill = [&](const auto& entry) {
    using Function = std::remove_reference_t<decltype(table.*entry.member)>;
    table.*entry.member = reinterpret_cast<Function>(find_entry(library, entry.name, purpose));
  };
  std::apply([&](const auto&... each) { (fill(each), ...); },
             entries(static_cast<const Table*>(nullptr)));
  return table;
}

}  // namespace rhino::runtime::cuda
