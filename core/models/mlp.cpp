// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "models/layers.hpp"
#include "models/models.hpp"
#include "rhino/error.hpp"

namespace rhino::models {

Program mlp_forward(const MlpConfig& config, std::int64_t batch) {
  if (config.inputs < 1 || config.width < 1 || config.depth < 1 || config.classes < 1 || batch < 1)
    throw Error("mlp: every size must be at least 1");
  if (!is_floating(config.dtype)) throw Error("mlp: dtype must be a floating-point type");
  const auto width = static_cast<double>(config.width),
             widest = static_cast<double>(
                 std::max({batch, config.inputs, config.width, config.classes}));
  check_size("depth", config.depth, width * widest);
  ir::Builder b("mlp");
  const DType wide = config.dtype == DType::f64 ? DType::f64 : DType::f32;
  const ValueId input = b.input(InputKind::batch, {wide, {batch, config.inputs}},
                                {Initializer::Kind::normal, 0, 1}, "x");
  b.name_dims({"batch", "inputs"});
  const ValueId labels = b.input(
      InputKind::batch, {DType::s32, {batch}},
      {Initializer::Kind::uniform_integer, 0, static_cast<double>(config.classes)}, "labels");
  b.name_dims({"batch"});
  ValueId x = convert_to(b, input, config.dtype);
  const auto layer = [&](const std::string& name, std::int64_t result) {
    const double terms = static_cast<double>(b.shape(x).dims.back());
    return linear(b, x,
                  {.name = name,
                   .result = {result},
                   .deviation = std::sqrt(2 / terms),  // He et al. 2015
                   .dims = {"inputs", "outputs"}});
  };
  for (std::int64_t l = 0; l < config.depth; ++l) {
    x = relu(b, layer("layer" + std::to_string(l), config.width));
    b.name(x, "layer" + std::to_string(l) + ".out");
  }
  const ValueId logits = layer("head", config.classes);
  const ValueId sum = sum_cross_entropy(b, logits, labels);
  b.output(b.scale(sum, 1.0 / static_cast<double>(batch)), OutputKind::loss);
  return std::move(b).finish();
}

}  // namespace rhino::models
