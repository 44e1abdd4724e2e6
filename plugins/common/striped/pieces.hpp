// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "common/striped/exchange.hpp"

/// What parcels are cut into.
namespace rhino::common::striped {

/// What a message goes in: its row-major whole in runs of at most 1 MiB, of which each
/// `per_round`th is of `last_bytes`, or in as many equal ones as are looked at.
struct Portions {
  std::int64_t bytes = 0, full_bytes = 0, last_bytes = 0;
  std::int32_t count = 1, per_round = 1;
  double size(std::int32_t index) const {
    if (full_bytes == 0) return static_cast<double>(bytes) / count;
    return static_cast<double>((index + 1) % per_round == 0 ? last_bytes : full_bytes);
  }
};

/// Of a box of extents `size` with `bytes` in all.
inline Portions portions_of(const std::vector<std::int64_t>& size, std::int64_t bytes) {
  constexpr std::int64_t kMostBytes = 1 << 20, kMostCount = 32;
  std::int64_t row = bytes, rounds = 1;
  std::size_t dim = 0;
  for (; row > kMostBytes && dim < size.size(); ++dim) {
    row /= size[dim];
    if (row > kMostBytes && dim + 1 < size.size()) rounds *= size[dim];
  }
  if (dim == 0) return {bytes, bytes, bytes, 1, 1};
  const std::int64_t rows = std::max<std::int64_t>(1, kMostBytes / row), extent = size[dim - 1];
  const std::int64_t per_round = (extent + rows - 1) / rows;
  if (rounds * per_round > kMostCount) return {bytes, 0, 0, kMostCount, 1};
  return {bytes, rows * row, (extent - (per_round - 1) * rows) * row,
          static_cast<std::int32_t>(rounds * per_round), static_cast<std::int32_t>(per_round)};
}

/// One of the parts that a parcel is cut into.
struct Piece {
  std::int32_t parcel = 0;
  std::int64_t part = 0, num_parts = 1;
  Box box;
  Portions portions;
};

/// Into how many ranges each dim is cut for parts of about `bytes`: outer dims first, so that parts
/// lie in one piece in memory where the parcel does.
inline std::vector<std::int64_t> cuts(const Parcel& parcel, std::int64_t bytes) {
  std::vector<std::int64_t> counts;
  std::int64_t left = std::max<std::int64_t>(1, (parcel.bytes + bytes / 2) / bytes);
  for (const std::int64_t extent : parcel.box.size) {
    const std::int64_t length = std::max<std::int64_t>(1, extent / left);
    counts.push_back((extent + length - 1) / length);
    left = (left + counts.back() - 1) / counts.back();
  }
  return counts;
}

/// Where range `k` of `count` begins in an extent. The first and the last are half as long as the
/// others: messages that begin together then do not end together, which would leave links idle for
/// a latency each time, and the end comes in small steps.
inline std::int64_t range_begin(std::int64_t extent, std::int64_t k, std::int64_t count) {
  if (k == 0 || k == count || extent < 4 * count) return extent * k / count;
  return extent * (2 * k - 1) / (2 * count - 2);
}

/// Adds the parts of parcel `index`, of about `bytes` each.
inline void cut(const std::vector<Parcel>& parcels, std::int32_t index, std::int64_t bytes,
                std::vector<Piece>& pieces) {
  const Parcel& parcel = parcels[at(index)];
  const std::vector<std::int64_t> counts = cuts(parcel, bytes);
  const std::int64_t num_parts =
      std::accumulate(counts.begin(), counts.end(), std::int64_t{1}, std::multiplies<>());
  const std::int64_t element_bytes = parcel.bytes / num_elements(parcel.box);
  for (std::int64_t part = 0; part < num_parts; ++part) {
    Piece& piece = pieces.emplace_back(Piece{index, part, num_parts, parcel.box, {}});
    std::int64_t rest = part;
    for (std::size_t d = counts.size(); d-- > 0; rest /= counts[d]) {
      const std::int64_t k = rest % counts[d], extent = parcel.box.size[d];
      const std::int64_t begin = range_begin(extent, k, counts[d]);
      piece.box.start[d] += begin;
      piece.box.size[d] = range_begin(extent, k + 1, counts[d]) - begin;
    }
    piece.portions = portions_of(piece.box.size, element_bytes * num_elements(piece.box));
  }
}

/// Bytes of all that the same devices hold and the same others lack.
using SliceBytes = std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t>;
inline SliceBytes slice_bytes(const std::vector<Parcel>& parcels) {
  SliceBytes bytes;
  for (const Parcel& parcel : parcels) bytes[{parcel.holders, parcel.takers}] += parcel.bytes;
  return bytes;
}

/// Pieces that take the same way, of parcels with the same holders and takers: first to before
/// last.
struct Bundle {
  std::int32_t parcel = 0;  ///< one of theirs
  std::size_t first = 0, last = 0;
  std::int64_t bytes = 0;
};

/// What is the same to all devices in bundles: large boxes are cut, small ones put together. Those
/// of the same devices follow each other.
struct Cargo {
  std::vector<Piece> pieces;
  std::vector<Bundle> bundles;
};
/// `size_of(parcel)`: about how many bytes a bundle has, equal for all parcels of the same devices.
template <class SizeOf>
Cargo pack(const std::vector<Parcel>& parcels, SizeOf&& size_of) {
  std::vector<std::int32_t> order(parcels.size());
  std::iota(order.begin(), order.end(), 0);
  const auto devices = [&](std::int32_t p) {
    return std::pair(parcels[at(p)].holders, parcels[at(p)].takers);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t a, std::int32_t b) { return devices(a) < devices(b); });
  Cargo cargo;
  for (const std::int32_t parcel : order) {
    const std::int64_t size = size_of(parcels[at(parcel)]);
    std::size_t p = cargo.pieces.size();
    cut(parcels, parcel, size, cargo.pieces);
    for (; p < cargo.pieces.size(); ++p) {
      const std::int64_t bytes = cargo.pieces[p].portions.bytes;
      if (cargo.bundles.empty() || devices(cargo.bundles.back().parcel) != devices(parcel) ||
          cargo.bundles.back().bytes + bytes / 2 >= size)
        cargo.bundles.push_back({parcel, p, p, 0});
      ++cargo.bundles.back().last;
      cargo.bundles.back().bytes += bytes;
    }
  }
  return cargo;
}

}  // namespace rhino::common::striped
