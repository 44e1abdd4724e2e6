// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

namespace rhino::runtime::cuda {

#ifdef RHINO_MUTATIONS

/// What RHINO_MUTATION names, in the build that asks whether tests miss it.
inline std::string_view mutation() {
  const char* name = std::getenv("RHINO_MUTATION");
  return name == nullptr ? "" : name;
}
/// Whether the step of this name is left out. False in every other build, at no cost.
inline bool is_taken_out(std::string_view name) { return mutation() == name; }

/// Kernels without the barrier that `barrier:N` names, counted over the text.
inline std::string mutated(std::string source) {
  constexpr std::string_view kPrefix = "barrier:", kBarrier = "__syncthreads();";
  if (!mutation().starts_with(kPrefix)) return source;
  std::size_t place = std::string::npos;
  for (int left = std::atoi(mutation().substr(kPrefix.size()).data()); left >= 0; --left)
    place = source.find(kBarrier, place + 1);
  return place == std::string::npos ? source : source.replace(place, kBarrier.size(), "");
}

#else

constexpr bool is_taken_out(std::string_view) { return false; }
inline const std::string& mutated(const std::string& source) { return source; }

#endif

}  // namespace rhino::runtime::cuda
