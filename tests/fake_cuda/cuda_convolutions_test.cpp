// SPDX-License-Identifier: Apache-2.0
// Convolutions on the cuda device by cuDNN, over the fake one: whose first algorithms do not
// repeat, refuse, convert to 16 bits, or want more workspace than there is.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "child.hpp"
#include "cuda_programs.hpp"
#include "ir/builder.hpp"
#include "ir/channels_last.hpp"
#include "ir/op_traits.hpp"
#include "ir/sampler.hpp"
#include "ir/training_step.hpp"
#include "models/catalog.hpp"
#include "rhino/error.hpp"

using namespace rhino;
using namespace rhino::runtime;
using namespace rhino::test;
using Catch::Matchers::Contains;

namespace {

/// Images of three samples by a kernel, and the derivatives of both.
Program image_step(DType dtype, ConvolutionAttr a, std::vector<std::int64_t> image,
                   std::vector<std::int64_t> kernel) {
  ir::Builder b("images");
  const Initializer range = range_of(dtype, -1, 1);
  const ValueId x = b.input(InputKind::batch, {dtype, std::move(image)}, range, "x"),
                w = b.input(InputKind::batch, {dtype, std::move(kernel)}, range, "w");
  b.output(b.add(Op{.kind = OpKind::convolution, .operands = {x, w}, .attributes = a}),
           OutputKind::value);
  return std::move(b).finish();
}

struct Run {
  double error = 0;  ///< the largest of all outputs
  std::string way;   ///< how it was computed
  bool is_fake = true;
  std::vector<ir::Tensor> results;
};

Run run_program(const Program& program, const GpuModes& modes = {}) {
  const std::vector<ir::Tensor> inputs = random_inputs(program);
  const std::vector<ir::Tensor> expected = ir::evaluate(program, inputs);
  const std::unique_ptr<Device> device = cuda::make_cuda_device({.gpu = modes});
  Run run{.results = run_on_device(*device, program, inputs, true)};
  run.way = device->convolutions();
  run.is_fake = device->name().starts_with("fake");
  for (std::size_t i = 0; i < expected.size(); ++i)
    run.error = std::max(run.error, relative_error(run.results[i], expected[i]));
  return run;
}

/// All of them, of whichever version a GPU's machine has.
bool is_by_cudnn(const Run& run) {
  return run.is_fake ? run.way == "cuDNN 9.19.0"
                     : run.way.starts_with("cuDNN ") && run.way.find(',') == std::string::npos;
}

/// Every unlike convolution of a training step, forward and backward, as outputs of one program.
Program convolutions_of(const Program& step) {
  ir::Builder b("convolutions");
  std::vector<const Op*> known;
  const auto is_like = [&](const Op& one, const Op& other) {
    return one.attributes == other.attributes && one.shape == other.shape &&
           step.shape(one.operands[0]) == step.shape(other.operands[0]) &&
           step.shape(one.operands[1]) == step.shape(other.operands[1]);
  };
  for (const Op& op : step.ops) {
    if (op.kind != OpKind::convolution ||
        std::ranges::any_of(known, [&](const Op* other) { return is_like(op, *other); }))
      continue;
    known.push_back(&op);
    std::vector<ValueId> operands;
    for (ValueId operand : op.operands)
      operands.push_back(b.input(InputKind::batch, step.shape(operand),
                                 range_of(step.shape(operand).dtype, -1, 1), "x"));
    b.output(b.add(Op{.kind = op.kind, .operands = operands, .attributes = op.attributes}),
             OutputKind::value);
  }
  return std::move(b).finish();
}

ConvolutionAttr padded(std::int64_t low, std::int64_t high, std::int64_t stride) {
  ConvolutionAttr a = ir::channels_last(2);
  a.strides = {stride, 1}, a.low = {low, 1}, a.high = {high, 1};
  return a;
}

/// What a child answers: the error, as told, and how it was computed.
std::string told(const Run& run) { return (run.error <= 2e-5 ? "right, " : "wrong, ") + run.way; }

Program small() { return image_step(DType::f32, padded(1, 1, 1), {2, 5, 4, 3}, {3, 3, 3, 4}); }

}  // namespace

// Those with faults come first: they are read at the first call of a library.

TEST_CASE("where cuDNN is not taken kernels of our own are, and why is said", "[fake]") {
  const auto way = [](const fake_test::Settings& settings, const GpuModes& modes = {}) {
    const fake_test::Outcome o =
        fake_test::in_child(settings, [&] { return told(run_program(small(), modes)); });
    INFO(o.said);
    return o.result;
  };
  CHECK(way({}) == "right, cuDNN 9.19.0");
  CHECK(way({{"FAKE_CUDNN_VERSION", "8902"}}) == "right, cuDNN 8.9.2");
  CHECK(way({}, {.convolves_simply = true}) == "right, kernels of our own");
  CHECK_THAT(way({{"FAKE_CUDNN_VERSION", "7605"}}),
             Contains("right, kernels of our own: cuDNN 7.6.5 (") &&
                 Contains("is not taken: 8 and 9 are known"));
  CHECK_THAT(way({{"FAKE_CUDNN_CUDA", "13000"}}),
             Contains("is for CUDA 13, and the driver is for 12"));
  CHECK_THAT(way({{"FAKE_CUDA_FAIL", "cudnnCreate:1:1001"}}),
             Contains("right, kernels of our own: starting cuDNN (") &&
                 Contains("failed: it says CUDNN_STATUS_NOT_INITIALIZED (1001)"));
  CHECK(way({{"FAKE_CUDA_FAIL", "cudnnGetConvolutionForwardAlgorithm_v7:1:3000"}}) ==
        "right, 0 of 1 by cuDNN 9.19.0, the others by kernels of our own: of one it says "
        "CUDNN_STATUS_NOT_SUPPORTED (3000)");
}

TEST_CASE("a convolution that cuDNN does not start is a sentence", "[fake]") {
  const fake_test::Outcome o =
      fake_test::in_child({{"FAKE_CUDA_FAIL", "cudnnConvolutionForward:1:5000"}}, [] {
        try {
          return told(run_program(small()));
        } catch (const Error& error) {
          return std::string(error.what());
        }
      });
  CHECK_THAT(o.result, Contains("starting a convolution failed: cuDNN (") &&
                           Contains("says CUDNN_STATUS_EXECUTION_FAILED (5000)"));
}

TEST_CASE("cuDNN runs all convolutions of models' steps, which equal the reference") {
  for (const auto& [model, dtype] :
       {std::pair{"wide_resnet", DType::f32}, {"u_transformer", DType::bf16}}) {
    INFO(model << " " << dtype_name(dtype));
    Program forward =
        models::build_forward(model, Options({{"preset", std::string("tiny")}}), 2, dtype).program;
    const Program program = convolutions_of(ir::training_step(std::move(forward), {}));
    CHECK(program.outputs.size() > 5);
    const Run run = run_program(program);
    CHECK(is_by_cudnn(run));
    CHECK(run.error <= tolerance_of(dtype) * 10);
  }
}

TEST_CASE("random convolutions equal the reference, by cuDNN and by kernels of our own") {
  for (std::uint64_t seed = first_seed(); seed < first_seed() + 1; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    ir::Builder b("random");
    ir::Sampler sampler(b, random);
    for (int i = 0; i < 12; ++i)
      b.output(ir::traits(OpKind::convolution).sample(sampler), OutputKind::value);
    const Program program = std::move(b).finish();
    CHECK(run_program(program).error <= 2e-5);
    CHECK(run_program(program, {.convolves_simply = true}).error <= 2e-5);
  }
}

TEST_CASE("windows that reach further on one side, and those that end before the image does") {
  ir::Builder b("windows");
  const Initializer range = range_of(DType::f32, -1, 1);
  for (const auto& [low, high, stride] :
       {std::tuple{0, 1, 2}, {1, 0, 2}, {0, 3, 1}, {2, 1, 3}, {1, 1, 3}, {0, 0, 2}}) {
    const ValueId x = b.input(InputKind::batch, {DType::f32, {2, 8, 5, 3}}, range, "x"),
                  w = b.input(InputKind::batch, {DType::f32, {3, 3, 3, 4}}, range, "w");
    b.output(b.add(Op{.kind = OpKind::convolution,
                      .operands = {x, w},
                      .attributes = padded(low, high, stride)}),
             OutputKind::value);
  }
  const Run run = run_program(std::move(b).finish());
  CHECK(is_by_cudnn(run));
  CHECK(run.error <= 2e-5);
}

TEST_CASE("convolutions by cuDNN repeat bit for bit, and keep f32 unless tf32 is asked for") {
  const Run first = run_program(small()), second = run_program(small());
  CHECK(first.results.front().elements == second.results.front().elements);
  CHECK(first.error <= 2e-6);
  const Run rounded = run_program(small(), {.uses_tf32 = true});
  if (rounded.is_fake) CHECK(rounded.error > 2e-6);  // it permits that, and an H100 does not round
  CHECK(rounded.error <= 2e-3);
  Program large = small();  // beyond what 16 bits hold
  for (Input& input : large.inputs) input.initializer = range_of(DType::f32, -1e6, 1e6);
  CHECK(run_program(large, {.uses_tf32 = true}).error <= 2e-3);
}
