// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "ir/op_traits.hpp"
#include "ir/reference.hpp"
#include "ir/strided.hpp"
#include "rhino/index.hpp"

/// What the reference evaluations of ops share.
namespace rhino::ir {

using Dims = std::vector<std::int64_t>;

/// Results of all members of one group, in the order of their ranks, from their operands.
std::vector<Tensor> collective(const Op& op, const Operands& operands);

/// A tensor of `shape` with every element `value`.
Tensor filled(const Shape& shape, double value = 0);

/// Elements of `a` from `offset` on with `strides` per dim of `shape`.
Tensor pick_elements(const Tensor& a, const Shape& shape, std::int64_t offset, const Dims& strides);

/// Writes the box of `size` elements that lies at `from` in `part` into `result`.
void place_box(const Tensor& part, std::int64_t from, const Dims& size, Tensor& result,
               std::int64_t to, const Dims& strides);

/// Two's complement of an integer value.
inline std::uint64_t bits(double value) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

/// NaN wins over numbers.
inline double maximum(double a, double b) { return a > b || std::isnan(a) ? a : b; }
inline double minimum(double a, double b) { return a < b || std::isnan(a) ? a : b; }

/// `total` and one more `term`. Sums and products of integers wrap, logical reductions of integers
/// are bitwise.
double combine(Reduction reduction, DType dtype, double total, double term);

/// The part of a slice of `sizes` at `start` that lies inside of a tensor of `dims`: a box of
/// `size` from `begin`, in coordinates of the slice.
struct Clipped {
  Dims begin, size;
};
Clipped clip(const Dims& start, const Dims& sizes, const Dims& dims);

inline std::int64_t inner_product(const Dims& a, const Dims& b) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace rhino::ir
