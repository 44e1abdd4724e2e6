// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rhino/program.hpp"

/// How a tensor lies on a mesh. Axis is a mesh axis, dim a tensor dimension; never the other way
/// round. Which elements a device holds under a spec is worked out in rhino/tile.hpp.
namespace rhino {

/// Index of an axis in Mesh::axes.
using AxisId = std::int32_t;
/// The time-shared axis of micro-batching: its slices use the same devices one after the other. It
/// is the major split of a dim. (Rhino treats micro-batches as one more split whose parts share
/// their devices.)
inline constexpr AxisId kMicroAxis = -1;

/// Cuts a dim into blocks of `period` elements and every block into n equal parts, n = size of
/// `axis`; the device at index k holds part k of every block. period == extent: contiguous blocks;
/// smaller: strided (block-cyclic), Rhino's form. Outside of Programs contiguous parts need not
/// divide: each is ceil(period / n) long, but for the last ones, which may be empty.
///
/// A dim of 12 elements over an axis of 2:
///
///     period 12   device 0: 0 1 2 3 4 5     device 1: 6 7 8 9 10 11
///     period 4    device 0: 0 1 4 5 8 9     device 1: 2 3 6 7 10 11
///
/// The second comes about where [3, 4], split along its dim 1, is reshaped to [12]: no element
/// moves.
struct AxisSplit {
  AxisId axis = 0;
  std::int64_t period = 0;  ///< elements of the dim, at least 1; divides what it cuts
  bool operator==(const AxisSplit&) const = default;
};

/// Splits of one dim, major to minor: periods strictly decrease, and each period divides the part
/// length (period / n, rounded up) of the one before. (Axes of size 1 may repeat a period.)
///
/// A dim of 16 on a mesh of axes 2 x 4, cut by both: {{0, 16}, {1, 8}} is AlpaComm's S01,
/// where the device at (i, j) holds the two elements from 8 i + 2 j; {{1, 16}, {0, 4}} is S10,
/// where it holds those from 4 j + 2 i.
struct DimSharding {
  std::vector<AxisSplit> splits;  ///< empty: every device has the whole dim
  bool operator==(const DimSharding&) const = default;
};

/// The devices along `axis` hold terms that `reduction` makes into the value. Along kMicroAxis the
/// terms come one after the other: such a value accumulates instead of communicating.
struct Partial {
  AxisId axis = 0;
  Reduction reduction = Reduction::sum;  ///< never product
  bool operator==(const Partial&) const = default;
};

/// How a tensor lies on a mesh. An axis occurs at most once in all; along an axis that does not
/// occur the tensor is replicated. A spec without splits and partials is the whole tensor on every
/// device. The core checks it against shape and mesh wherever a plugin hands one in, and says which
/// dim does not divide.
struct ShardingSpec {
  std::vector<DimSharding> dims;  ///< one per tensor dim
  std::vector<Partial> partial;   ///< ordered by axis
  bool operator==(const ShardingSpec&) const = default;
};

}  // namespace rhino
