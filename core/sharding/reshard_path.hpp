// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rhino/cluster.hpp"
#include "rhino/sharding.hpp"

namespace rhino::sharding {

/// What one mesh axis does to a tensor.
struct Placement {
  enum class Kind : std::uint8_t { replicated, split, partial } kind = Kind::replicated;
  std::int32_t dim = 0;                  ///< split: the tensor dim
  std::int64_t period = 0;               ///< split: AxisSplit::period
  Reduction reduction = Reduction::sum;  ///< partial
  bool operator==(const Placement&) const = default;
};

/// A ShardingSpec turned round: the placement of every mesh axis. Axes of size 1 count as
/// replicated, so equal layouts hold equal tiles.
using Layout = std::vector<Placement>;

Layout layout_of(const ShardingSpec& spec, const Mesh& mesh);

/// Extents of a tile.
std::vector<std::int64_t> tile_dims(std::vector<std::int64_t> dims, const Layout& layout,
                                    const Mesh& mesh);

/// One split of a dim: `axis` cuts blocks of `period`.
struct Digit {
  std::int32_t axis = 0;
  std::int64_t period = 0, parts = 1;
};

/// The splits of dim `dim` in `layout`, major to minor. Every digit is a dim of its own once the
/// tensor is reshaped, as periods nest.
std::vector<Digit> digits_of(const Layout& layout, std::int32_t dim, const Mesh& mesh);

/// Whether the digits (sorted here, major to minor) are dims of one reshape of a dim of `extent`
/// elements: each period divides the part of the digit before.
bool nest(std::vector<Digit>& digits, std::int64_t extent);

/// One step of a resharding: the named axes change their placements together.
struct Move {
  enum class Kind : std::uint8_t {
    // local
    slice,   ///< replicated → split
    mask,    ///< replicated → partial
    spread,  ///< split → partial
    // collective
    all_reduce,      ///< partial → replicated
    reduce_scatter,  ///< partial → split
    all_gather,      ///< split → replicated
    all_to_all,      ///< split → split
  } kind = Kind::slice;
  std::vector<std::int32_t> axes;  ///< increasing
  Layout after;
};

/// The moves from `from` to `to` that bring the fewest bytes to a device (the bandwidth terms of
/// ring algorithms), and among those the fewest moves: a shortest path where every axis goes to its
/// goal at once or by way of replicated. `dims` are global extents. Both layouts must fit the
/// tensor (check_spec).
std::vector<Move> reshard_path(const std::vector<std::int64_t>& dims, const Layout& from,
                               const Layout& to, const Mesh& mesh);

/// Elements that each device receives on that path.
double reshard_elements(const std::vector<std::int64_t>& dims, const Layout& from, const Layout& to,
                        const Mesh& mesh);

}  // namespace rhino::sharding
