// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lower/lower.hpp"
#include "rhino/program.hpp"

/// The algebra of strided windows. Strides and offsets count elements.
namespace rhino::lower {

using Dims = std::vector<std::int64_t>;

/// Strides of a dense row-major tensor.
Dims dense_strides(const Dims& dims);
View dense_view(ValueId base, const Dims& dims);

/// Whether elements of `dims` at `strides` lie one after the other in row-major order; dims of
/// extent 1 have any stride.
bool has_dense_strides(const Dims& dims, const Dims& strides);
/// Whether `view` shows a whole base of as many elements in row-major order.
bool is_dense(const View& view, const Dims& dims);

/// Strides of the same elements under dims `to`; nullopt where no strides can say it.
std::optional<Dims> reshaped_strides(const Dims& from, const Dims& strides, const Dims& to);

/// The result of a broadcast, reshape, transpose, slice or reverse as a window of what its operand
/// is a window of; nullopt for other ops and where strides cannot say it.
std::optional<View> view_of(const Op& op, const Dims& operand_dims, const View& operand);

/// One dim of a loop over strided memory.
struct StridedDim {
  std::int64_t extent = 1, stride = 0;
  bool operator==(const StridedDim&) const = default;
};
/// Fewest dims, major first, that visit the same elements in the same order; extents of 1 vanish.
std::vector<StridedDim> collapsed(const Dims& dims, const Dims& strides);

}  // namespace rhino::lower
