// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "warp.hpp"

/// What the lanes of a warp do with tiles of 16-bit elements together, with fragments as the PTX
/// ISA lays them out (9.7.14, "Matrix fragments for mma.m16n8k16" and "ldmatrix").
namespace fake {

/// A lane's registers. Products: four of A, two of B, four of C as bits; four of D come out. Loads:
/// where a row of 16 bytes lies; what comes out has up to four.
struct LaneTiles {
  const std::uint32_t* in = nullptr;
  std::uint32_t* out = nullptr;
};
using WarpTiles = std::array<LaneTiles, Warp::kLanes>;

bool is_tile_load(WarpKind kind);
/// D += A B of 64 rows, 16 of them a warp's: sums, four of A, B's description in two words
/// (9.7.15, "Asynchronous warpgroup level matrix instructions": swizzled by 128 bytes, both ways).
bool is_group_product(WarpKind kind);
/// What addresses reach that a description has bits for.
inline constexpr std::int64_t kMostDescribed = 1 << 18;
/// Where B's pieces of 16 bytes lie that lane `lane` looks at: all of them are read by all.
std::vector<std::uint32_t> group_rows(WarpKind kind, const LaneTiles& tiles, unsigned lane);
void multiply_in_group(WarpKind kind, const WarpTiles& lanes, const char* shared);
/// Rows that a load reads: of so many lanes the addresses count.
unsigned num_tile_rows(WarpKind kind);
inline constexpr unsigned kTileRowBytes = 16;

/// D = A B + C: 16 x 16 by 16 x 8.
void multiply_tiles(WarpKind kind, const WarpTiles& lanes);
/// `shared`: what addresses count from.
void load_tiles(WarpKind kind, const WarpTiles& lanes, const char* shared);

}  // namespace fake
