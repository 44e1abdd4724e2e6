// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "rhino/cluster.hpp"
#include "rhino/sharding.hpp"

/// Geometry of tiles: which elements of a tensor a device holds. Plain integer arithmetic that
/// searchers, resharding plugins and the core share, so that all of them mean the same by a spec.
/// Specs are taken as given: axes exist on the mesh and periods nest (rhino/sharding.hpp), there is
/// no kMicroAxis, and Partial plays no part (the devices along such an axis hold tiles of one
/// shape).
namespace rhino {

/// A box of elements: `size[i]` of them from `start[i]` along dim i. That of a scalar has no dims.
///
///     {{2, 0}, {1, 3}}    of a [4, 3] tensor: its row 2
struct Box {
  std::vector<std::int64_t> start, size;
  bool operator==(const Box&) const = default;
};

/// 0 where the box is empty along some dim.
inline std::int64_t num_elements(const Box& box) { return num_elements(box.size); }

/// The common part of two boxes of one tensor; `size` holds a zero where there is none.
inline Box intersect(const Box& a, const Box& b) {
  Box common = a;
  for (std::size_t i = 0; i < a.start.size(); ++i) {
    common.start[i] = std::max(a.start[i], b.start[i]);
    common.size[i] = std::max<std::int64_t>(
        0, std::min(a.start[i] + a.size[i], b.start[i] + b.size[i]) - common.start[i]);
  }
  return common;
}

/// Position of the device at `rank` (index in mesh.devices) along every axis: row-major, so rank 5
/// of a 2 x 4 mesh is at {1, 1}.
inline std::vector<std::int64_t> coordinates(const Mesh& mesh, std::int64_t rank) {
  std::vector<std::int64_t> position(mesh.axes.size());
  for (std::size_t a = mesh.axes.size(); a-- > 0;) {
    position[a] = rank % mesh.axes[a].size;
    rank /= mesh.axes[a].size;
  }
  return position;
}

/// Half-open range of indices along one dim: [begin, end).
struct Interval {
  std::int64_t begin = 0, end = 0;
  bool operator==(const Interval&) const = default;
};

/// The ranges of a dim of `extent` elements that the device at `position` (see coordinates) holds,
/// in increasing order; adjacent ones are merged, empty ones left out. They lie one after the other
/// in its tile. Where parts do not divide they are rounded up: the last devices hold less, or
/// nothing. `kMicroAxis` splits must have been removed before.
///
///     extent 8 over an axis of 2 with period 4, position 0: [0, 2) and [4, 6)
///     extent 8 over an axis of 3 with period 8: [0, 3), [3, 6), [6, 8)
inline std::vector<Interval> held_intervals(const DimSharding& sharding, std::int64_t extent,
                                            const Mesh& mesh,
                                            const std::vector<std::int64_t>& position) {
  std::vector<Interval> held{{0, extent}};  // by the splits so far, major first
  for (const AxisSplit& split : sharding.splits) {
    const auto axis = static_cast<std::size_t>(split.axis);
    const std::int64_t part = (split.period + mesh.axes[axis].size - 1) / mesh.axes[axis].size;
    std::vector<Interval> finer;
    for (const Interval& range : held) {
      for (std::int64_t block = range.begin; block < range.end; block += split.period) {
        const std::int64_t begin = block + position[axis] * part;
        const std::int64_t end = std::min({begin + part, block + split.period, range.end});
        if (begin >= end) continue;
        if (!finer.empty() && finer.back().end == begin) finer.back().end = end;
        else finer.push_back({begin, end});
      }
    }
    held = std::move(finer);
  }
  return held;
}

/// A box of a tile twice: in the coordinates of the tensor and in those of the tile. Both have the
/// same size.
///
///     [8] over an axis of 2 with period 4, rank 1:
///     global {{2}, {2}} at local {{0}, {2}}, and global {{6}, {2}} at local {{2}, {2}}
struct TileBox {
  Box global, local;
  bool operator==(const TileBox&) const = default;
};

/// The tile of the device at `rank` of `mesh` as boxes, row-major over the ranges of each dim: one
/// box unless a dim is strided, none where the tile is empty. `dims` are those of the whole tensor.
inline std::vector<TileBox> tile_boxes(const std::vector<std::int64_t>& dims,
                                       const ShardingSpec& spec, const Mesh& mesh,
                                       std::int64_t rank) {
  const std::vector<std::int64_t> position = coordinates(mesh, rank);
  std::vector<TileBox> boxes{TileBox{}};
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const std::vector<Interval> held = held_intervals(spec.dims[d], dims[d], mesh, position);
    std::vector<TileBox> finer;
    for (const TileBox& box : boxes) {
      std::int64_t local = 0;
      for (const Interval& range : held) {
        TileBox next = box;
        next.global.start.push_back(range.begin);
        next.global.size.push_back(range.end - range.begin);
        next.local.start.push_back(local);
        next.local.size.push_back(range.end - range.begin);
        local += range.end - range.begin;
        finer.push_back(std::move(next));
      }
    }
    boxes = std::move(finer);
  }
  return boxes;
}

/// Extents of the memory of one device's tile: equal on all devices, rounded up where parts do not
/// divide (Programs allow only parts that do; see check_spec in core/sharding). Boxes' `local` are
/// places in a row-major array of these extents.
///
///     [10, 6], dim 0 over an axis of 4: [3, 6] everywhere; the last device uses one row of it
inline std::vector<std::int64_t> tile_dims(std::vector<std::int64_t> dims, const ShardingSpec& spec,
                                           const Mesh& mesh) {
  for (std::size_t d = 0; d < dims.size(); ++d) {
    for (const AxisSplit& split : spec.dims[d].splits) {
      const std::int64_t size = mesh.axes[static_cast<std::size_t>(split.axis)].size;
      dims[d] = (dims[d] + size - 1) / size;
    }
  }
  return dims;
}

}  // namespace rhino
