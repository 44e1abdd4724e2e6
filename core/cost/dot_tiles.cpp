// SPDX-License-Identifier: Apache-2.0
#include "cost/dot_tiles.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace rhino::cost {
namespace {

struct Tile {
  std::int64_t m, n;
};

/// Those that NVIDIA's guide names for cuBLAS (Matrix Multiplication Background, section 2.3).
constexpr std::array kTiles = {Tile{256, 128}, Tile{128, 256}, Tile{128, 128}, Tile{256, 64},
                               Tile{64, 256},  Tile{128, 64},  Tile{64, 128},  Tile{64, 64}};
/// Parts of k that are multiplied apart and added up, in f32; not shorter than kLeastPart.
constexpr std::array<std::int64_t, 6> kSplits = {1, 2, 4, 8, 16, 32};
constexpr std::int64_t kLeastPart = 256;

std::int64_t parts(std::int64_t extent, std::int64_t size) { return (extent + size - 1) / size; }

double sustained(const DeviceModel& device, DType dtype) {
  for (const DType used : {dtype, DType::f32}) {
    for (const auto* rates : {&device.sustained_flops, &device.peak_flops}) {
      const auto found = rates->find(used);
      if (found != rates->end()) return found->second;
    }
    if (!is_floating(dtype)) break;
  }
  return std::numeric_limits<double>::infinity();
}

/// Of one tile, k elements deep, on one multiprocessor: its arithmetic, or reading its operands.
double tile_s(const DeviceModel& device, DType dtype, const Tile& tile, std::int64_t k) {
  const auto units = static_cast<double>(device.num_multiprocessors);
  const auto m = static_cast<double>(tile.m), n = static_cast<double>(tile.n);
  const double arithmetic_s = 2 * m * n * units / sustained(device, dtype);
  const double bytes = (m + n) * static_cast<double>(dtype_bytes(dtype));
  const double read_s = device.cache_bytes_per_s > 0 ? bytes * units / device.cache_bytes_per_s : 0;
  return std::max(arithmetic_s, read_s) * static_cast<double>(k);
}

/// The last wave writes its tiles when nothing is left to multiply; partial sums of parts of k are
/// written, read, and added up before.
double result_s(const DeviceModel& device, DType dtype, const DotExtents& dot, std::int64_t split) {
  const double elements =
      static_cast<double>(dot.batch) * static_cast<double>(dot.m) * static_cast<double>(dot.n);
  double bytes = static_cast<double>(dtype_bytes(dtype));
  if (split > 1) bytes += 2 * static_cast<double>(split * dtype_bytes(DType::f32));
  return elements * bytes / stream_rate(device);
}

}  // namespace

double stream_rate(const DeviceModel& device) {
  return device.stream_bytes_per_s > 0 ? device.stream_bytes_per_s : device.memory_bytes_per_s;
}

double dot_arithmetic_s(const DeviceModel& device, DType dtype, const DotExtents& dot) {
  if (device.num_multiprocessors == 0) return dot.flops() / sustained(device, dtype);
  double least_s = std::numeric_limits<double>::infinity();
  for (const Tile& tile : kTiles) {
    for (const std::int64_t split : kSplits) {
      if (split > 1 && dot.k < split * kLeastPart) break;
      const std::int64_t tiles = dot.batch * parts(dot.m, tile.m) * parts(dot.n, tile.n) * split;
      const auto waves = static_cast<double>(parts(tiles, device.num_multiprocessors));
      least_s = std::min(least_s, waves * tile_s(device, dtype, tile, parts(dot.k, split)) +
                                      result_s(device, dtype, dot, split));
    }
  }
  return least_s;
}

}  // namespace rhino::cost
