// SPDX-License-Identifier: Apache-2.0
#include "ir/hlo_expand.hpp"

#include <cmath>
#include <numbers>

#include "ir/op_info.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::ir::hlo {
namespace {

using Dims = std::vector<std::int64_t>;

void require_operands(const std::vector<ValueId>& operands, std::size_t count) {
  if (operands.size() == count) return;
  throw Error("takes " + std::to_string(count) + " operands, not " +
              std::to_string(operands.size()));
}

void require_dim(const Shape& shape, std::int64_t dim) {
  if (dim >= 0 && dim < std::ssize(shape.dims)) return;
  throw Error("dim " + std::to_string(dim) + " is none of " + to_string(shape));
}

/// Sums over, and repeats along, all dims of a tensor but `kept`.
class Statistics {
 public:
  Statistics(Builder& b, ValueId x, std::int64_t kept) : b_(b), shape_(b.shape(x)), kept_(kept) {
    require_dim(shape_, kept);
    for (std::int64_t d = 0; d < std::ssize(shape_.dims); ++d) {
      if (d != kept) others_.push_back(d);
    }
    const auto extent = static_cast<double>(shape_.dims[at(kept)]);
    count_ = extent == 0 ? 1 : static_cast<double>(num_elements(shape_)) / extent;
  }

  ValueId sum(ValueId x) const { return b_.reduce(x, others_, Reduction::sum); }
  ValueId mean(ValueId x) const { return b_.scale(sum(x), 1 / count_); }
  ValueId repeated(ValueId row) const { return b_.broadcast_in_dim(row, shape_.dims, {kept_}); }
  ValueId divided(ValueId row) const { return b_.scale(row, 1 / count_); }

 private:
  Builder& b_;
  Shape shape_;
  std::int64_t kept_;
  Dims others_;
  double count_;
};

ValueId inverse_deviation(Builder& b, ValueId variance, double epsilon) {
  return b.unary(OpKind::rsqrt, b.shift(variance, epsilon));
}

Dims all_dims_but(const Shape& shape, std::int64_t dim) {
  Dims kept;
  for (std::int64_t d = 0; d < std::ssize(shape.dims); ++d) {
    if (d != dim) kept.push_back(d);
  }
  return kept;
}

/// `row` lacks `dim` of `like`.
ValueId spread(Builder& b, ValueId row, ValueId like, std::int64_t dim) {
  const Shape shape = b.shape(like);
  return b.broadcast_in_dim(row, shape.dims, all_dims_but(shape, dim));
}

/// The argument of tanh in gelu_tanh.
ValueId tanh_argument(Builder& b, ValueId x) {
  const ValueId cube = b.mul(b.mul(x, x), x);
  return b.scale(b.add(x, b.scale(cube, 0.044715)), std::sqrt(2 * std::numbers::inv_pi));
}

}  // namespace

std::vector<ValueId> batch_norm_training(Builder& b, const std::vector<ValueId>& operands,
                                         const BatchNorm& dims) {
  require_operands(operands, 3);
  const Statistics rows(b, operands[0], dims.feature);
  const ValueId mean = rows.mean(operands[0]);
  const ValueId centred = b.sub(operands[0], rows.repeated(mean));
  const ValueId variance = rows.mean(b.mul(centred, centred));
  const ValueId factor = b.mul(inverse_deviation(b, variance, dims.epsilon), operands[1]);
  const ValueId y = b.add(b.mul(centred, rows.repeated(factor)), rows.repeated(operands[2]));
  return {y, mean, variance};
}

ValueId batch_norm_inference(Builder& b, const std::vector<ValueId>& operands,
                             const BatchNorm& dims) {
  require_operands(operands, 5);
  const Statistics rows(b, operands[0], dims.feature);
  const ValueId centred = b.sub(operands[0], rows.repeated(operands[3]));
  const ValueId factor = b.mul(inverse_deviation(b, operands[4], dims.epsilon), operands[1]);
  return b.add(b.mul(centred, rows.repeated(factor)), rows.repeated(operands[2]));
}

std::vector<ValueId> batch_norm_gradient(Builder& b, const std::vector<ValueId>& operands,
                                         const BatchNorm& dims) {
  require_operands(operands, 5);
  const ValueId x = operands[0], scale = operands[1], gradient = operands[4];
  const Statistics rows(b, x, dims.feature);
  const ValueId inverse = inverse_deviation(b, operands[3], dims.epsilon);
  const ValueId normal = b.mul(b.sub(x, rows.repeated(operands[2])), rows.repeated(inverse));
  const ValueId of_offset = rows.sum(gradient), of_scale = rows.sum(b.mul(gradient, normal));
  const ValueId along = b.mul(normal, rows.repeated(rows.divided(of_scale)));
  const ValueId rest = b.sub(b.sub(gradient, rows.repeated(rows.divided(of_offset))), along);
  return {b.mul(rest, rows.repeated(b.mul(inverse, scale))), of_scale, of_offset};
}

ValueId gelu(Builder& b, ValueId x) {
  const ValueId error = b.unary(OpKind::erf, b.scale(x, 1 / std::numbers::sqrt2));
  return b.mul(b.scale(x, 0.5), b.shift(error, 1));
}

ValueId gelu_derivative(Builder& b, ValueId x) {
  const ValueId error = b.unary(OpKind::erf, b.scale(x, 1 / std::numbers::sqrt2));
  const ValueId bell = b.unary(OpKind::exponential, b.scale(b.mul(x, x), -0.5));
  const ValueId slope = b.mul(x, b.scale(bell, std::sqrt(0.5 * std::numbers::inv_pi)));
  return b.add(b.scale(b.shift(error, 1), 0.5), slope);
}

ValueId gelu_tanh(Builder& b, ValueId x) {
  return b.mul(b.scale(x, 0.5), b.shift(b.unary(OpKind::tanh, tanh_argument(b, x)), 1));
}

ValueId gelu_tanh_derivative(Builder& b, ValueId x) {
  const ValueId tanh = b.unary(OpKind::tanh, tanh_argument(b, x));
  const ValueId steepness = b.shift(b.unary(OpKind::negate, b.mul(tanh, tanh)), 1);
  const double factor = std::sqrt(2 * std::numbers::inv_pi);
  const ValueId inner = b.shift(b.scale(b.mul(x, x), 3 * 0.044715 * factor), factor);
  const ValueId slope = b.mul(b.scale(x, 0.5), b.mul(steepness, inner));
  return b.add(b.scale(b.shift(tanh, 1), 0.5), slope);
}

ValueId softmax(Builder& b, ValueId x, std::int64_t dim) {
  require_dim(b.shape(x), dim);
  const ValueId top = b.reduce(x, {dim}, Reduction::max);
  const ValueId powers = b.unary(OpKind::exponential, b.sub(x, spread(b, top, x, dim)));
  return b.div(powers, spread(b, b.reduce(powers, {dim}, Reduction::sum), x, dim));
}

ValueId softmax_gradient(Builder& b, ValueId gradient, ValueId y, std::int64_t dim) {
  require_dim(b.shape(y), dim);
  const ValueId mean = b.reduce(b.mul(gradient, y), {dim}, Reduction::sum);
  return b.mul(y, b.sub(gradient, spread(b, mean, y, dim)));
}

Extremum extremum(Builder& b, ValueId values, ValueId indices, std::int64_t dim,
                  Reduction reduction) {
  require_dim(b.shape(values), dim);
  const Shape shape = b.shape(indices);
  const ValueId best = b.reduce(values, {dim}, reduction);
  ValueId hit = b.compare(Comparison::eq, values, spread(b, best, values, dim));
  if (is_floating(b.shape(values).dtype)) {
    hit = b.binary(OpKind::logical_or, hit, b.compare(Comparison::ne, values, values));
  }
  const ValueId none = b.fill(shape, neutral_element(Reduction::min, shape.dtype));
  return {best, b.reduce(b.select(hit, indices, none), {dim}, Reduction::min)};
}

ValueId sorted(Builder& b, ValueId keys, ValueId values, std::int64_t dim, bool descending) {
  const auto sort = [&](ValueId by, ValueId what) {
    std::vector<ValueId> operands{by};
    if (what != by) operands.push_back(what);
    return b.add(
        Op{.kind = OpKind::sort, .operands = std::move(operands), .attributes = DimAttr{dim}});
  };
  if (!descending) return sort(keys, values);
  // Equal keys keep their order: both ways round.
  const ValueId by = b.reverse(keys, {dim});
  return b.reverse(sort(by, values == keys ? by : b.reverse(values, {dim})), {dim});
}

std::vector<ValueId> top_k(Builder& b, ValueId x, std::int64_t count, bool largest) {
  const Shape shape = b.shape(x);
  const std::int64_t dim = std::ssize(shape.dims) - 1;
  require_dim(shape, dim);
  Dims limits = shape.dims;
  limits[at(dim)] = count;
  const auto first = [&](ValueId all) { return b.slice(all, Dims(limits.size(), 0), limits); };
  const ValueId places = b.iota({DType::s32, shape.dims}, dim);
  return {first(sorted(b, x, x, dim, largest)), first(sorted(b, x, places, dim, largest))};
}

}  // namespace rhino::ir::hlo
