// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "rhino/tile.hpp"

namespace rhino::common {

/// Cuts every box of the list into `count` parts along `dim`, which has room for them: as even as
/// whole elements allow, one after the other.
inline std::vector<Box> cut_along(const std::vector<Box>& boxes, std::size_t dim,
                                  std::int64_t count) {
  std::vector<Box> parts;
  for (const Box& box : boxes) {
    for (std::int64_t i = 0; i < count; ++i) {
      Box part = box;
      const std::int64_t begin = box.size[dim] * i / count;
      part.start[dim] += begin;
      part.size[dim] = box.size[dim] * (i + 1) / count - begin;
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

/// `box` in exactly `count` parts, no more than it has elements. `dims` says along which dims, the
/// best first: along the first one that is long enough, else row by row along the first and each
/// row further.
inline std::vector<Box> cut_into(const Box& box, std::int64_t count,
                                 const std::vector<std::size_t>& dims) {
  if (count == 1) return {box};
  for (const std::size_t dim : dims) {
    if (box.size[dim] >= count) return cut_along({box}, dim, count);
  }
  const std::vector<Box> rows = cut_along({box}, dims.front(), box.size[dims.front()]);
  const std::vector<std::size_t> other_dims(dims.begin() + 1, dims.end());
  const auto num_rows = static_cast<std::int64_t>(rows.size());
  std::vector<Box> parts;
  for (std::int64_t i = 0; i < num_rows; ++i) {
    const std::int64_t share = count * (i + 1) / num_rows - count * i / num_rows;
    for (Box& part : cut_into(rows[static_cast<std::size_t>(i)], share, other_dims))
      parts.push_back(std::move(part));
  }
  return parts;
}

/// Equal parts, one per replica if the extents allow: each dim in order is cut by what it has in
/// common with the number that is left (Alpa's rewrite of a replicated spec). The number of parts
/// divides `num_replicas`.
inline std::vector<Box> cut_evenly(const Box& box, std::int64_t num_replicas) {
  std::vector<Box> parts{box};
  for (std::size_t dim = 0; dim < box.size.size(); ++dim) {
    const std::int64_t count = std::gcd(num_replicas, box.size[dim]);
    parts = cut_along(parts, dim, count);
    num_replicas /= count;
  }
  return parts;
}

}  // namespace rhino::common
