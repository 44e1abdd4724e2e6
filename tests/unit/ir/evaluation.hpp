// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <catch2/catch.hpp>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "ir/builder.hpp"
#include "ir/element.hpp"
#include "ir/reference.hpp"

/// What the tests of core/ir share: tensors by hand, by index and at random, and ops evaluated
/// alone.
namespace rhino::testing {

using Dims = std::vector<std::int64_t>;

inline ir::Tensor f32(Dims dims, std::vector<double> elements) {
  return {{DType::f32, std::move(dims)}, std::move(elements)};
}
inline ir::Tensor s32(Dims dims, std::vector<double> elements) {
  return {{DType::s32, std::move(dims)}, std::move(elements)};
}

/// Calls `visit(index)` for every index of `dims`, row-major.
inline void for_all(const Dims& dims, const std::function<void(const Dims&)>& visit) {
  Dims index(dims.size());
  for (std::int64_t i = 0; i < num_elements(dims); ++i) {
    std::int64_t rest = i;
    for (std::size_t d = dims.size(); d-- > 0;) {
      index[d] = rest % dims[d];
      rest /= dims[d];
    }
    visit(index);
  }
}

inline double element(const ir::Tensor& tensor, const Dims& index) {
  std::int64_t position = 0;
  for (std::size_t d = 0; d < index.size(); ++d) {
    REQUIRE(index[d] >= 0);
    REQUIRE(index[d] < tensor.shape.dims[d]);
    position = position * tensor.shape.dims[d] + index[d];
  }
  return tensor.elements[static_cast<std::size_t>(position)];
}

/// The tensor whose element at each index is `value(index)`.
inline ir::Tensor tabulate(const Shape& shape, const std::function<double(const Dims&)>& value) {
  ir::Tensor tensor{shape, {}};
  for_all(shape.dims, [&](const Dims& index) { tensor.elements.push_back(value(index)); });
  return tensor;
}

/// Small integers: exact under sums and products in any order.
inline ir::Tensor random_tensor(std::mt19937& random, const Shape& shape, int low = -4,
                                int high = 4) {
  std::uniform_int_distribution<int> pick(low, high);
  return tabulate(shape, [&](const Dims&) { return static_cast<double>(pick(random)); });
}

/// The op that `make` adds, applied to `inputs`.
inline ir::Tensor compute(
    const std::vector<ir::Tensor>& inputs,
    const std::function<ValueId(ir::Builder&, const std::vector<ValueId>&)>& make,
    ir::Precision precision = ir::Precision::declared) {
  ir::Builder builder("test");
  std::vector<ValueId> values;
  for (const ir::Tensor& input : inputs) {
    values.push_back(builder.input(InputKind::batch, input.shape, {}, ""));
  }
  builder.output(make(builder, values), OutputKind::value);
  return ir::evaluate(std::move(builder).finish(), inputs, precision)[0];
}

inline ir::Tensor compute(const std::vector<ir::Tensor>& inputs, OpKind kind,
                          Attributes attributes = {}, Shape shape = {}) {
  return compute(inputs, [&](ir::Builder& builder, const std::vector<ValueId>& values) {
    return builder.add(
        Op{.kind = kind, .shape = shape, .operands = values, .attributes = attributes});
  });
}

}  // namespace rhino::testing
