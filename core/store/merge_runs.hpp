// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/record.hpp"

namespace rhino::store {

/// Which run counts where two have different records of a cell.
enum class Keep : std::uint8_t { neither, first, last };

struct MergedRun {
  std::vector<Record> records;     ///< in the order of the experiment
  std::size_t num_cells = 0;       ///< of the experiment
  std::vector<std::string> notes;  ///< sentences on what was not taken
};

/// Makes the folder `out` of runs of one experiment, seed and engine: records, journals of cases
/// that were cut, plans, traces, logs, calibrations. Nothing of `runs` changes. `out` appears whole
/// or not at all. Throws Error where runs differ in what they are of, hold different records of a
/// cell (Keep::neither), or where keeping one would leave a verdict without what it compares with;
/// codec::OutputError where there is no room.
MergedRun merge_runs(const std::string& out, const std::vector<std::string>& runs, Keep keep);

}  // namespace rhino::store
