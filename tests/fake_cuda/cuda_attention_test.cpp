// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "ir/builder.hpp"
#include "ir/initial_values.hpp"
#include "ir/reference.hpp"
#include "ir/training_step.hpp"
#include "lower/lower.hpp"
#include "models/layers.hpp"
#include "on_cuda_device.hpp"

// Attention without scores in memory, on the cuda device over the fakes: every output equals the
// reference evaluator's, at sizes that divide by nothing and across tiles.

using namespace rhino;
using namespace rhino::test;

namespace {

struct Form {
  std::int64_t batch = 2, rows = 5, columns = 7, heads = 3, group = 1, depth = 4;
  DType dtype = DType::f32;
  bool is_causal = false, has_bias = false, is_masked = false;
  double deviation = 1;
};

std::string text(const Form& f) {
  std::string text = std::string(dtype_name(f.dtype));
  for (std::int64_t size : {f.batch, f.rows, f.columns, f.heads, f.group, f.depth})
    text += " " + std::to_string(size);
  return text + (f.is_causal ? " causal" : "") + (f.has_bias ? " bias" : "") +
         (f.is_masked ? " masked" : "");
}

/// Scores go far from 0, so that maxima move from tile to tile.
ValueId input(ir::Builder& b, const Form& f, Shape shape, const std::string& name) {
  return b.input(InputKind::parameter, std::move(shape),
                 {Initializer::Kind::normal, 0, f.deviation}, name);
}

ValueId attention(ir::Builder& b, const Form& f) {
  const ValueId q = input(b, f, {f.dtype, {f.batch, f.rows, f.heads, f.group, f.depth}}, "q");
  const ValueId k = input(b, f, {f.dtype, {f.batch, f.columns, f.heads, f.depth}}, "k");
  const ValueId v = input(b, f, {f.dtype, {f.batch, f.columns, f.heads, f.depth}}, "v");
  if (f.is_masked) {  // some keys of some samples are hidden, by a term
    const ValueId scores = models::widened(b, b.dot(q, k, {{0, 2}, {0, 2}, {4}, {3}}));
    const ValueId hidden = b.input(InputKind::batch, {DType::f32, {f.batch, f.columns}},
                                   {Initializer::Kind::normal, 0, 30}, "hidden");
    const ValueId mask = b.broadcast_in_dim(hidden, b.shape(scores).dims, {0, 4});
    const ValueId p = models::convert_to(b, models::softmax(b, b.add(scores, mask)), f.dtype);
    return b.transpose(b.dot(p, v, {{0, 1}, {0, 2}, {4}, {1}}), {0, 2, 1, 3, 4});
  }
  models::Scores form{.is_causal = f.is_causal};
  if (f.has_bias) {
    form.bias = b.input(InputKind::batch, {DType::f32, {f.heads, f.rows, f.columns}},
                        {Initializer::Kind::normal, 0, 1}, "bias");
  }
  return models::attention(b, q, k, v, form);
}

Program forward(const Form& form) {
  ir::Builder b("attention");
  b.output(attention(b, form), OutputKind::value);
  return std::move(b).finish();
}

/// The derivative, too, of the mean of squares.
Program step(const Form& form) {
  ir::Builder b("attention");
  const ValueId y = models::widened(b, attention(b, form));
  const ValueId sum = b.reduce(b.mul(y, y), {0, 1, 2, 3, 4}, Reduction::sum);
  return ir::training_step(models::finished(b, sum), {});
}

void check(const Program& program, std::size_t num_attentions, double tolerance) {
  const lower::Kernels kernels{.attention = true};
  const lower::LoweredProgram lowered = lower::lower(program, kernels);
  CHECK(std::ranges::count(lowered.groups, lower::KernelGroup::Kind::attention,
                           &lower::KernelGroup::kind) ==
        static_cast<std::ptrdiff_t>(num_attentions));
  const std::vector<ir::Tensor> inputs = ir::initial_tensors(program, 1);
  const std::vector<ir::Tensor> expected = ir::evaluate(program, inputs);
  const auto device = runtime::cuda::make_cuda_device({.kernels = kernels});
  const std::vector<ir::Tensor> actual = run_on_device(*device, program, inputs, false);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("output " << i << " " << to_string(expected[i].shape));
    CHECK(wrong_part(actual[i], expected[i]) <= tolerance);
  }
}

double tolerance(DType dtype) {
  return dtype == DType::f32 ? 1e-4 : dtype == DType::f16 ? 0.01 : 0.05;
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
