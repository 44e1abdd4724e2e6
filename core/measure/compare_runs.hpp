// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/record.hpp"

namespace rhino::measure {

/// Differences below it do not count.
inline constexpr double kTolerance = 0.05;

/// What became of a cell from one run to another.
enum class Change : std::uint8_t {
  same,          ///< the interval of the ratio lies within the tolerance
  faster,        ///< beyond the tolerance, and the interval excludes 1
  slower,        ///< likewise
  inconclusive,  ///< the noise is too large to tell
  untimed,       ///< they ended alike, but one of them carries no timing
  broken,        ///< ok or at least infeasible before, and worse now
  mended,
};

const char* change_name(Change change);

struct CellChange {
  std::string label;
  Change change = Change::same;
  double before_s = 0, after_s = 0;  ///< medians; 0 where untimed
  store::BaselineRatio ratio;        ///< before / after: > 1 is faster now
  std::string message;               ///< broken, mended: how it ended then and now
};

struct RunComparison {
  std::vector<CellChange> cells;
  std::vector<std::string> only_before, only_after;  ///< labels
};

/// Pairs the cells of two runs by id, else by label (the same cell of an experiment that was
/// edited).
RunComparison compare_runs(const std::vector<store::Record>& before,
                           const std::vector<store::Record>& after);

}  // namespace rhino::measure
