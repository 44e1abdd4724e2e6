// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "lower/loop_space.hpp"
#include "runtime/cuda/sums.hpp"

namespace rhino::runtime::cuda {

/// Kernels of this kind have a block per columns and rows.
inline constexpr const char* kColumnSumsKind = "sums of columns";

/// Reductions over dims of a nest's elements, which keep all inner ones: `count` elements for each
/// of `results` that lie side by side, as derivatives of biases and scales are; of each of `blocks`
/// that the dims before them make, as statistics of an image's features are.
struct ColumnSums {
  std::int64_t blocks = 1, count = 1, results = 1;
  std::vector<lower::LoopNest::Member> members;  ///< reduces, computed by one kernel
};

/// What nest member `reduce` is of, alone; of no members: it is something else, or not worth it.
ColumnSums column_sums_of(const Program& program, const lower::LoopNest::Member& reduce);

/// Lanes take columns side by side, the warps of a block rows, blocks more of them; what each block
/// makes of its rows a second kernel adds up. In an order that repeats.
SumsSource column_sums(const SumsInputs& inputs, const ColumnSums& sums);

}  // namespace rhino::runtime::cuda
