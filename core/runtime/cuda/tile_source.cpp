// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/tile_source.hpp"

#include <algorithm>

namespace rhino::runtime::cuda {
namespace {

constexpr std::int64_t kThreadsPerSide = 16;
/// Sums that a thread holds are squares of these.
constexpr std::int64_t kSides[] = {8, 4, 1};
constexpr std::int64_t kMostOfWideSums = 4;  ///< 64 sums of 8 bytes are too many registers
/// So many tiles keep a GPU at work; fewer are cut smaller.
constexpr std::int64_t kEnoughTiles = 128;

std::int64_t pieces(std::int64_t extent, std::int64_t piece) {
  return (extent + piece - 1) / piece;
}

std::int64_t num_tiles(const TiledProduct& p, std::int64_t side) {
  const std::int64_t tile = side * kThreadsPerSide;
  return p.batches * pieces(p.m, tile) * pieces(p.n, tile);
}

std::int64_t side_of(const TiledProduct& p) {
  for (const std::int64_t side : kSides) {
    const bool fits = dtype_bytes(p.dtype) < 8 || side <= kMostOfWideSums;
    const std::int64_t tile = side * kThreadsPerSide;
    if (fits && std::min(p.m, p.n) >= tile && num_tiles(p, side) >= kEnoughTiles) return side;
  }
  return std::min(p.m, p.n) >= kThreadsPerSide * kMostOfWideSums ? kMostOfWideSums : 1;
}

std::string word(bool value) { return value ? "true" : "false"; }

}  // namespace

KernelText tile_kernel(const KernelWriter& writer, const TiledProduct& p, std::int64_t largest) {
  const auto text = [](std::int64_t value) { return std::to_string(value); };
  const std::int64_t side = side_of(p), tile = side * kThreadsPerSide;
  const std::int64_t rows = pieces(p.m, tile), columns = pieces(p.n, tile);
  const std::string sum = computed_type(p.dtype);
  std::string body = "const Index tile = blockIdx.x;\n";
  body += p.batches > 1 ? "const Index batch = tile / " + text(rows * columns) + ";\n" : "";
  body += "const Index row = tile / " + text(columns) + " % " + text(rows) + " * " + text(tile) +
          ", column = tile % " + text(columns) + " * " + text(tile) + ";\n" + p.setup;
  body += "tile_product<" + sum + ", " + text(side) + ", " + word(p.a_by_k) + ", " +
          word(p.b_by_n) + ", Index>(\n";
  body += "[&](Index m, Index k) -> " + sum + " {\n" + p.load_a + "},\n";
  body += "[&](Index k, Index n) -> " + sum + " {\n" + p.load_b + "},\n";
  body += "[&](Index m, Index n, " + sum + " sum) {\n" + p.store + "},\n";
  body += text(p.m) + ", " + text(p.n) + ", " + text(p.k) + ", row, column);\n";
  KernelText kernel = writer.finish(body, largest);
  kernel.threads = static_cast<int>(kThreadsPerSide * kThreadsPerSide);
  kernel.blocks = num_tiles(p, side);
  return kernel;
}

}  // namespace rhino::runtime::cuda
