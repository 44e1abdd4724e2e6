// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ir/builder.hpp"
#include "rhino/cluster.hpp"
#include "rhino/program.hpp"
#include "rhino/sharding.hpp"

namespace rhino::sharding {

struct OpRule;
struct OpSharding;

/// Elements of the neighbours' tiles that lie beside a device's own in front of an op that reads
/// them: along `dim`, which `axis` alone cuts into blocks, the last `before` of the device before
/// and the first `behind` of the one behind. At both ends of the axis they are the neutral element
/// of `fill`: padding.
struct Halo {
  std::int32_t dim = 0;
  AxisId axis = 0;
  std::int64_t before = 0, behind = 0;
  Reduction fill = Reduction::sum;
  bool operator==(const Halo&) const = default;
};

/// What an op that is cut so reads of its operand `i` beside the tile; `parts` as axis_parts()
/// gives them.
std::vector<Halo> operand_halos(const OpRule& rule, const OpSharding& sharding, std::size_t i,
                                const std::vector<std::int64_t>& parts);

/// Extents of a tile of `dims` with its halos, which belong one to the other's: that along a later
/// dim takes in those before it.
std::vector<std::int64_t> with_halos(std::vector<std::int64_t> dims,
                                     const std::vector<Halo>& halos);

/// What both neighbours send of a tile of `dims` for a halo, entries along its dim in front: the
/// operand of the exchange.
std::vector<std::int64_t> exchanged_dims(std::vector<std::int64_t> dims, const Halo& halo);

/// Appends the exchange and returns the tile with its halo.
ValueId append_halo(ir::Builder& builder, ValueId tile, const Halo& halo, const Mesh& mesh);

}  // namespace rhino::sharding
