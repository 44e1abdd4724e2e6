// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "lower/view.hpp"

namespace rhino::lower {

/// A dot as matrix products C[m, n] = sum over k of A[m, k] B[k, n], one per index of `batch`.
/// Strides count elements.
struct Matmul {
  struct BatchDim {
    std::int64_t extent = 1, a = 0, b = 0,
                 c = 0;  ///< strides; 0: every index reads the same matrix
    bool operator==(const BatchDim&) const = default;
  };
  std::vector<BatchDim> batch;
  std::int64_t m = 1, n = 1, k = 1;
  std::int64_t a_m = 0, a_k = 0, b_k = 0, b_n = 0, c_m = 0, c_n = 0;
  /// Else C lies by columns, and who computes by rows computes its transpose: C' = B' A'.
  bool is_by_rows() const { return n == 1 || (c_n == 1 && (m == 1 || c_m >= n)); }
  bool operator==(const Matmul&) const = default;
};

/// Dims and strides of one tensor of a dot.
struct StridedTensor {
  const Dims& dims;
  const Dims& strides;
};

/// The matrix products that `dot` is over these tensors, such that each of A, B and C has rows or
/// columns of adjacent elements and a leading stride that is no shorter: what a BLAS takes. nullopt
/// where one would have to be copied first.
std::optional<Matmul> matmul_of(const DotAttr& dot, const StridedTensor& lhs,
                                const StridedTensor& rhs, const StridedTensor& result);

/// Dims of an operand that are neither batch nor contracting, in order.
std::vector<std::int64_t> free_dims(std::size_t rank, const std::vector<std::int64_t>& batch,
                                    const std::vector<std::int64_t>& contracting);

}  // namespace rhino::lower
