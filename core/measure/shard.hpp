// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/named_cells.hpp"

namespace rhino::measure {

/// One of the `count` parts that the cases of a run are shared out to; they count from 1.
struct Shard {
  std::int32_t index = 1, count = 1;
  bool operator==(const Shard&) const = default;
};

/// Of `2/4`. Throws Error.
Shard parse_shard(const std::string& word);

/// The cells of a shard, in their order. A case is never torn: its verdicts compare cells that take
/// turns. Cases go to the shard with least work so far, the longest first: a simulated cell is one
/// unit, a measured one that and its rounds, and so is an A/A pair. It depends on the cells alone,
/// so that all machines agree.
std::vector<NamedCell> cells_of(Shard shard, const std::vector<NamedCell>& cells,
                                const config::MeasureSpec& measure);

}  // namespace rhino::measure
