// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "codec/members.hpp"

namespace rhino::topology {

/// A library of CUDA as the system's linker finds it.
struct GpuLibrary {
  std::string name;                ///< "NVRTC"
  std::string path, version;       ///< empty: not told
  std::string missing;             ///< a sentence; empty: it is there
  std::vector<std::string> lacks;  ///< entry points that are called and not there
  bool operator==(const GpuLibrary&) const = default;
};
struct GpuLibraries {
  std::vector<GpuLibrary> libraries;
};

constexpr auto members(const GpuLibrary*) {
  using codec::named;
  using L = GpuLibrary;
  return std::tuple(named("name", &L::name), named("path", &L::path), named("version", &L::version),
                    named("missing", &L::missing), named("lacks", &L::lacks));
}
constexpr auto members(const GpuLibraries*) {
  return std::tuple(codec::named("libraries", &GpuLibraries::libraries));
}

std::string encode(const GpuLibraries& libraries);
/// Throws Error.
GpuLibraries decode_libraries(const std::string& text);

}  // namespace rhino::topology
