// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "rhino/program.hpp"
#include "rhino/tile.hpp"

namespace rhino {

/// Writes the elements of input number `input` that lie in `boxes` (a tile, see tile_boxes) into
/// `tile`, row-major tile order, in the dtype of its shape. A function of (seed, input, global
/// element index, step) alone: every device makes only its own part. `dims`: global extents. `step`
/// is the value of Initializer::Kind::step.
void fill_initial(const Initializer& initializer, std::uint64_t seed, std::int32_t input,
                  const Shape& global, const std::vector<TileBox>& boxes, std::int64_t step,
                  void* tile);

}  // namespace rhino
