// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "rhino/cluster.hpp"
#include "rhino/shape.hpp"
#include "rhino/sharding.hpp"
#include "sharding/halo.hpp"

namespace rhino::sharding {

/// A value as a micro-batch sees it: the micro axis taken out of its spec.
struct MicroView {
  Shape shape;                    ///< at micro-batch size where the micro axis cuts a dim
  ShardingSpec spec;              ///< of `shape`, over mesh axes only
  bool marked = false;            ///< the micro axis occurs in the spec
  std::int32_t micro_dim = -1;    ///< the dim that the micro axis cuts; -1: none
  std::int64_t micro_period = 0;  ///< its AxisSplit::period
  bool accumulates = false;       ///< micro-batches hold terms of a sum
  std::vector<Halo> halos = {};   ///< of what an op needs: beside the tile
  bool operator==(const MicroView&) const = default;

  bool cut_like(const MicroView& other) const {
    return micro_dim == other.micro_dim && micro_period == other.micro_period;
  }
};

/// `shape` under `spec` at one of `num_micro_batches`. Throws Error where micro-batches hold terms
/// of anything but a sum.
MicroView micro_view(const Shape& shape, const ShardingSpec& spec, std::int64_t num_micro_batches);

/// Extents of what a device holds: its tile and its halos.
std::vector<std::int64_t> held_dims(const MicroView& view, const Mesh& mesh);

/// The spec that `view` was made from, kMicroAxis included.
ShardingSpec whole_spec(const MicroView& view, std::int64_t num_micro_batches);

/// The same without partial axes (replicated there).
ShardingSpec without_partial(ShardingSpec spec);

}  // namespace rhino::sharding
