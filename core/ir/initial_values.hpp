// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "ir/reference.hpp"
#include "rhino/program.hpp"
#include "rhino/tile.hpp"

namespace rhino::ir {

/// Writes the elements of input number `input` that lie in `boxes` (a tile, see tile_boxes) into
/// `tile`, row-major tile order, in the dtype of its shape. A function of (seed, input, global
/// element index, step) alone: every device makes only its own part. `dims`: global extents. `step`
/// is the number of the step that begins with them.
void fill_initial(const Initializer& initializer, std::uint64_t seed, std::int32_t input,
                  const Shape& global, const std::vector<TileBox>& boxes, std::int64_t step,
                  void* tile);
/// The same where the memory of the tile has other extents than its boxes span (an uneven tile).
void fill_initial(const Initializer& initializer, std::uint64_t seed, std::int32_t input,
                  const Shape& global, const std::vector<TileBox>& boxes,
                  const std::vector<std::int64_t>& tile_extents, std::int64_t step, void* tile);

/// All inputs of `program` whole, as the reference evaluator takes them.
std::vector<Tensor> initial_tensors(const Program& program, std::uint64_t seed,
                                    std::int64_t step = 1);

}  // namespace rhino::ir
