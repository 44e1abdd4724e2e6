// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "attention_programs.hpp"
#include "ir/initial_values.hpp"
#include "ir/reference.hpp"
#include "lower/lower.hpp"
#include "on_cuda_device.hpp"

// Attention without scores in memory, on the cuda device over the fakes: every output equals the
// reference evaluator's, at sizes that divide by nothing and across tiles.

using namespace rhino;
using namespace rhino::test;

namespace {

/// The reference rounds after every op: what that costs - much where a softmax is of one key, whose
/// derivative is a difference of like terms - a device's order of sums costs likewise.
constexpr double kRoundings = 3;

void check(const Program& program, std::size_t num_attentions, double tolerance) {
  const lower::Kernels kernels = lower::kernels_of_gpus(true);
  const lower::LoweredProgram lowered = lower::lower(program, kernels);
  CHECK(std::ranges::count(lowered.groups, lower::KernelGroup::Kind::attention,
                           &lower::KernelGroup::kind) ==
        static_cast<std::ptrdiff_t>(num_attentions));
  const std::vector<ir::Tensor> inputs = ir::initial_tensors(program, 1);
  const std::vector<ir::Tensor> expected = ir::evaluate(program, inputs),
                                exact = ir::evaluate(program, inputs, ir::Precision::f64);
  const auto device = runtime::cuda::make_cuda_device({.kernels = kernels});
  const std::vector<ir::Tensor> actual = run_on_device(*device, program, inputs, false);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("output " << i << " " << to_string(expected[i].shape));
    CHECK(wrong_part(actual[i], expected[i]) <=
          tolerance + kRoundings * wrong_part(expected[i], exact[i]));
  }
}

double tolerance(DType dtype) {
  return dtype == DType::f32 ? 2e-5 : dtype == DType::f16 ? 0.01 : 0.05;
}

}  // namespace

TEST_CASE("attention in one pass equals the reference on the cuda device") {
  for (const Form& form :
       {Form{}, Form{.rows = 67, .columns = 71, .heads = 2, .depth = 9, .deviation = 3},
        Form{.rows = 70, .columns = 70, .heads = 1, .group = 2, .depth = 16, .is_causal = true},
        Form{.rows = 33, .columns = 65, .depth = 8, .dtype = DType::bf16, .has_bias = true},
        Form{.rows = 40,
        .columns = 50,
        .heads = 1,
        .depth = 32,
        .dtype = DType::f16,
        .is_causal = true,
        .has_bias = true},
        Form{.rows = 9, .columns = 70, .depth = 5, .is_masked = true},
        Form{.rows = 21, .columns = 40, .heads = 1, .depth = 16, .dtype = DType::bf16},
        Form{.rows = 21, .columns = 40, .heads = 1, .depth = 40, .dtype = DType::bf16},
        Form{.rows = 21, .columns = 40, .heads = 1, .depth = 48, .dtype = DType::f16},
        Form{.batch = 1, .rows = 34, .columns = 35, .heads = 1, .depth = 100},
        Form{.batch = 1,
        .rows = 66,
        .columns = 33,
        .heads = 1,
        .depth = 256,
        .dtype = DType::bf16}}) {
    INFO(text(form));
    check(forward(form), 1, tolerance(form.dtype));
  }
}

TEST_CASE("attention of 16 bits in several tiles equals the reference on the cuda device") {
  for (const Form& form :
       {Form{.batch = 1,
       .rows = 130,
       .columns = 130,
       .heads = 1,
       .depth = 64,
       .dtype = DType::bf16,
       .is_causal = true,
       .deviation = 2},
        Form{.batch = 1,
        .rows = 70,
        .columns = 140,
        .heads = 1,
        .group = 2,
        .depth = 16,
        .dtype = DType::f16,
        .is_causal = true},
        Form{.batch = 1, .rows = 66, .columns = 70, .heads = 2, .depth = 128, .dtype = DType::bf16},
        Form{.batch = 1, .rows = 66, .columns = 80, .heads = 1, .depth = 64, .dtype = DType::f16},
        Form{.batch = 1,
        .rows = 30,
        .columns = 70,
        .heads = 2,
        .group = 3,
        .depth = 64,
        .dtype = DType::bf16},
        Form{.batch = 1, .rows = 66, .columns = 70, .heads = 1, .depth = 80, .dtype = DType::f16},
        Form{.rows = 9,
        .columns = 140,
        .heads = 1,
        .depth = 8,
        .dtype = DType::bf16,
        .is_masked = true,
        .num_hidden = 66},
        Form{.batch = 1,
        .rows = 9,
        .columns = 70,
        .heads = 1,
        .depth = 8,
        .dtype = DType::bf16,
        .is_masked = true,
        .num_hidden = 70},
        Form{.rows = 33, .columns = 35, .heads = 1, .depth = 12, .dtype = DType::bf16}}) {
    INFO(text(form));
    check(forward(form), 1, tolerance(form.dtype));
  }
}

TEST_CASE("derivatives of attention of 16 bits equal the reference on the cuda device") {
  for (const Form& form :
       {Form{.batch = 1,
       .rows = 140,
       .columns = 140,
       .heads = 1,
       .depth = 16,
       .dtype = DType::bf16,
       .is_causal = true},
        Form{.batch = 1,
        .rows = 70,
        .columns = 140,
        .heads = 1,
        .group = 2,
        .depth = 64,
        .dtype = DType::f16,
        .is_causal = true},
        Form{.batch = 1, .rows = 66, .columns = 70, .heads = 1, .depth = 128, .dtype = DType::bf16},
        Form{.batch = 1,
        .rows = 50,
        .columns = 70,
        .heads = 2,
        .group = 3,
        .depth = 64,
        .dtype = DType::bf16,
        .is_causal = true},
        Form{.batch = 1, .rows = 66, .columns = 35, .heads = 1, .depth = 80, .dtype = DType::f16},
        Form{.rows = 9,
        .columns = 140,
        .heads = 1,
        .depth = 8,
        .dtype = DType::bf16,
        .is_masked = true,
        .num_hidden = 66},
        Form{.batch = 1,
        .rows = 9,
        .columns = 70,
        .heads = 1,
        .depth = 8,
        .dtype = DType::bf16,
        .is_masked = true,
        .num_hidden = 70},
        Form{.batch = 1,
        .rows = 33,
        .columns = 35,
        .heads = 1,
        .depth = 12,
        .dtype = DType::bf16}}) {
    INFO(text(form));
    check(step(form), 2, tolerance(form.dtype));
  }
}

TEST_CASE("derivatives of attention equal the reference on the cuda device") {
  for (const Form& form :
       {Form{}, Form{.batch = 1, .rows = 67, .columns = 71, .heads = 2, .depth = 9},
        Form{.batch = 1,
        .rows = 70,
        .columns = 70,
        .heads = 2,
        .group = 2,
        .depth = 16,
        .is_causal = true},
        Form{.rows = 33,
        .columns = 65,
        .heads = 1,
        .depth = 8,
        .dtype = DType::bf16,
        .has_bias = true},
        Form{.rows = 9, .columns = 70, .depth = 5, .is_masked = true},
        Form{.batch = 1, .rows = 35, .columns = 34, .heads = 1, .depth = 100, .is_causal = true}}) {
    INFO(text(form));
    check(step(form), 2, tolerance(form.dtype));
  }
}
