// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>

#include "../unit/runtime/device_ops_harness.hpp"
#include "ir/op_info.hpp"
#include "on_cuda_device.hpp"

/// The cuda device, on the fakes: every program equals the reference evaluator.
namespace rhino::test {

inline std::uint64_t first_seed() {
  const char* seed = std::getenv("RHINO_SEED");
  return seed ? std::strtoull(seed, nullptr, 10) : 1;
}

inline void check_program(const Program& program, double tolerance,
                          const runtime::GpuModes& modes = {}, lower::Kernels kernels = {}) {
  const std::vector<ir::Tensor> inputs = random_inputs(program);
  const std::vector<ir::Tensor> expected = ir::evaluate(program, inputs);
  const std::unique_ptr<runtime::Device> device =
      runtime::cuda::make_cuda_device({.gpu = modes, .kernels = kernels});
  const std::vector<ir::Tensor> actual = run_on_device(*device, program, inputs, true);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Op& made = program.producer(program.outputs[i].value);
    INFO("output " << i << ", " << ir::op_name(made.kind) << " " << to_string(expected[i].shape));
    CHECK(relative_error(actual[i], expected[i]) <= tolerance);
  }
}

}  // namespace rhino::test
