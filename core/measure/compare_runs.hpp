// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/verdict.hpp"

namespace rhino::measure {

/// What became of a cell from one run to another.
enum class Change : std::uint8_t {
  same,  ///< these four as judge_samples() says
  faster,
  slower,
  inconclusive,
  untimed,  ///< they ended alike, but one of them carries no timing
  broken,   ///< ok or at least infeasible before, and worse now
  mended,
};

const char* change_name(Change change);

struct CellChange {
  std::string label;
  Change change = Change::same;
  double before_s = 0, after_s = 0;  ///< medians; 0 where untimed
  store::BaselineRatio ratio;        ///< before / after: > 1 is faster now
  std::string message;               ///< how it ended then and now, or what keeps a verdict away
};

struct RunComparison {
  std::vector<CellChange> cells;
  std::vector<std::string> only_before, only_after;  ///< labels
};

/// Pairs the cells of two runs by id, else by all that their records say of them (ids of another
/// engine). A round is one sample; a record of before there were rounds is one round. The A/A pairs
/// of both runs, and what their probes surely differ by, widen the intervals.
RunComparison compare_runs(const std::vector<store::Record>& before,
                           const std::vector<store::Record>& after);

}  // namespace rhino::measure
