// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rhino::runtime::cuda {

/// What units with attention have behind kPrelude: products of tiles, by tensor cores where the
/// architecture has those for 16 bits; every thread holds the same elements of a tile whichever way
/// it was multiplied.
extern const char* const kAttentionTiles;

/// And behind that: loops over the scores of a block of rows or columns. A block of 4 warps has 64
/// of them and meets 32 others at a time.
extern const char* const kAttentionPrelude;

}  // namespace rhino::runtime::cuda
