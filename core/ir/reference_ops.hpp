// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "ir/reference.hpp"
#include "ir/strided.hpp"

/// Inside of the reference evaluator: one function per op class. Floating-point results are not
/// rounded to the dtype yet, integer results have wrapped.
namespace rhino::ir::reference {

using Dims = std::vector<std::int64_t>;
using Operands = std::vector<const Tensor*>;

Tensor source(const Op& op);
Tensor elementwise(const Op& op, const Operands& operands);
Tensor movement(const Op& op, const Operands& operands);  ///< broadcast to reverse, dynamic slices
Tensor contraction(const Op& op, const Operands& operands);  ///< reduce, dot, sort
Tensor convolution(const Op& op, const Operands& operands);
Tensor indexing(const Op& op, const Operands& operands);  ///< gather, scatter
Tensor windows(const Op& op, const Operands& operands);   ///< reduce_window, select_and_scatter
/// Results of all members of one group, in the order of their ranks, from their operands.
std::vector<Tensor> collective(const Op& op, const std::vector<const Tensor*>& operands);

inline std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// A tensor of `shape` with every element `value`.
Tensor filled(const Shape& shape, double value = 0);

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

}  // namespace rhino::ir::reference
