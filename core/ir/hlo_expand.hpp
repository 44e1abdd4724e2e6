// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ir/builder.hpp"

/// What imported programs have words for and Programs have not, as ops. Shapes are checked by the
/// ops themselves: Error without a place.
namespace rhino::ir::hlo {

/// Of batch-norm-*: statistics are taken per entry of `feature`, over all other dims.
struct BatchNorm {
  std::int64_t feature = 0;
  double epsilon = 0;
};
/// (x, scale, offset) to (y, mean, variance), the biased one.
std::vector<ValueId> batch_norm_training(Builder& b, const std::vector<ValueId>& operands,
                                         const BatchNorm& dims);
/// (x, scale, offset, mean, variance) to y.
ValueId batch_norm_inference(Builder& b, const std::vector<ValueId>& operands,
                             const BatchNorm& dims);
/// (x, scale, mean, variance, gradient of y) to the gradients of x, scale and offset.
std::vector<ValueId> batch_norm_gradient(Builder& b, const std::vector<ValueId>& operands,
                                         const BatchNorm& dims);

/// x / 2 * (1 + erf(x / sqrt(2))), and its derivative at x.
ValueId gelu(Builder& b, ValueId x);
ValueId gelu_derivative(Builder& b, ValueId x);
/// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))), and its derivative at x.
ValueId gelu_tanh(Builder& b, ValueId x);
ValueId gelu_tanh_derivative(Builder& b, ValueId x);
/// Along `dim`; and the gradient of x from that of y and from y.
ValueId softmax(Builder& b, ValueId x, std::int64_t dim);
ValueId softmax_gradient(Builder& b, ValueId gradient, ValueId y, std::int64_t dim);

/// The largest (or least) of `values` along `dim`, and the least of the `indices` at which it
/// stands; NaN, where there is one, counts as such.
struct Extremum {
  ValueId value, index;
};
Extremum extremum(Builder& b, ValueId values, ValueId indices, std::int64_t dim,
                  Reduction reduction);

/// Sorts `values` by `keys` along `dim`, stable; NaN comes last, descending first.
ValueId sorted(Builder& b, ValueId keys, ValueId values, std::int64_t dim, bool descending);
/// The `count` largest (or least) along the last dim in their order, and where they stood (s32).
std::vector<ValueId> top_k(Builder& b, ValueId x, std::int64_t count, bool largest);

}  // namespace rhino::ir::hlo
