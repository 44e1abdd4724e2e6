// SPDX-License-Identifier: Apache-2.0
#include "models/image_layers.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "ir/channels_last.hpp"
#include "models/layers.hpp"

namespace rhino::models {
namespace {

/// Features last: less their mean over the dims `over` of `x`, which keeps the dims `kept`, and
/// over their deviation.
struct Statistics {
  std::vector<std::int64_t> over, kept;
};
ValueId normed(ir::Builder& builder, ValueId x, const Statistics& statistics) {
  constexpr double kEpsilon = 1e-5;
  const std::vector<std::int64_t> dims = builder.shape(x).dims;
  double count = 1;
  for (const std::int64_t dim : statistics.over)
    count *= static_cast<double>(dims[static_cast<std::size_t>(dim)]);
  const auto mean = [&](ValueId value) {
    return builder.scale(builder.reduce(value, statistics.over, Reduction::sum), 1 / count);
  };
  const auto spread = [&](ValueId value) {
    return builder.broadcast_in_dim(value, dims, statistics.kept);
  };
  const ValueId centered = builder.sub(x, spread(mean(x)));
  const ValueId variance = mean(builder.mul(centered, centered));
  const ValueId inverse = builder.unary(OpKind::rsqrt, builder.shift(variance, kEpsilon));
  return builder.mul(centered, spread(inverse));
}

/// x, seen as `split`, normed, and scaled and shifted by features, as x.
ValueId norm(ir::Builder& builder, ValueId x, const std::string& name,
             const std::vector<std::int64_t>& split, const Statistics& statistics) {
  const Shape shape = builder.shape(x);
  const ValueId wide = builder.reshape(widened(builder, x), split);
  const ValueId y = builder.reshape(normed(builder, wide, statistics), shape.dims);
  const Shape last{shape.dtype, {shape.dims[3]}};
  const ValueId scales =
      widened(builder, constant_weight(builder, last, 1, name + ".scale", {"features"}));
  const ValueId biases =
      widened(builder, constant_weight(builder, last, 0, name + ".bias", {"features"}));
  const ValueId result = builder.add(builder.mul(y, broadcast_last(builder, scales, y)),
                                     broadcast_last(builder, biases, y));
  return convert_to(builder, result, shape.dtype);
}

}  // namespace

std::vector<std::string> image_dims() { return {"batch", "rows", "columns", "features"}; }

LabelledImages photographs(ir::Builder& builder, const Photographs& photographs) {
  const auto& [batch, side, classes, dtype] = photographs;
  const DType wide = dtype == DType::f64 ? DType::f64 : DType::f32;
  const ValueId images = builder.input(InputKind::batch, {wide, {batch, side, side, kColors}},
                                       {Initializer::Kind::normal, 0, 1}, "x");
  builder.name_dims(image_dims());
  const ValueId labels = builder.input(
      InputKind::batch, {DType::s32, {batch}},
      {Initializer::Kind::uniform_integer, 0, static_cast<double>(classes)}, "labels");
  builder.name_dims({"batch"});
  return {convert_to(builder, images, dtype), labels};
}

ValueId convolution(ir::Builder& builder, ValueId x, const Convolution& layer) {
  const Shape shape = builder.shape(x);
  const std::int64_t in = shape.dims[3], size = layer.size;
  const double deviation = 1 / std::sqrt(static_cast<double>(in * size * size));
  const ValueId kernel = weight(builder, {shape.dtype, {size, size, in, layer.features}}, deviation,
                                layer.name + ".weight", {"rows", "columns", "in", "out"});
  const std::int64_t low = (size - 1) / 2;
  ConvolutionAttr dims = ir::channels_last(2);
  dims.strides = {layer.stride, layer.stride};
  dims.low = {low, low};
  dims.high = {size - 1 - low, size - 1 - low};
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
  const std::vector<std::int64_t> d = builder.shape(x).dims;
  return norm(builder, x, name, {d[0], d[1], d[2], groups, d[3] / groups}, {{1, 2, 4}, {0, 3}});
}

ValueId batch_norm(ir::Builder& builder, ValueId x, const std::string& name, std::int64_t samples) {
  const std::vector<std::int64_t> d = builder.shape(x).dims;
  return norm(builder, x, name, {d[0] / samples, samples, d[1], d[2], d[3]}, {{1, 2, 3}, {0, 4}});
}

ValueId largest_pixel(ir::Builder& builder, ValueId x, const Window& window) {
  const std::vector<std::int64_t> margin{0, window.margin, window.margin, 0};
  return builder.add(Op{.kind = OpKind::reduce_window,
                        .operands = {x},
                        .attributes = WindowAttr{{1, window.size, window.size, 1},
                                                 {1, window.stride, window.stride, 1},
                                                 margin,
                                                 margin,
                                                 Reduction::max}});
}

ValueId mean_pixel(ir::Builder& builder, ValueId x) {
  const Shape shape = builder.shape(x);
  const ValueId sum = builder.reduce(widened(builder, x), {1, 2}, Reduction::sum);
  const auto pixels = static_cast<double>(shape.dims[1] * shape.dims[2]);
  return convert_to(builder, builder.scale(sum, 1 / pixels), shape.dtype);
}

ValueId doubled(ir::Builder& builder, ValueId x) {
  const std::vector<std::int64_t> d = builder.shape(x).dims;
  const ValueId repeated =
      builder.broadcast_in_dim(x, {d[0], d[1], 2, d[2], 2, d[3]}, {0, 1, 3, 5});
  return builder.reshape(repeated, {d[0], 2 * d[1], 2 * d[2], d[3]});
}

}  // namespace rhino::models
