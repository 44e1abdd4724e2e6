// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "models/layers.hpp"
#include "models/models.hpp"
#include "rhino/error.hpp"

namespace rhino::models {
namespace {

struct Branches {
  ValueId left, right;
};

/// One dot per branch, then each branch takes in the other one.
Branches cross(ir::Builder& b, const Branches& in, const std::string& scope) {
  b.set_scope(scope);
  const std::int64_t width = b.shape(in.left).dims.back();
  const double deviation = 1 / std::sqrt(static_cast<double>(width));
  const auto branch = [&](ValueId x, const char* name, OpKind activation) {
    const Linear layer{.name = name, .result = {width}, .deviation = deviation};
    return b.unary(activation, linear(b, x, layer));
  };
  const ValueId left = branch(in.left, "left", OpKind::tanh);
  const ValueId right = branch(in.right, "right", OpKind::logistic);
  return {b.add(left, b.mul(right, in.left)), b.sub(right, b.mul(left, in.right))};
}

}  // namespace

Program branching_forward(std::int64_t batch, std::int64_t width, std::int64_t depth, DType dtype) {
  if (batch < 1 || width < 1 || depth < 1) throw Error("branching: every size must be at least 1");
  const auto rows = static_cast<double>(std::max(batch, width));
  if (!is_floating(dtype)) throw Error("branching: dtype must be a floating-point type");
  check_size("depth", depth, 2 * rows * static_cast<double>(width));
  ir::Builder b("branching");
  const Shape shape{dtype == DType::f64 ? DType::f64 : DType::f32, {batch, width}};
  const Initializer standard_normal{Initializer::Kind::normal, 0, 1};
  const ValueId input = b.input(InputKind::batch, shape, standard_normal, "x");
  b.name_dims({"batch", "width"});
  const ValueId target = b.input(InputKind::batch, shape, standard_normal, "target");
  b.name_dims({"batch", "width"});
  const ValueId x = convert_to(b, input, dtype);
  Branches branches{x, x};
  for (std::int64_t level = 0; level < depth; ++level) {
    branches = cross(b, branches, "level" + std::to_string(level));
  }
  b.set_scope("");
  const double deviation = 1 / std::sqrt(2.0 * static_cast<double>(width));
  const ValueId joined = b.concatenate({branches.left, branches.right}, 1);
  const Linear join{.name = "join", .result = {width}, .deviation = deviation};
  const ValueId error = b.sub(widened(b, b.add(linear(b, joined, join), x)), target);
  const ValueId sum = b.reduce(b.mul(error, error), {0, 1}, Reduction::sum);
  b.output(b.scale(sum, 1.0 / static_cast<double>(batch * width)), OutputKind::loss);
  return std::move(b).finish();
}

}  // namespace rhino::models
