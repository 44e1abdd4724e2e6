// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/cutting.hpp"
#include "common/shortlist.hpp"
#include "rhino/index.hpp"

namespace rhino::common {

/// The larger a program, the fewer plans of it are worth their time: of so many at most.
inline std::size_t most_simulated(const Cutting& cutting, std::int64_t num_evaluations) {
  constexpr std::size_t kMostOfLarge = 12;
  constexpr std::int64_t kQuickOps = 75000;  // of all plans that level 2 simulates
  if (!cutting.is_large()) return at(num_evaluations);
  if (!cutting.is_quick()) return kMostOfLarge;
  return at(
      std::clamp<std::int64_t>(kQuickOps / cutting.problem().program.size(), 3, num_evaluations));
}

/// What promises less than this part of the best is worth another attempt: a plan of a large
/// program takes long, and may be no better than its estimate.
inline double misled_near(const Cutting& cutting) {
  return cutting.is_quick() ? 0.95 : cutting.is_large() ? 0.98 : 1;
}

/// How near what is written has to come.
inline Shortlist::Near written_near(const Cutting& cutting) {
  if (cutting.is_quick()) return {.written = 1.2, .recounted = 1};
  if (cutting.is_large()) return {.written = 1.5, .recounted = 1.1};
  return {};
}

}  // namespace rhino::common
