// SPDX-License-Identifier: Apache-2.0
#include "tiles.hpp"

#include <cstring>

#include "../common/numbers.hpp"

namespace fake {
namespace {

constexpr unsigned kRows = 16, kColumns = 8, kDepth = 16, kTileRows = 8;

struct Place {
  unsigned row, column;
};

/// Where element `i` of a lane's fragment of A lies, two of them in a register.
Place place_in_a(unsigned lane, unsigned i) {
  const unsigned group = lane >> 2, thread = lane % 4;
  const bool is_upper = i < 2 || (i >= 4 && i < 6);
  return {is_upper ? group : group + 8, i < 4 ? thread * 2 + (i & 1) : thread * 2 + (i & 1) + 8};
}
Place place_in_b(unsigned lane, unsigned i) {
  const unsigned group = lane >> 2, thread = lane % 4;
  return {i < 2 ? thread * 2 + (i & 1) : thread * 2 + (i & 1) + 8, group};
}
Place place_in_c(unsigned lane, unsigned i) {
  const unsigned group = lane >> 2, thread = lane % 4;
  return {i < 2 ? group : group + 8, thread * 2 + (i & 1)};
}

float from_f16(std::uint16_t bits) {
  _Float16 value;
  std::memcpy(&value, &bits, sizeof value);
  return static_cast<float>(value);
}

/// Half `i` of registers.
float element(WarpKind kind, const std::uint32_t* registers, unsigned i) {
  const auto bits = static_cast<std::uint16_t>(registers[i / 2] >> 16 * (i % 2));
  return kind == WarpKind::kMultiplyF16 ? from_f16(bits) : from_bf16(bits);
}

unsigned num_tiles(WarpKind kind) {
  switch (kind) {
    case WarpKind::kLoad1:
    case WarpKind::kLoad1Turned: return 1;
    case WarpKind::kLoad2:
    case WarpKind::kLoad2Turned: return 2;
    default: return 4;
  }
}

bool is_turned(WarpKind kind) {
  return kind == WarpKind::kLoad1Turned || kind == WarpKind::kLoad2Turned ||
         kind == WarpKind::kLoad4Turned;
}

}  // namespace

bool is_tile_load(WarpKind kind) { return kind >= WarpKind::kLoad1; }
unsigned num_tile_rows(WarpKind kind) { return kTileRows * num_tiles(kind); }

void multiply_tiles(WarpKind kind, const WarpTiles& lanes) {
  constexpr unsigned kPerA = 8, kPerB = 4, kPerC = 4, kRegistersOfA = 4, kRegistersOfB = 2;
  float a[kRows][kDepth], b[kDepth][kColumns];
  for (unsigned lane = 0; lane < Warp::kLanes; ++lane) {
    for (unsigned i = 0; i < kPerA; ++i) {
      const Place at = place_in_a(lane, i);
      a[at.row][at.column] = element(kind, lanes[lane].in, i);
    }
    for (unsigned i = 0; i < kPerB; ++i) {
      const Place at = place_in_b(lane, i);
      b[at.row][at.column] = element(kind, lanes[lane].in + kRegistersOfA, i);
    }
  }
  for (unsigned lane = 0; lane < Warp::kLanes; ++lane) {
    for (unsigned i = 0; i < kPerC; ++i) {
      const Place at = place_in_c(lane, i);
      float sum;
      std::memcpy(&sum, lanes[lane].in + kRegistersOfA + kRegistersOfB + i, sizeof sum);
      for (unsigned k = 0; k < kDepth; ++k) sum += a[at.row][k] * b[k][at.column];
      std::memcpy(lanes[lane].out + i, &sum, sizeof sum);
    }
  }
}

void load_tiles(WarpKind kind, const WarpTiles& lanes, const char* shared) {
  for (unsigned tile = 0; tile < num_tiles(kind); ++tile) {
    std::uint16_t elements[kTileRows][kTileRows];
    for (unsigned row = 0; row < kTileRows; ++row)
      std::memcpy(elements[row], shared + lanes[kTileRows * tile + row].in[0], kTileRowBytes);
    for (unsigned lane = 0; lane < Warp::kLanes; ++lane) {
      const unsigned major = lane / 4, minor = lane % 4 * 2;
      const std::uint32_t low = is_turned(kind) ? elements[minor][major] : elements[major][minor],
                          high = is_turned(kind) ? elements[minor + 1][major]
                                                 : elements[major][minor + 1];
      lanes[lane].out[tile] = low | high << 16;
    }
  }
}

}  // namespace fake
