// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "rhino/program.hpp"

namespace rhino::runtime {

/// A block of up to rows x columns elements to be computed. Elements of a row are adjacent; pitches
/// count elements from row to row.
struct BlockArgs {
  std::byte* to = nullptr;
  const std::byte* from[3] = {};
  std::int64_t to_pitch = 0;
  std::int64_t pitch[3] = {};
  std::int64_t rows = 1, columns = 1;
};

/// Computes a block. `to` may be one of `from`, or disjoint from them.
using BlockFunction = void (*)(const BlockArgs&);

/// One elementwise op on operands of type `dtype` (the last operand's: that of select's values);
/// none of 16 bits, whose values are computed as f32.
/// Bit i of `single` set: operand i has one element per row. nullptr where there is none for these
/// types.
BlockFunction elementwise_function(const Op& op, DType dtype, unsigned single);
/// to = from, of any floating-point type or one type alike, also where `from` has one element per
/// row.
BlockFunction convert_function(DType to, DType from, unsigned single);
/// f32 to f32: the nearest value of the 16-bit type `dtype`.
BlockFunction round_function(DType dtype, unsigned single);
/// to[row] = reduction of from[row, :]. `to` has one element per row.
BlockFunction fold_function(Reduction reduction, DType dtype);
/// to[column] = to[column] combined with all of from[:, column].
BlockFunction accumulate_function(Reduction reduction, DType dtype);

}  // namespace rhino::runtime
