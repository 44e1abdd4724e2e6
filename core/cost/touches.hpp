// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "cost/recent_memory.hpp"
#include "lower/lower.hpp"

namespace rhino::cost {

/// A buffer, or a part of one, that a kernel reads or writes.
struct Touch {
  double bytes = 0;
  double reuse_bytes = 0;  ///< touched since its last use began, each once; not by this kernel
  /// What it does with them: a kernel that writes over what it reads has a touch for either.
  enum class Kind : std::uint8_t { read, fresh, over } kind = Kind::read;
  double reuse_s = 0;  ///< since its last use ended, what else was done took so long
  bool operator==(const Touch&) const = default;
};

/// Where the inputs and outputs of a run lie, and its workspace: offsets; -1: nowhere.
struct RunPlace {
  std::vector<std::int64_t> inputs, outputs;
  std::int64_t workspace = 0;
};

/// Of each kernel group of a program, one after the other a turn of `memory` that takes so many
/// seconds; none: no time.
std::vector<std::vector<Touch>> touches(const lower::LoweredProgram& lowered, const RunPlace& place,
                                        RecentMemory& memory,
                                        const std::vector<double>& groups_s = {});

}  // namespace rhino::cost
