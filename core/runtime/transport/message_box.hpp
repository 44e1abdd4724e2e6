// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rhino/tile.hpp"
#include "runtime/box_copy.hpp"

namespace rhino::runtime {

/// Where a box begins in a row-major array of extents `dims`, in bytes.
std::int64_t box_offset(const std::vector<std::int64_t>& dims, const Box& box,
                        std::int64_t element_bytes);
/// Whether the elements of a box of this size lie one after the other in an array of extents
/// `dims`.
bool is_contiguous(const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& size);

/// Copies boxes of extents `size` from an array of extents `source_dims` into one of `target_dims`.
/// A packed box is an array whose dims are `size`.
BoxCopy make_box_copy(const std::vector<std::int64_t>& size,
                      const std::vector<std::int64_t>& source_dims,
                      const std::vector<std::int64_t>& target_dims, std::int64_t element_bytes);

}  // namespace rhino::runtime
