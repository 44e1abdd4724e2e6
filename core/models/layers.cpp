// SPDX-License-Identifier: Apache-2.0
#include "models/layers.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "rhino/error.hpp"

namespace rhino::models {
namespace {

using Dims = std::vector<std::int64_t>;

/// `count` dims from `first` on.
Dims range(std::size_t first, std::size_t count) {
  Dims dims(count);
  std::iota(dims.begin(), dims.end(), static_cast<std::int64_t>(first));
  return dims;
}

std::size_t rank(const ir::Builder& b, ValueId x) { return b.shape(x).dims.size(); }

ValueId reduce_last(ir::Builder& b, ValueId x, Reduction reduction) {
  return b.reduce(x, range(rank(b, x) - 1, 1), reduction);
}

/// x minus (nearly) its largest element over the last dim: exp of it cannot overflow. ceil has
/// derivative zero, and what is computed from the result does not depend on the shift.
ValueId shifted_below_one(ir::Builder& b, ValueId x) {
  const ValueId largest = b.unary(OpKind::ceil, reduce_last(b, x, Reduction::max));
  return b.sub(x, broadcast_first(b, largest, x));
}

}  // namespace

void check_size(const std::string& what, std::int64_t count, double largest) {
  constexpr std::int64_t kMostLayers = 4096;
  constexpr double kMostElements = 1e16;
  if (count > kMostLayers)
    throw Error(what + " is " + std::to_string(count) + ", and at most " +
                std::to_string(kMostLayers) + " can be built");
  if (static_cast<double>(count) * largest > kMostElements)
    throw Error("its tensors have more than 1e16 elements");
}

ValueId weight(ir::Builder& b, Shape shape, double deviation, const std::string& name, Names dims) {
  const Initializer initializer{Initializer::Kind::normal, 0, deviation};
  const ValueId value = b.input(InputKind::parameter, std::move(shape), initializer, name);
  b.name_dims(std::move(dims));
  return value;
}

ValueId constant_weight(ir::Builder& b, Shape shape, double value, const std::string& name,
                        Names dims) {
  const Initializer initializer{Initializer::Kind::constant, value, 0};
  const ValueId parameter = b.input(InputKind::parameter, std::move(shape), initializer, name);
  b.name_dims(std::move(dims));
  return parameter;
}

ValueId broadcast_last(ir::Builder& b, ValueId small, ValueId like) {
  const std::size_t first = rank(b, like) - rank(b, small);
  return b.broadcast_in_dim(small, b.shape(like).dims, range(first, rank(b, small)));
}

ValueId broadcast_first(ir::Builder& b, ValueId small, ValueId like) {
  return b.broadcast_in_dim(small, b.shape(like).dims, range(0, rank(b, small)));
}

ValueId look_up(ir::Builder& b, ValueId table, ValueId indices) {
  const auto num_dims = static_cast<std::int64_t>(rank(b, indices));
  GatherAttr rows;
  rows.offset_dims = {num_dims};
  rows.collapsed_slice_dims = {0};
  rows.start_index_map = {0};
  rows.slice_sizes = {1, b.shape(table).dims[1]};
  rows.index_vector_dim = num_dims;
  return b.gather(table, indices, rows);
}

ValueId convert_to(ir::Builder& b, ValueId x, DType dtype) {
  return b.shape(x).dtype == dtype ? x : b.convert(x, dtype);
}

ValueId widened(ir::Builder& b, ValueId x) {
  return convert_to(b, x, b.shape(x).dtype == DType::f64 ? DType::f64 : DType::f32);
}

ValueId layer_norm(ir::Builder& b, ValueId x, const std::string& name, const std::string& dim,
                   double epsilon) {
  const Shape shape = b.shape(x);
  const Shape last{shape.dtype, {shape.dims.back()}};
  const double scale = 1.0 / static_cast<double>(shape.dims.back());
  const auto mean = [&](ValueId value) {
    return b.scale(reduce_last(b, value, Reduction::sum), scale);
  };
  const ValueId wide = widened(b, x);
  const ValueId centered = b.sub(wide, broadcast_first(b, mean(wide), wide));
  const ValueId variance = mean(b.mul(centered, centered));
  const ValueId inverse = b.unary(OpKind::rsqrt, b.shift(variance, epsilon));
  const ValueId normed = b.mul(centered, broadcast_first(b, inverse, centered));
  const ValueId scales = widened(b, constant_weight(b, last, 1, name + ".scale", {dim}));
  const ValueId biases = widened(b, constant_weight(b, last, 0, name + ".bias", {dim}));
  const ValueId result =
      b.add(b.mul(normed, broadcast_last(b, scales, normed)), broadcast_last(b, biases, normed));
  return convert_to(b, result, shape.dtype);
}

ValueId rms_norm(ir::Builder& b, ValueId x, const std::string& name, const std::string& dim,
                 double epsilon) {
  const Shape shape = b.shape(x);
  const ValueId wide = widened(b, x);
  const ValueId mean = b.scale(reduce_last(b, b.mul(wide, wide), Reduction::sum),
                               1.0 / static_cast<double>(shape.dims.back()));
  const ValueId inverse = b.unary(OpKind::rsqrt, b.shift(mean, epsilon));
  const ValueId normed = b.mul(wide, broadcast_first(b, inverse, wide));
  const ValueId scales =
      widened(b, constant_weight(b, {shape.dtype, {shape.dims.back()}}, 1, name + ".scale", {dim}));
  return convert_to(b, b.mul(normed, broadcast_last(b, scales, normed)), shape.dtype);
}

ValueId linear(ir::Builder& b, ValueId x, const Linear& layer) {
  const Shape shape = b.shape(x);
  const std::size_t first = shape.dims.size() - layer.num_contracted;
  Dims dims(shape.dims.begin() + static_cast<std::ptrdiff_t>(first), shape.dims.end());
  dims.insert(dims.end(), layer.result.begin(), layer.result.end());
  const ValueId weights =
      weight(b, {shape.dtype, dims}, layer.deviation, layer.name + ".weight", layer.dims);
  const ValueId product = b.dot(x, weights,
                                {.lhs_batch = {},
                                 .rhs_batch = {},
                                 .lhs_contracting = range(first, layer.num_contracted),
                                 .rhs_contracting = range(0, layer.num_contracted)});
  if (!layer.has_bias) {
    b.name(product, layer.name);
    return product;
  }
  const std::size_t num_bias_dims = std::min(layer.dims.size(), layer.result.size());
  const Names bias_dims(layer.dims.end() - static_cast<std::ptrdiff_t>(num_bias_dims),
                        layer.dims.end());
  const ValueId bias =
      constant_weight(b, {shape.dtype, layer.result}, 0, layer.name + ".bias", bias_dims);
  const ValueId result = b.add(product, broadcast_last(b, bias, product));
  b.name(result, layer.name);
  return result;
}

ValueId gelu(ir::Builder& b, ValueId x) {
  const double slope = std::sqrt(2 * std::numbers::inv_pi);
  const ValueId wide = widened(b, x);
  const ValueId factor = b.shift(b.scale(b.mul(wide, wide), slope * 0.044715), slope);
  const ValueId gate = b.shift(b.unary(OpKind::tanh, b.mul(wide, factor)), 1);
  return convert_to(b, b.mul(b.scale(wide, 0.5), gate), b.shape(x).dtype);
}

ValueId relu(ir::Builder& b, ValueId x) {
  return b.binary(OpKind::maximum, x, b.fill(Shape(b.shape(x)), 0));
}

ValueId silu(ir::Builder& b, ValueId x) {
  const ValueId wide = widened(b, x);
  return convert_to(b, b.mul(wide, b.unary(OpKind::logistic, wide)), b.shape(x).dtype);
}

ValueId attention(ir::Builder& b, ValueId query, ValueId key, ValueId value, const Scores& form) {
  const DType dtype = b.shape(query).dtype;
  const auto head_dim = static_cast<double>(b.shape(query).dims.back());
  // [batch, heads, positions, group, positions of keys]
  ValueId scores = widened(b, b.dot(query, key, {{0, 2}, {0, 2}, {4}, {3}}));
  const Dims dims = b.shape(scores).dims;
  if (form.is_scaled) scores = b.scale(scores, 1 / std::sqrt(head_dim));
  if (form.bias != kNoValue)
    scores = b.add(scores, b.broadcast_in_dim(widened(b, form.bias), dims, {1, 2, 4}));
  if (form.is_causal) {
    const Shape square{DType::s32, {dims[2], dims[4]}};
    const ValueId is_seen = b.compare(Comparison::ge, b.iota(square, 0), b.iota(square, 1));
    scores = b.select(b.broadcast_in_dim(is_seen, dims, {2, 4}), scores,
                      b.fill(Shape(b.shape(scores)), -1e30));
  }
  const ValueId weights = convert_to(b, softmax(b, scores), dtype);
  // [batch, heads, positions, group, head_dim]
  const ValueId mixed = b.dot(weights, value, {{0, 1}, {0, 2}, {4}, {1}});
  return b.transpose(mixed, {0, 2, 1, 3, 4});
}

ValueId softmax(ir::Builder& b, ValueId x) {
  const ValueId exponentials = b.unary(OpKind::exponential, shifted_below_one(b, x));
  const ValueId sum = reduce_last(b, exponentials, Reduction::sum);
  const ValueId inverse = b.div(b.fill(Shape(b.shape(sum)), 1), sum);
  return b.mul(exponentials, broadcast_first(b, inverse, exponentials));
}

ValueId sum_cross_entropy(ir::Builder& b, ValueId logits, ValueId labels) {
  const ValueId shifted = shifted_below_one(b, widened(b, logits));
  const Shape shape = b.shape(shifted);
  const ValueId sum = reduce_last(b, b.unary(OpKind::exponential, shifted), Reduction::sum);
  const auto last = static_cast<std::int64_t>(shape.dims.size()) - 1;
  const ValueId classes = b.iota({b.shape(labels).dtype, shape.dims}, last);
  const ValueId is_label = b.compare(Comparison::eq, classes, broadcast_first(b, labels, classes));
  const ValueId picked = b.select(is_label, shifted, b.fill(shape, 0));
  const ValueId log_likelihood =
      b.sub(reduce_last(b, picked, Reduction::sum), b.unary(OpKind::log, sum));
  const ValueId total = b.reduce(log_likelihood, range(0, rank(b, log_likelihood)), Reduction::sum);
  return b.unary(OpKind::negate, total);
}

ValueId mean_cross_entropy(ir::Builder& builder, ValueId logits, ValueId labels) {
  const auto rows = static_cast<double>(num_elements(builder.shape(labels)));
  return builder.scale(sum_cross_entropy(builder, logits, labels), 1 / rows);
}

Program finished(ir::Builder& builder, ValueId loss) {
  builder.name(loss, "loss");
  builder.output(loss, OutputKind::loss);
  return std::move(builder).finish();
}

}  // namespace rhino::models
