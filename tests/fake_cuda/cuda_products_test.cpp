// SPDX-License-Identifier: Apache-2.0
// Dots and convolutions on the cuda device, by cuBLASLt and by kernels of our own.
#include <catch2/catch.hpp>
#include <random>

#include "cuda_programs.hpp"
#include "ir/builder.hpp"
#include "ir/op_traits.hpp"
#include "ir/sampler.hpp"
#include "ir/training_step.hpp"
#include "lower/lower.hpp"
#include "models/catalog.hpp"
#include "rhino/error.hpp"
#include "runtime/cuda/lt_problem.hpp"

using namespace rhino;
using namespace rhino::runtime;
using namespace rhino::test;

namespace {

/// Of the smallest preset of a model that has presets, or as it is.
Program smallest_forward(const std::string& model) {
  for (const char* preset : {"tiny", "1m"}) {
    try {
      return models::build_forward(model, Options({{"preset", std::string(preset)}}), 4, DType::f32)
          .program;
    } catch (const Error&) {
      // the model has other presets
    }
  }
  return models::build_forward(model, {}, 4, DType::f32).program;
}

}  // namespace

TEST_CASE("products of several tiles along every dim equal the reference") {
  ir::Builder b("product");
  const ValueId x =
      b.input(InputKind::batch, {DType::f32, {19, 50}}, range_of(DType::f32, -1, 1), "x");
  const ValueId y =
      b.input(InputKind::batch, {DType::f32, {50, 21}}, range_of(DType::f32, -1, 1), "y");
  b.output(b.dot(x, y, {{}, {}, {1}, {0}}), OutputKind::value);
  check_program(std::move(b).finish(), 2e-6);
}

TEST_CASE("many updates of few rows add up in their order, whoever has which") {
  for (DType dtype : {DType::f32, DType::s32, DType::bf16}) {
    INFO(dtype_name(dtype));
    ir::Builder b("updates");
    for (const std::int64_t row : {1, 5, 3000}) {
      const ValueId table =
          b.input(InputKind::batch, {dtype, {7, row}}, range_of(dtype, -1, 1), "table");
      // Some of them lie outside.
      const ValueId places = b.input(InputKind::batch, {DType::s32, {2, 150}},
                                     {Initializer::Kind::uniform, -2, 9}, "places");
      const ValueId updates =
          b.input(InputKind::batch, {dtype, {2, 150, row}}, range_of(dtype, -1, 1), "updates");
      b.output(b.scatter(table, places, updates,
                         {.update_window_dims = {2},
                          .inserted_window_dims = {0},
                          .scatter_dims_to_operand_dims = {0},
                          .index_vector_dim = 2}),
               OutputKind::value);
    }
    check_program(std::move(b).finish(), tolerance_of(dtype) * 100);
  }
}

TEST_CASE("random convolutions and windows equal the reference on the cuda device") {
  for (std::uint64_t seed = first_seed(); seed < first_seed() + 2; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    ir::Builder b("windows");
    ir::Sampler sampler(b, random);
    for (OpKind kind :
         {OpKind::convolution, OpKind::reduce_window, OpKind::select_and_scatter, OpKind::sort}) {
      for (int i = 0; i < 6; ++i) b.output(ir::traits(kind).sample(sampler), OutputKind::value);
    }
    const Program program = std::move(b).finish();
    for (const bool simple : {false, true})
      check_program(program, 2e-5, {.convolves_simply = simple});
  }
}

TEST_CASE("convolutions with features last, of many tiles and in 16 bits, equal the reference") {
  for (DType dtype : {DType::f32, DType::bf16, DType::f16, DType::s32}) {
    INFO(dtype_name(dtype));
    ir::Builder b("convolutions");
    ConvolutionAttr a{.input_batch = 0,
                      .input_feature = 3,
                      .kernel_input = 2,
                      .kernel_output = 3,
                      .output_batch = 0,
                      .output_feature = 3};
    a.input_spatial = a.output_spatial = {1, 2};
    a.kernel_spatial = {0, 1};
    a.strides = {2, 1}, a.low = {1, 0}, a.high = {2, 3}, a.lhs_dilation = {1, 2};
    a.rhs_dilation = {2, 1};
    const Initializer range = range_of(dtype, -1, 1);
    const ValueId image = b.input(InputKind::batch, {dtype, {3, 9, 11, 6}}, range, "x");
    const ValueId kernel = b.input(InputKind::batch, {dtype, {3, 2, 6, 70}}, range, "w");
    b.output(b.add(Op{.kind = OpKind::convolution, .operands = {image, kernel}, .attributes = a}),
             OutputKind::value);
    const ValueId half = b.input(InputKind::batch, {dtype, {3, 2, 3, 10}}, range, "w");
    a.feature_groups = 2;
    b.output(b.add(Op{.kind = OpKind::convolution, .operands = {image, half}, .attributes = a}),
             OutputKind::value);
    const Program program = std::move(b).finish();
    for (const bool simple : {false, true})
      check_program(program, tolerance_of(dtype) * 10, {.convolves_simply = simple});
  }
}

TEST_CASE("dots of whole tiles and beyond equal the reference on the cuda device") {
  for (DType dtype : {DType::f32, DType::f64, DType::bf16}) {
    INFO(dtype_name(dtype));
    ir::Builder b("dots");
    const Initializer range = range_of(dtype, -1, 1);
    const auto input = [&](std::vector<std::int64_t> dims) {
      return b.input(InputKind::batch, {dtype, std::move(dims)}, range, "x");
    };
    // Of 1, 16 and 64 sums a thread, by rows and by columns.
    const ValueId wide = input({67, 33}), tall = input({33, 131}), other = input({131, 33});
    b.output(b.dot(wide, tall, {.lhs_contracting = {1}, .rhs_contracting = {0}}),
             OutputKind::value);
    b.output(b.dot(wide, other, {.lhs_contracting = {1}, .rhs_contracting = {1}}),
             OutputKind::value);
    const ValueId many = input({129, 9, 128}), batches = input({129, 128, 7});
    b.output(b.dot(many, batches, {{0}, {0}, {2}, {1}}), OutputKind::value);
    const ValueId deep = input({130, 128, 3}), deeper = input({130, 3, 129});
    b.output(b.dot(deep, deeper, {{0}, {0}, {2}, {1}}), OutputKind::value);
    const Program program = std::move(b).finish();
    using Dots = GpuModes::Dots;
    for (Dots dots : {Dots::library, Dots::timed, Dots::simple})
      check_program(program, tolerance_of(dtype) * 10,
                    {.dots = dots, .waits_each = dots == Dots::timed});
    if (dtype == DType::f32) check_program(program, 2e-3, {.uses_tf32 = true});
  }
}

TEST_CASE("cuBLASLt takes the dots of every model as they lie") {
  std::string refused;
  for (const std::string& model : models::model_names()) {
    if (model == "hf_config") continue;  // one of the others, by sizes of a file
    const Program step = ir::training_step(smallest_forward(model), {});
    const lower::LoweredProgram lowered = lower::lower(step);
    for (const lower::KernelGroup& group : lowered.groups) {
      if (group.kind != lower::KernelGroup::Kind::dot || cuda::lt_problem(lowered, group)) continue;
      refused += model + " " + to_string(lowered.program.shape(group.ops[0])) + "; ";
    }
  }
  CHECK(refused == "");
}

TEST_CASE("a dot that cuBLASLt runs adds to what was there, in many launches") {
  for (DType dtype : {DType::f32, DType::bf16, DType::f16, DType::f64}) {
    INFO(dtype_name(dtype));
    ir::Builder b("launches");
    const auto input = [&](InputKind kind, std::vector<std::int64_t> dims) {
      return b.input(kind, {dtype, std::move(dims)}, {Initializer::Kind::uniform, -1, 1}, "x");
    };
    // Queries and keys as heads of [sample, position, head, dim]: two dims of batch that are not
    // one.
    const ValueId q = b.transpose(input(InputKind::batch, {3, 5, 2, 7}), {0, 2, 1, 3});
    const ValueId k = b.transpose(input(InputKind::batch, {3, 9, 2, 7}), {0, 2, 1, 3});
    b.output(b.dot(q, k, {{0, 1}, {0, 1}, {3}, {3}}), OutputKind::value);
    if (is_narrow(dtype)) {  // the result in f32, as gradients of 16-bit weights are
      Op wide{.kind = OpKind::dot, .shape = {DType::f32, {}}, .operands = {q, k}};
      wide.attributes = DotAttr{{0, 1}, {0, 1}, {3}, {3}};
      b.output(b.add(std::move(wide)), OutputKind::value);
    }
    const ValueId sum = input(InputKind::parameter, {6, 11});
    const ValueId x = input(InputKind::batch, {5, 6}), y = input(InputKind::batch, {5, 11});
    const ValueId product = b.dot(x, y, {.lhs_contracting = {0}, .rhs_contracting = {0}});
    b.output(b.add(sum, product), OutputKind::updated_state, 2);
    check_program(std::move(b).finish(), tolerance_of(dtype) * 10);
  }
}
