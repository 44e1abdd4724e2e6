// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cost/dot_tiles.hpp"
#include "lower/lower.hpp"

namespace rhino::cost {

/// A dot as the matrix products that a device makes of it: where operands or results lie by heads,
/// say, as one per head. A result that lies by columns counts as its transpose, which is a product
/// of rows.
struct DotProducts {
  DotExtents extents;            ///< `batch` products
  bool has_lhs_columns = false;  ///< neighbours of the left operand lie along m
  bool has_rhs_rows = false;     ///< those of the right one lie along k
};

/// All of it at once, however it lies.
DotExtents dot_extents(const Program& program, const Op& dot);
/// As views of the program say that it lies.
DotProducts dot_products(const lower::LoweredProgram& lowered, ValueId dot);

/// A convolution as the product of patches of its input and of its kernel; `batch` is its groups.
DotExtents patch_extents(const Program& program, ValueId convolution);

}  // namespace rhino::cost
