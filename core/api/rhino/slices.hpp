// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>

#include "rhino/tile.hpp"
#include "rhino/transfer.hpp"

/// The slices of a resharding: the coarsest parts of a tensor such that all elements of one are on
/// the same devices, at the source and at every target. Computed dim by dim, so that a tensor cut
/// into thousands of stripes costs no more than its distinct slices. Unlike AlpaComm's unit tasks
/// (plugins/common/unit_tasks.hpp), which are boxes, a slice may consist of many: bounds and
/// algorithms that only count bytes want few slices, those that send boxes want unit tasks.
///
/// Sides: 0 is the source, 1 the first target, 2 the next, ...
namespace rhino {

/// Who holds the tiles of a tensor on one mesh. A tile is known by the parts it takes of the dims,
/// row-major: of num_parts {2, 4} the tile at (1, 3) is number 7. Where axes are replicated, a tile
/// has several holders.
struct TileHolders {
  std::vector<std::int64_t> num_parts;         ///< per dim
  std::vector<std::vector<DeviceId>> devices;  ///< per tile, in mesh order
};

/// Ranges of one dim that belong to the same part on every side.
///
/// [8], halves at the source, period 4 over 2 at the target: four of them, [0, 2) with parts {0,
/// 0}, [2, 4) with {0, 1}, [4, 6) with {1, 0}, [6, 8) with {1, 1}.
struct DimSlice {
  std::vector<std::int64_t> part;  ///< per side
  std::vector<Interval> ranges;    ///< in increasing order
  std::int64_t length = 0;         ///< of all ranges
};

/// All slices of one tensor, as a product: one choice of a DimSlice per dim is a slice. A dim of
/// extent 0 has no choice, and the tensor no slice; a scalar is one.
struct Slicing {
  std::vector<TileHolders> sides;           ///< the source, then the targets
  std::vector<std::vector<DimSlice>> dims;  ///< per dim; a slice is one choice for each
};

namespace detail {

/// All tiles of one side; those that the uneven end of a dim leaves empty have holders, too.
inline TileHolders tile_holders(const std::vector<std::int64_t>& dims, const ShardingSpec& spec,
                                const Mesh& mesh) {
  TileHolders side;
  std::int64_t num_tiles = 1;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    side.num_parts.push_back(1);
    for (const AxisSplit& split : spec.dims[d].splits)
      side.num_parts[d] *= mesh.axes[static_cast<std::size_t>(split.axis)].size;
    num_tiles *= side.num_parts[d];
  }
  side.devices.resize(static_cast<std::size_t>(num_tiles));
  for (std::size_t rank = 0; rank < mesh.devices.size(); ++rank) {
    const auto position = coordinates(mesh, static_cast<std::int64_t>(rank));
    std::int64_t tile = 0;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      for (const AxisSplit& split : spec.dims[d].splits) {
        const auto axis = static_cast<std::size_t>(split.axis);
        tile = tile * mesh.axes[axis].size + position[axis];
      }
    }
    side.devices[static_cast<std::size_t>(tile)].push_back(mesh.devices[rank]);
  }
  return side;
}

/// Where a dim passes from one part of one side to another: begin → (side, part).
using PartChanges = std::multimap<std::int64_t, std::pair<std::size_t, std::int64_t>>;

/// Notes the begin of every range of every part of one side.
inline void add_changes(const DimSharding& sharding, std::int64_t extent, const Mesh& mesh,
                        std::size_t side, PartChanges& changes) {
  std::int64_t num_parts = 1;
  for (const AxisSplit& split : sharding.splits)
    num_parts *= mesh.axes[static_cast<std::size_t>(split.axis)].size;
  std::vector<std::int64_t> position(mesh.axes.size(), 0);
  for (std::int64_t part = 0; part < num_parts; ++part) {
    std::int64_t rest = part;
    for (std::size_t s = sharding.splits.size(); s-- > 0;) {
      const auto axis = static_cast<std::size_t>(sharding.splits[s].axis);
      position[axis] = rest % mesh.axes[axis].size;
      rest /= mesh.axes[axis].size;
    }
    for (const Interval& range : held_intervals(sharding, extent, mesh, position))
      changes.emplace(range.begin, std::pair(side, part));
  }
}

/// Walks the changes in order; ranges with the same parts on all sides are gathered in one slice.
inline std::vector<DimSlice> dim_slices(const PartChanges& changes, std::int64_t extent,
                                        std::size_t num_sides) {
  std::vector<DimSlice> slices;
  if (extent == 0) return slices;
  std::map<std::vector<std::int64_t>, std::size_t> index;
  std::vector<std::int64_t> part(num_sides, 0);
  for (auto change = changes.begin(); change != changes.end();) {
    const std::int64_t begin = change->first;
    for (; change != changes.end() && change->first == begin; ++change)
      part[change->second.first] = change->second.second;
    const std::int64_t end = change == changes.end() ? extent : change->first;
    const auto [found, is_new] = index.try_emplace(part, slices.size());
    if (is_new) slices.push_back({part, {}, 0});
    DimSlice& slice = slices[found->second];
    if (!slice.ranges.empty() && slice.ranges.back().end == begin) slice.ranges.back().end = end;
    else slice.ranges.push_back({begin, end});
    slice.length += end - begin;
  }
  return slices;
}

}  // namespace detail

/// Takes time for the ranges of each dim and the tiles of each side, not for every slice.
inline Slicing slicing(const ReshardTensor& tensor) {
  const std::vector<std::int64_t>& dims = tensor.shape.dims;
  Slicing all;
  std::vector<detail::PartChanges> changes(dims.size());
  const auto add = [&](const ShardingSpec& spec, const Mesh& mesh) {
    for (std::size_t d = 0; d < dims.size(); ++d)
      detail::add_changes(spec.dims[d], dims[d], mesh, all.sides.size(), changes[d]);
    all.sides.push_back(detail::tile_holders(dims, spec, mesh));
  };
  add(tensor.source_spec, tensor.source_mesh);
  for (const ReshardTarget& target : tensor.targets) add(target.spec, target.mesh);
  for (std::size_t d = 0; d < dims.size(); ++d)
    all.dims.push_back(detail::dim_slices(changes[d], dims[d], all.sides.size()));
  return all;
}

/// One slice of a Slicing. The vectors belong to the walk and change with it: copy what is to stay.
struct Slice {
  std::int64_t num_elements = 0;
  std::vector<std::size_t> tile;        ///< per side: into TileHolders::devices
  std::vector<const DimSlice*> ranges;  ///< per dim: the slice is their product

  /// Who holds it (side 0) or needs it (a target), in mesh order.
  const std::vector<DeviceId>& devices(const Slicing& of, std::size_t side) const {
    return of.sides[side].devices[tile[side]];
  }
};

/// Calls visit(slice) for every slice, row-major: the last dim's choice varies fastest. Slices are
/// disjoint and together the whole tensor.
template <class Visit>
void for_each_slice(const Slicing& of, Visit&& visit) {
  std::vector<std::size_t> choice(of.dims.size(), 0);
  for (const auto& dim : of.dims) {
    if (dim.empty()) return;
  }
  Slice slice{0, std::vector<std::size_t>(of.sides.size()),
              std::vector<const DimSlice*>(of.dims.size())};
  while (true) {
    slice.num_elements = 1;
    std::fill(slice.tile.begin(), slice.tile.end(), 0);
    for (std::size_t d = 0; d < choice.size(); ++d) {
      const DimSlice& dim = of.dims[d][choice[d]];
      slice.ranges[d] = &dim;
      slice.num_elements *= dim.length;
      for (std::size_t s = 0; s < slice.tile.size(); ++s)
        slice.tile[s] = slice.tile[s] * static_cast<std::size_t>(of.sides[s].num_parts[d]) +
                        static_cast<std::size_t>(dim.part[s]);
    }
    visit(std::as_const(slice));
    std::size_t d = choice.size();
    while (d > 0 && ++choice[d - 1] == of.dims[d - 1].size()) choice[--d] = 0;
    if (d == 0) return;
  }
}

}  // namespace rhino
