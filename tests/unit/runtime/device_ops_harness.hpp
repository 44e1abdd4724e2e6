// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "device_harness.hpp"
#include "ir/reference.hpp"
#include "runtime/device/device.hpp"

/// Programs of a few ops on the CPU device, against the reference.
namespace rhino::test {

using runtime::Device;
using runtime::make_cpu_device;

/// Elements that tell ops apart: fractions, negatives, zeros, equal ones, as far as `low` and
/// `high` let them be.
inline ir::Tensor random_tensor(const Shape& shape, std::uint64_t seed, double low, double high) {
  std::mt19937_64 random(seed);
  ir::Tensor tensor{shape, {}};
  for (std::int64_t i = 0; i < num_elements(shape); ++i) {
    const double value = low + (high - low) * static_cast<double>(random() % 4001) / 4000;
    tensor.elements.push_back(
        ir::round_to(shape.dtype, is_floating(shape.dtype) ? value : std::floor(value)));
  }
  return tensor;
}

inline Initializer range_of(DType dtype, double low = -2, double high = 2) {
  if (!is_floating(dtype)) low = low < 0 ? -10 : 0, high = 11;
  return {Initializer::Kind::uniform, low, high};
}

/// In the ranges that the inputs ask for, if they do.
inline std::vector<ir::Tensor> random_inputs(const Program& program) {
  std::vector<ir::Tensor> tensors;
  for (const Input& input : program.inputs) {
    const Shape& shape = program.shape(input.value);
    const bool asks = input.initializer.kind != Initializer::Kind::constant;
    const Initializer range = asks ? input.initializer : range_of(shape.dtype);
    tensors.push_back(random_tensor(shape, 11 + tensors.size(), range.a, range.b));
  }
  return tensors;
}

inline void check_on_cpu(const Program& program, const std::vector<ir::Tensor>& inputs,
                         double tolerance) {
  const std::vector<ir::Tensor> expected = ir::evaluate(program, inputs);
  for (int num_threads : {1, 2}) {
    const std::unique_ptr<Device> device = make_cpu_device({.num_threads = num_threads});
    const std::vector<ir::Tensor> actual = run_on(*device, program, inputs);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      INFO("output " << i << " " << to_string(expected[i].shape) << ", threads " << num_threads);
      CHECK(relative_error(actual[i], expected[i]) <= tolerance);
    }
  }
}

inline double tolerance_of(DType dtype) {
  switch (dtype) {
    case DType::f64: return 1e-14;
    case DType::f32: return 2e-6;
    case DType::f16: return 2e-3;
    case DType::bf16: return 1e-2;
    default: return 0;
  }
}

}  // namespace rhino::test
