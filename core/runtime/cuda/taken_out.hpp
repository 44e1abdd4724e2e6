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

/// Mutations of kernels begin with `name`, and end with a number N: the Nth `word` behind the text
/// `behind` is taken for another.
struct TextMutation {
  std::string_view name, behind, word, with;
};
inline constexpr std::string_view kBarrier = "__syncthreads();",
                                  kFragments = "load_tiles<false>(left",
                                  kStreams = "load_fragments<E, false>(right",
                                  kStream = "struct Stream {";
inline constexpr TextMutation kTextMutations[] = {
    {"barrier:", "", kBarrier, ""},
    {"fragment:pair", kFragments, "right + 2", "right"},  // the first tiles of a pair twice
    {"fragment:", kFragments, "lane ", "0 "},             // where a tile's row is chosen
    {"stream:pair", kStreams, "right + 2", "right"},
    {"stream:lane:", kStreams, "lane ", "0 "},
    {"stream:barrier:", kStream, kBarrier, ""},
    {"stream:copies:", kStream, "await_copies();", ""},
    {"stream:shown", kStream, "if constexpr (in_groups) show_copies();", ""},
    {"group:unit", "unit_place(int row", "unit ^ row % 8", "unit"},
    {"group:panel", "multiply_weights_in_group(", "ROWS * 128", "0"},
    {"group:row", "multiply_weights_in_group(", "first + 8 * k", "first"},
};

/// Kernels as the mutation leaves them.
inline std::string mutated(std::string source) {
  const std::string_view name = mutation();
  for (const TextMutation& m : kTextMutations) {
    if (!name.starts_with(m.name)) continue;
    const std::size_t first = source.find(m.behind);
    if (first == std::string::npos) return source;
    const std::string number(name.substr(m.name.size()));
    const std::size_t place = find_nth(source, m.word, std::atoi(number.c_str()), first);
    return place == std::string::npos ? source : source.replace(place, m.word.size(), m.with);
  }
  return source;
}

#else

constexpr bool is_taken_out(std::string_view) { return false; }
inline const std::string& mutated(const std::string& source) { return source; }

#endif

}  // namespace rhino::runtime::cuda
