// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ir/op_info.hpp"
#include "rhino/error.hpp"
#include "rhino/program.hpp"

/// What shape inference of an op works on.
namespace rhino::ir {

using Dims = std::vector<std::int64_t>;

/// An op with the shapes of its operands.
struct Site {
  const Op& op;
  std::span<const Shape* const> operands;
  std::int64_t group_size = 0;

  const Shape& operand(std::size_t i) const { return *operands[i]; }
  std::int64_t rank(std::size_t i) const {
    return static_cast<std::int64_t>(operands[i]->dims.size());
  }

  /// Throws Error `dot 'h0.up' (f32[4,8], f32[4,2]): <sentence>`.
  [[noreturn]] void fail(const std::string& sentence) const;
  void require(bool condition, const char* sentence) const {
    if (!condition) fail(sentence);
  }
  void require_operands(std::size_t count) const;
  /// Dims of a tensor of `rank`: in range and no dim twice. `what` names them.
  void require_dims(const Dims& dims, std::int64_t rank, const char* what) const;
  void require_length(const Dims& entries, std::int64_t rank, const char* what) const;
  /// An entry per extent, which it may multiply or be added to without more than a tensor can have.
  void require_amounts(const Dims& entries, const Dims& extents, const char* what) const;

  template <typename T>
  const T& attributes() const {
    const T* held = op.attributes.get_if<T>();
    if (!held) fail("the attributes of this op are missing or another op's");
    return *held;
  }
};

Dims joined(Dims a, const Dims& b);
bool is_integer(DType dtype);  ///< pred is none
/// Whether values of `dtype` can be reduced by `reduction`: sums and products of numbers, `and` and
/// `or` of integers and pred.
void require_reducible(const Site& site, Reduction reduction, DType dtype);
/// Extent that a window of `size` with `stride` has over `extent` elements: 0 if it does not fit.
std::int64_t window_extent(std::int64_t extent, std::int64_t size, std::int64_t stride);

}  // namespace rhino::ir
