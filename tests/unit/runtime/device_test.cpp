// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <random>

#include "device_harness.hpp"
#include "ir/builder.hpp"
#include "ir/initial_values.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "rhino/error.hpp"

using namespace rhino;
using namespace rhino::runtime;

namespace {

/// Runs `program` on cpu devices of 1 and 2 threads, in place and apart, and compares with the
/// reference evaluator.
void check_against_reference(const Program& program, const std::vector<ir::Tensor>& inputs,
                             double tolerance) {
  const std::vector<ir::Tensor> expected = ir::evaluate(program, inputs);
  for (int num_threads : {1, 2}) {
    const std::unique_ptr<Device> device = make_cpu_device({.num_threads = num_threads});
    for (Placement placement : {Placement::in_place, Placement::apart}) {
      const std::vector<ir::Tensor> actual = run_on(*device, program, inputs, placement);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const ValueId value = program.outputs[i].value;
        INFO("output " << i << ", value " << value << " " << to_string(expected[i].shape)
                       << ", threads " << num_threads << ", in place "
                       << (placement == Placement::in_place));
        CHECK(relative_error(actual[i], expected[i], 1e-3) <= tolerance);
      }
    }
  }
}

/// Inputs that a program without initializers can tell apart.
std::vector<ir::Tensor> distinct_inputs(const Program& program) {
  std::vector<ir::Tensor> tensors;
  for (const Input& input : program.inputs) {
    const Shape& shape = program.shape(input.value);
    ir::Tensor& tensor = tensors.emplace_back(ir::Tensor{shape, {}});
    std::mt19937_64 random(tensors.size());
    for (std::int64_t i = 0; i < num_elements(shape); ++i) {
      tensor.elements.push_back(
          ir::round_to(shape.dtype, static_cast<double>(random() % 2001) / 1000 - 1));
    }
  }
  return tensors;
}

constexpr ir::Optimizer kSgd{
    .kind = ir::Optimizer::Kind::sgd, .learning_rate = 0.1, .momentum = 0.9};

}  // namespace

TEST_CASE("a training step of a random program equals the reference") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const Program program =
        ir::training_step(models::random_forward(seed, 4, 12 + seed % 30), kSgd);
    check_against_reference(program, ir::initial_tensors(program, seed), 2e-3);
  }
}

TEST_CASE("a training step of gpt equals the reference") {
  models::GptConfig config = models::gpt_preset("1m");
  config.vocabulary = 160;
  config.sequence = 16;
  const Program program = ir::training_step(models::gpt_forward(config, 2), kSgd);
  check_against_reference(program, ir::initial_tensors(program, 7), 1e-3);
}

TEST_CASE("a mixed step of gpt is as near the reference as two orders of its sums") {
  models::GptConfig config = models::gpt_preset("1m");
  config.vocabulary = 96;
  config.sequence = 12;
  config.hidden = 32;
  for (const DType dtype : {DType::bf16, DType::f16}) {
    config.dtype = dtype;
    ir::Optimizer optimizer = kSgd;
    optimizer.master_weights = optimizer.wide_gradients = true;
    optimizer.loss_scale.initial = 1024;
    const Program program = ir::training_step(models::gpt_forward(config, 2), optimizer);
    check_against_reference(program, ir::initial_tensors(program, 7),
                            dtype == DType::bf16 ? 0.1 : 0.0125);
  }
}

TEST_CASE("an Adam step of gpt in f64 equals the reference") {
  models::GptConfig config = models::gpt_preset("1m");
  config.vocabulary = 96;
  config.sequence = 12;
  config.hidden = 32;
  config.dtype = DType::f64;
  const Program program = ir::training_step(models::gpt_forward(config, 2), {});
  check_against_reference(program, ir::initial_tensors(program, 7), 1e-9);
}

TEST_CASE("accumulating programs add to what is there") {
  ir::Builder b("accumulation");
  const ValueId x = b.input(InputKind::batch, {DType::f32, {32, 24}}, {}, "x");
  const ValueId y = b.input(InputKind::batch, {DType::f32, {32, 8}}, {}, "y");
  const auto state = [&](std::vector<std::int64_t> dims) {
    return b.input(InputKind::optimizer_state, {DType::f32, std::move(dims)}, {}, "sum");
  };
  const ValueId dots = state({24, 8}), turned = state({8, 24}), bias = state({24}),
                loss = state({}), both = state({24, 8});
  const ValueId product = b.dot(x, y, {{}, {}, {0}, {0}});
  b.output(b.add(dots, product), OutputKind::updated_state, 2);
  b.output(b.add(b.transpose(b.dot(x, b.scale(y, 2), {{}, {}, {0}, {0}}), {1, 0}), turned),
           OutputKind::updated_state, 3);
  b.output(b.add(bias, b.reduce(x, {0}, Reduction::sum)), OutputKind::updated_state, 4);
  b.output(b.add(loss, b.reduce(y, {0, 1}, Reduction::sum)), OutputKind::updated_state, 5);
  b.output(b.add(both, b.dot(b.scale(x, 3), y, {{}, {}, {0}, {0}})), OutputKind::updated_state, 6);
  const Program program = std::move(b).finish();
  check_against_reference(program, distinct_inputs(program), 1e-5);
}

TEST_CASE("inputs are overwritten only after their last use") {
  ir::Builder b("states");
  const Shape shape{DType::f32, {40, 40}};
  std::vector<ValueId> x;
  for (int i = 0; i < 6; ++i) x.push_back(b.input(InputKind::parameter, shape, {}, "x"));
  const auto turned = [&](ValueId v) { return b.transpose(v, {1, 0}); };
  b.output(b.add(x[0], turned(x[0])), OutputKind::updated_state, 0);
  b.output(b.add(x[1], x[0]), OutputKind::updated_state, 1);
  b.output(b.sub(turned(x[3]), x[1]), OutputKind::updated_state, 2);  // x[2] is read by nobody
  b.output(b.dot(x[3], x[4], {{}, {}, {1}, {0}}), OutputKind::updated_state, 3);
  b.output(x[5], OutputKind::updated_state, 4);  // exchanged
  b.output(x[4], OutputKind::updated_state, 5);
  b.output(b.reduce(b.mul(x[4], x[5]), {0}, Reduction::sum), OutputKind::value);
  const Program program = std::move(b).finish();
  check_against_reference(program, distinct_inputs(program), 1e-5);
}

TEST_CASE("one loop may overwrite several states that it reads late") {
  ir::Builder b("moments");
  const Shape shape{DType::f32, {9000}};
  const ValueId g = b.input(InputKind::batch, shape, {}, "g");
  const ValueId m = b.input(InputKind::optimizer_state, shape, {}, "m");
  const ValueId p = b.input(InputKind::parameter, shape, {}, "p");
  const ValueId next = b.add(b.scale(m, 0.5), g);
  b.output(next, OutputKind::updated_state, 1);
  b.output(b.add(b.sub(p, next), b.scale(m, 3)), OutputKind::updated_state, 2);  // the old m
  b.output(b.mul(p, m), OutputKind::value);                                      // the old both
  const Program program = std::move(b).finish();
  check_against_reference(program, distinct_inputs(program), 1e-5);
}

TEST_CASE("a value may leave as several outputs") {
  ir::Builder b("twice");
  const ValueId x = b.input(InputKind::batch, {DType::f32, {4, 6}}, {}, "x");
  const ValueId y = b.unary(OpKind::negate, x);
  b.output(y, OutputKind::value);
  b.output(y, OutputKind::value);
  b.output(b.reshape(y, {24}), OutputKind::value);
  b.output(b.slice(y, {0, 0}, {2, 6}), OutputKind::value);
  b.output(b.transpose(y, {1, 0}), OutputKind::value);
  b.output(x, OutputKind::value);
  b.output(x, OutputKind::value);
  const Program program = std::move(b).finish();
  check_against_reference(program, distinct_inputs(program), 0);
}

TEST_CASE("results of one thread count repeat bit by bit") {
  const Program program = ir::training_step(models::random_forward(5, 8, 60), kSgd);
  const std::vector<ir::Tensor> inputs = ir::initial_tensors(program, 3);
  for (int num_threads : {1, 2, 3}) {
    const std::unique_ptr<Device> device = make_cpu_device({.num_threads = num_threads});
    CHECK(run_on(*device, program, inputs) == run_on(*device, program, inputs));
  }
}

TEST_CASE("a device knows its place on the axes of its mesh") {
  ir::Builder b("place");
  const ValueId rank = b.axis_index({1, 0});
  b.output(rank, OutputKind::value);
  b.output(b.broadcast_in_dim(rank, {3}, {}), OutputKind::value);
  const Program program = std::move(b).finish();
  const DeviceOptions options{.num_threads = 1, .coordinates = {1, 2}, .axis_sizes = {2, 3}};
  for (const auto& device : {make_cpu_device(options), make_reference_device(options)}) {
    const std::vector<ir::Tensor> results = run_on(*device, program, {});
    CHECK(results[0].elements == std::vector<double>{2 * 2 + 1});
    CHECK(results[1].elements == std::vector<double>(3, 5));
  }
  CHECK_THROWS_AS(make_cpu_device({.num_threads = 1})->compile(program), Error);
}

TEST_CASE("the reference device equals the reference evaluator") {
  const Program program = ir::training_step(models::random_forward(2, 4, 20), {});
  const std::vector<ir::Tensor> inputs = ir::initial_tensors(program, 3);
  const std::unique_ptr<Device> device = make_reference_device({});
  CHECK(run_on(*device, program, inputs) == ir::evaluate(program, inputs));
}
