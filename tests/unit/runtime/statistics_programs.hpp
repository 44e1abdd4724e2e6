// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <vector>

#include "device_ops_harness.hpp"
#include "ir/builder.hpp"

/// Statistics over some dims, and what is made of each element with them: as norms do, wherever the
/// dims lie.
namespace rhino::test {

inline Program statistics(DType dtype, const std::vector<std::int64_t>& dims,
                          const std::vector<std::int64_t>& over) {
  std::vector<std::int64_t> kept;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (std::ranges::find(over, static_cast<std::int64_t>(d)) == over.end())
      kept.push_back(static_cast<std::int64_t>(d));
  }
  ir::Builder b("statistics");
  const ValueId x = b.input(InputKind::batch, {dtype, dims}, range_of(dtype, -1, 1), "x"),
                y = b.input(InputKind::batch, {dtype, dims}, range_of(dtype, -1, 1), "y");
  const auto spread = [&](ValueId v) { return b.broadcast_in_dim(v, dims, kept); };
  const ValueId most = b.reduce(b.add(x, y), over, Reduction::max);
  const ValueId below = b.sub(x, spread(most)), sum = b.reduce(below, over, Reduction::sum);
  b.output(below, OutputKind::value);
  b.output(b.add(below, spread(sum)), OutputKind::value);
  b.output(b.mul(spread(most), y), OutputKind::value);
  b.output(sum, OutputKind::value);
  return std::move(b).finish();
}

/// Of up to five dims, most of them short, half of them reduced.
inline Program random_statistics(std::mt19937_64& random, DType dtype) {
  constexpr std::int64_t kExtents[] = {1, 2, 2, 3, 4, 5, 8, 12, 20, 70};
  std::vector<std::int64_t> dims, over;
  const std::size_t rank = 3 + random() % 3;
  std::int64_t elements = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    std::int64_t extent = kExtents[random() % std::size(kExtents)];
    if (elements * extent > 20000) extent = 2;
    dims.push_back(extent);
    elements *= extent;
    if (random() % 2 == 0) over.push_back(static_cast<std::int64_t>(d));
  }
  return statistics(dtype, dims, over);
}

}  // namespace rhino::test
