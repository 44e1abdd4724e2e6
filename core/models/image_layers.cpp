// SPDX-License-Identifier: Apache-2.0
#include "models/image_layers.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "models/layers.hpp"

namespace rhino::models {

ValueId convolution(ir::Builder& builder, ValueId x, const Convolution& layer) {
  const Shape shape = builder.shape(x);
  const std::int64_t in = shape.dims[3], size = layer.size;
  const double deviation = 1 / std::sqrt(static_cast<double>(in * size * size));
  const ValueId kernel = weight(builder, {shape.dtype, {size, size, in, layer.features}}, deviation,
                                layer.name + ".weight", {"rows", "columns", "in", "out"});
  const std::int64_t low = (size - 1) / 2;
  const ConvolutionAttr dims{.input_batch = 0,
                             .input_feature = 3,
                             .kernel_input = 2,
                             .kernel_output = 3,
                             .output_batch = 0,
                             .output_feature = 3,
                             .input_spatial = {1, 2},
                             .kernel_spatial = {0, 1},
                             .output_spatial = {1, 2},
                             .strides = {layer.stride, layer.stride},
                             .low = {low, low},
                             .high = {size - 1 - low, size - 1 - low},
                             .lhs_dilation = {1, 1},
                             .rhs_dilation = {1, 1}};
  ValueId result =
      builder.add(Op{.kind = OpKind::convolution, .operands = {x, kernel}, .attributes = dims});
  if (layer.has_bias) {
    const ValueId bias =
        constant_weight(builder, {shape.dtype, {layer.features}}, 0, layer.name + ".bias", {"out"});
    result = builder.add(result, broadcast_last(builder, bias, result));
  }
  builder.name(result, layer.name);
  return result;
}

ValueId group_norm(ir::Builder& builder, ValueId x, const std::string& name, std::int64_t groups) {
  constexpr double kEpsilon = 1e-5;
  const Shape shape = builder.shape(x);
  const std::vector<std::int64_t>& d = shape.dims;
  const std::vector<std::int64_t> split{d[0], d[1], d[2], groups, d[3] / groups};
  const double scale = static_cast<double>(groups) / static_cast<double>(d[1] * d[2] * d[3]);
  const auto mean = [&](ValueId value) {
    return builder.scale(builder.reduce(value, {1, 2, 4}, Reduction::sum), scale);
  };
  const auto spread = [&](ValueId value) { return builder.broadcast_in_dim(value, split, {0, 3}); };
  const ValueId wide = builder.reshape(widened(builder, x), split);
  const ValueId centered = builder.sub(wide, spread(mean(wide)));
  const ValueId variance = mean(builder.mul(centered, centered));
  const ValueId inverse = builder.unary(OpKind::rsqrt, builder.shift(variance, kEpsilon));
  const ValueId normed = builder.reshape(builder.mul(centered, spread(inverse)), d);
  const Shape last{shape.dtype, {d[3]}};
  const ValueId scales =
      widened(builder, constant_weight(builder, last, 1, name + ".scale", {"features"}));
  const ValueId biases =
      widened(builder, constant_weight(builder, last, 0, name + ".bias", {"features"}));
  const ValueId result = builder.add(builder.mul(normed, broadcast_last(builder, scales, normed)),
                                     broadcast_last(builder, biases, normed));
  return convert_to(builder, result, shape.dtype);
}

ValueId largest_of_four(ir::Builder& builder, ValueId x) {
  const std::vector<std::int64_t> size{1, 2, 2, 1}, none(4, 0);
  return builder.add(Op{.kind = OpKind::reduce_window,
                        .operands = {x},
                        .attributes = WindowAttr{size, size, none, none, Reduction::max}});
}

ValueId doubled(ir::Builder& builder, ValueId x) {
  const std::vector<std::int64_t> d = builder.shape(x).dims;
  const ValueId repeated =
      builder.broadcast_in_dim(x, {d[0], d[1], 2, d[2], 2, d[3]}, {0, 1, 3, 5});
  return builder.reshape(repeated, {d[0], 2 * d[1], 2 * d[2], d[3]});
}

}  // namespace rhino::models
