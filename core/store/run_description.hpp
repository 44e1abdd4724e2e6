// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rhino::store {

/// What a run is of, in `experiment.json` of its folder: runs that agree in all of it are parts, or
/// repetitions, of one.
struct RunDescription {
  std::string experiment, engine, measure;
  std::uint64_t seed = 0;
  std::vector<std::string> cells;  ///< of the whole experiment, in order: case, id and name
  bool operator==(const RunDescription&) const = default;
};
inline constexpr const char* kDescription = "experiment.json";

std::string encode(const RunDescription& description);
/// Throws Error where the folder has none, or a torn one.
RunDescription read_description(const std::string& folder);

}  // namespace rhino::store
