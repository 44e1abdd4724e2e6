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

/// A group's product: its columns, and how B lies.
struct Group {
  unsigned columns = 0;
  bool turned = false, adds = true;
  WarpKind kind = WarpKind::kMultiplyF16;  ///< of elements
};
Group group_of(WarpKind kind) {
  constexpr std::array<unsigned, 8> kGroupColumns{16, 32, 64, 64, 128, 16, 32, 64};
  const int number = static_cast<int>(kind) - static_cast<int>(WarpKind::kGroupF16);
  const auto way = static_cast<std::size_t>(number % 8);
  return {kGroupColumns[way], way == 3 || way == 4, way < 5,
          number < 8 ? WarpKind::kMultiplyF16 : WarpKind::kMultiplyBf16};
}

/// Where element (k, column) of B lies. Bits 4 to 6 of an address are those of what is told, each
/// other than that three bits above.
std::uint32_t place_in_group(const Group& group, const std::uint32_t* in, unsigned k,
                             unsigned column) {
  const std::uint32_t* b = in + group.columns / 2 + 4;
  const std::uint32_t begin = (b[0] & 0x3fff) << 4, leading = (b[0] >> 16 & 0x3fff) << 4,
                      stride = (b[1] & 0x3fff) << 4;
  const std::uint32_t place =
      group.turned ? begin + column / 64 * leading + k / 8 * stride + k % 8 * 128 + column % 64 * 2
                   : begin + column / 8 * stride + column % 8 * 128 + k * 2;
  return place ^ (place >> 7 & 7) << 4;
}

}  // namespace

bool is_tile_load(WarpKind kind) { return kind >= WarpKind::kLoad1 && kind < WarpKind::kGroupF16; }
bool is_group_product(WarpKind kind) {
  return kind >= WarpKind::kGroupF16 && kind < WarpKind::kBehindGroups;
}
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

std::vector<std::uint32_t> group_rows(WarpKind kind, const LaneTiles& tiles, unsigned lane) {
  constexpr unsigned kUnit = 8;  // elements
  const Group group = group_of(kind);
  std::vector<std::uint32_t> rows;
  const unsigned wide = group.turned ? group.columns : kDepth;
  for (unsigned unit = lane; unit < kDepth * group.columns / kUnit; unit += Warp::kLanes) {
    const unsigned row = unit / (wide / kUnit), first = unit % (wide / kUnit) * kUnit;
    rows.push_back(group.turned ? place_in_group(group, tiles.in, row, first)
                                : place_in_group(group, tiles.in, first, row));
  }
  return rows;
}

void multiply_in_group(WarpKind kind, const WarpTiles& lanes, const char* shared) {
  constexpr unsigned kPerA = 8, kPerC = 4;
  const Group group = group_of(kind);
  float a[kRows][kDepth];
  for (unsigned lane = 0; lane < Warp::kLanes; ++lane) {
    for (unsigned i = 0; i < kPerA; ++i) {
      const Place at = place_in_a(lane, i);
      a[at.row][at.column] = element(group.kind, lanes[lane].in + group.columns / 2, i);
    }
  }
  for (unsigned tile = 0; tile < group.columns / kColumns; ++tile) {
    float b[kDepth][kColumns];
    for (unsigned k = 0; k < kDepth; ++k) {
      for (unsigned column = 0; column < kColumns; ++column) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, shared + place_in_group(group, lanes[0].in, k, kColumns * tile + column),
                    2);
        b[k][column] = element(group.kind, &bits, 0);
      }
    }
    for (unsigned lane = 0; lane < Warp::kLanes; ++lane) {
      for (unsigned i = 0; i < kPerC; ++i) {
        const Place at = place_in_c(lane, i);
        float sum = 0;
        if (group.adds) std::memcpy(&sum, lanes[lane].in + kPerC * tile + i, sizeof sum);
        for (unsigned k = 0; k < kDepth; ++k) sum += a[at.row][k] * b[k][at.column];
        std::memcpy(lanes[lane].out + kPerC * tile + i, &sum, sizeof sum);
      }
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
