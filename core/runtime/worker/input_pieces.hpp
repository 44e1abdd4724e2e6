// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "rhino/tile.hpp"

namespace rhino::runtime {

/// `box` in pieces along its first dim of more than one element, of at most `max_elements` where
/// that dim can be cut so finely: what takes minutes as a whole shows progress by pieces.
inline std::vector<TileBox> pieces_of(const TileBox& box, std::int64_t max_elements) {
  const std::vector<std::int64_t>& size = box.global.size;
  const auto dim = std::ranges::find_if(size, [](std::int64_t extent) { return extent > 1; });
  if (dim == size.end()) return {box};
  const auto d = static_cast<std::size_t>(dim - size.begin());
  std::int64_t row = 1;
  for (std::size_t inner = d + 1; inner < size.size(); ++inner) row *= size[inner];
  const std::int64_t rows =
      std::max<std::int64_t>(1, max_elements / std::max<std::int64_t>(1, row));
  std::vector<TileBox> pieces;
  for (std::int64_t first = 0; first < *dim; first += rows) {
    TileBox piece = box;
    piece.global.start[d] += first;
    piece.local.start[d] += first;
    piece.global.size[d] = piece.local.size[d] = std::min(rows, *dim - first);
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

}  // namespace rhino::runtime
