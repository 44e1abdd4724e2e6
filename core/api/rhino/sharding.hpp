// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rhino/program.hpp"

namespace rhino {

/// Index of an axis in Mesh::axes.
using AxisId = std::int32_t;
/// The time-shared axis of micro-batching: its slices use the same devices one after the other. It
/// is the major split of a dim.
inline constexpr AxisId kMicroAxis = -1;

/// Cuts a dim into blocks of `period` elements and every block into n equal parts, n = size of
/// `axis`; the device at index k holds part k of every block. period == extent: contiguous blocks;
/// smaller: strided (block-cyclic), Rhino's form. Outside of Programs contiguous parts need not
/// divide: each is ceil(period / n) long, but for the last ones, which may be empty.
struct AxisSplit {
  AxisId axis = 0;
  std::int64_t period = 0;
  bool operator==(const AxisSplit&) const = default;
};

/// Splits of one dim, major to minor: periods strictly decrease, and each period divides the part
/// length (period / n, rounded up) of the one before.
struct DimSharding {
  std::vector<AxisSplit> splits;
  bool operator==(const DimSharding&) const = default;
};

/// The devices along `axis` hold terms that `reduction` makes into the value.
struct Partial {
  AxisId axis = 0;
  Reduction reduction = Reduction::sum;
  bool operator==(const Partial&) const = default;
};

/// How a tensor lies on a mesh. An axis occurs at most once in all; along an axis that does not
/// occur the tensor is replicated.
struct ShardingSpec {
  std::vector<DimSharding> dims;  ///< one per tensor dim
  std::vector<Partial> partial;   ///< ordered by axis
  bool operator==(const ShardingSpec&) const = default;
};

}  // namespace rhino
