// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numeric>
#include <string>
#include <vector>

#include "ir/builder.hpp"
#include "ir/training_step.hpp"

namespace rhino::test {

/// A program of dots over a batch, and its mean of squares.
struct Layers {
  ir::Builder b;
  std::int64_t batch;

  Layers(const std::string& name, std::int64_t samples) : b(name), batch(samples) {}

  ValueId input(const std::string& name, std::vector<std::int64_t> dims) {
    dims.insert(dims.begin(), batch);
    return b.input(InputKind::batch, {DType::f32, dims}, {Initializer::Kind::normal, 0, 1}, name);
  }
  /// [batch, n] to [batch, width].
  ValueId dot(ValueId x, std::int64_t width) {
    const Shape shape{DType::f32, {b.shape(x).dims[1], width}};
    const ValueId weight = b.input(InputKind::parameter, shape, {Initializer::Kind::normal, 0, 0.1},
                                   "w" + std::to_string(b.program().size()));
    return b.dot(x, weight, {.lhs_contracting = {1}, .rhs_contracting = {0}});
  }
  Program step(ValueId y) {
    std::vector<std::int64_t> dims(b.shape(y).dims.size());
    std::iota(dims.begin(), dims.end(), 0);
    const ValueId sum = b.reduce(b.mul(y, y), dims, Reduction::sum);
    b.output(b.scale(sum, 1.0 / static_cast<double>(batch)), OutputKind::loss);
    return ir::training_step(std::move(b).finish(), {});
  }
};

}  // namespace rhino::test
