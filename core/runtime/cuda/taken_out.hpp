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

/// Where `word` stands for the `number`th time behind `first`.
inline std::size_t find_nth(const std::string& source, std::string_view word, int number,
                            std::size_t first) {
  std::size_t place = source.find(word, first);
  for (; number > 0 && place != std::string::npos; --number) place = source.find(word, place + 1);
  return place;
}

/// Kernels without the barrier that `barrier:N` names, counted over the text; with lane 0 in place
/// of the lane's own number where a tile's row is chosen, as `fragment:N` says; with the first
/// tiles of a pair twice (`fragment:pair`).
inline std::string mutated(std::string source) {
  constexpr std::string_view kBarriers = "barrier:", kFragments = "fragment:",
                             kBarrier = "__syncthreads();", kLane = "lane ", kSecond = "right + 2";
  const std::string_view name = mutation();
  if (!name.starts_with(kBarriers) && !name.starts_with(kFragments)) return source;
  const bool is_barrier = name.starts_with(kBarriers), is_pair = name.ends_with("pair");
  const std::string_view which = is_barrier ? kBarrier : is_pair ? kSecond : kLane;
  const std::size_t first = is_barrier ? 0 : source.find("load_tiles<false>(left");
  if (first == std::string::npos) return source;
  const int number = is_pair ? 0 : std::atoi(name.substr(name.find(':') + 1).data());
  const std::size_t place = find_nth(source, which, number, first);
  if (place == std::string::npos) return source;
  return source.replace(place, which.size(), is_barrier ? "" : is_pair ? "right" : "0 ");
}

#else

constexpr bool is_taken_out(std::string_view) { return false; }
inline const std::string& mutated(const std::string& source) { return source; }

#endif

}  // namespace rhino::runtime::cuda
