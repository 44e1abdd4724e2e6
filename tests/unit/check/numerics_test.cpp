// SPDX-License-Identifier: Apache-2.0
#include "check/numerics.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "ir/builder.hpp"
#include "ir/initial_values.hpp"
#include "ir/reference.hpp"
#include "ir/training_step.hpp"

using namespace rhino;
using namespace rhino::check;
using Catch::Matchers::Contains;

namespace {

CheckedTensor noise(const std::string& name, std::int64_t size, std::uint32_t seed, double scale) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, scale);
  CheckedTensor tensor{name, {DType::f32, {size}}, {}, 0};
  for (std::int64_t i = 0; i < size; ++i) tensor.elements.push_back(normal(random));
  return tensor;
}

StepValues values() { return {2.5, 0, {noise("w", 1000, 1, 1.0), noise("b", 10, 2, 1e-10)}}; }

/// Loss sum(w * x), in f32 where they are of 16 bits: the gradient of w is x.
Program small_step(const ir::Optimizer& optimizer, double size, DType dtype = DType::f32,
                   double weight = 1) {
  ir::Builder b("small");
  const Shape shape{dtype, {64, 70}};
  const ValueId w =
      b.input(InputKind::parameter, shape, {Initializer::Kind::normal, 0, weight}, "w");
  const ValueId x = b.input(InputKind::batch, shape, {Initializer::Kind::normal, 0, size}, "x");
  const ValueId product = b.convert(b.mul(w, x), DType::f32);
  b.output(b.reduce(product, {0, 1}, Reduction::sum), OutputKind::loss);
  return ir::training_step(std::move(b).finish(), optimizer);
}

std::vector<CheckedTensor> tensors(const std::vector<ir::Tensor>& values) {
  std::vector<CheckedTensor> tensors;
  for (const ir::Tensor& value : values) tensors.push_back({"w", value.shape, value.elements, 0});
  return tensors;
}

/// Parameter, batch and states of step `number` of a small step.
std::vector<ir::Tensor> before(const Program& step, std::uint64_t seed, std::int64_t number) {
  return ir::initial_tensors(step, seed, number);
}

/// compare_update of a run whose update ops are those of `made`.
CheckResult result_of(const Program& step, const Program& made, std::int64_t number,
                      std::int64_t max_elements = 16384) {
  const auto seed = static_cast<std::uint64_t>(number) + 40;
  const std::vector<ir::Tensor> results = ir::evaluate(made, before(made, seed, number));
  const std::vector<CheckedTensor> gradients = tensors({results[1]});
  const std::vector<CheckedTensor> updated = tensors({results.begin() + 2, results.end()});
  return compare_update(step, {seed, number, gradients, updated}, 1e-4, max_elements);
}

}  // namespace

TEST_CASE("a gradient that is nearly all rounding may be rounded otherwise, no other one may") {
  // Of "w" rounding makes a hundredth, of "bias" all.
  const CheckedTensor wide_w = noise("w", 1000, 1, 1.0), error = noise("w", 1000, 3, 0.01);
  StepValues reference{2.5, 0, {wide_w, noise("bias", 1000, 4, 1e-3)}}, wide = reference;
  for (std::size_t i = 0; i < 1000; ++i) {
    reference.gradients[0].elements[i] += error.elements[i];
    wide.gradients[1].elements[i] = 0;
  }
  StepValues measured = reference;
  measured.gradients[1] = noise("bias", 1000, 5, 1e-3);  // rounding of another order
  constexpr double kTolerance = 0x1p-4;
  CHECK_FALSE(compare_steps(reference, measured, kTolerance).ok);
  CHECK(compare_steps(reference, measured, kTolerance, false, {&wide}).ok);
  StepValues broken = wide;
  broken.loss *= 1.1;
  CHECK_FALSE(compare_steps(reference, measured, kTolerance, false, {&broken}).ok);
  measured.gradients[1] = noise("bias", 1000, 5, 6e-3);
  CHECK_THAT(compare_steps(reference, measured, kTolerance, false, {&wide}).message,
             Contains("'bias'"));
  measured = reference;
  for (double& element : measured.gradients[0].elements) element *= 1.08;  // a wrong factor
  CHECK_THAT(compare_steps(reference, measured, kTolerance, false, {&wide}).message,
             Contains("'w'"));
}

TEST_CASE("equal steps pass with no error") {
  const CheckResult result = compare_steps(values(), values(), 1e-4);
  CHECK(result.ok);
  CHECK(result.max_error == 0);
}

TEST_CASE("rounding passes and every kind of damage is named") {
  StepValues measured = values();
  SECTION("rounding") {
    for (double& x : measured.gradients[0].elements) x *= 1 + 3e-6;
    CHECK(compare_steps(values(), measured, 1e-4).ok);
  }
  SECTION("doubled") {
    for (double& x : measured.gradients[0].elements) x *= 2;
    CHECK_THAT(compare_steps(values(), measured, 1e-4).message,
               Contains("gradient of 'w' is off by"));
  }
  SECTION("a factor, beside roundings that are larger") {
    const double tolerance = check_tolerance(DType::bf16), off = GENERATE(0.0, 0.02, -0.02);
    const CheckedTensor rounding = noise("w", 1000, 4, 0.03);
    for (std::size_t i = 0; i < 1000; ++i)
      measured.gradients[0].elements[i] *= 1 + off + rounding.elements[i];
    const CheckResult result = compare_steps(values(), measured, tolerance);
    CHECK(result.ok == (off == 0));
    if (off != 0)
      CHECK_THAT(result.message, Contains("the size of gradient of 'w' is off by") &&
                                     Contains("(tolerance 8e-03)"));
  }
  SECTION("a factor, beside factors of products that are rounded to tf32") {
    const double tolerance = check_tolerance(DType::f32, true), off = GENERATE(0.0, 0.02, -0.02);
    CHECK((tolerance > check_tolerance(DType::f32) && tolerance < check_tolerance(DType::f16)));
    CHECK(check_tolerance(DType::f64, true) == check_tolerance(DType::f64));
    const CheckedTensor rounding = noise("w", 1000, 4, 0x1p-11);
    for (std::size_t i = 0; i < 1000; ++i)
      measured.gradients[0].elements[i] *= 1 + off + rounding.elements[i];
    CHECK(compare_steps(values(), measured, tolerance).ok == (off == 0));
    CHECK_FALSE(compare_steps(values(), measured, check_tolerance(DType::f32)).ok);
  }
  SECTION("one element with its sign flipped keeps the norm and is found") {
    measured.gradients[0].elements[7] *= -1;
    const CheckResult result = compare_steps(values(), measured, 1e-4);
    CHECK_FALSE(result.ok);
    CHECK(result.num_wrong == 1);
  }
  SECTION("permuted") {
    std::swap_ranges(measured.gradients[0].elements.begin(),
                     measured.gradients[0].elements.begin() + 500,
                     measured.gradients[0].elements.begin() + 500);
    CHECK_FALSE(compare_steps(values(), measured, 1e-4).ok);
  }
  SECTION("not a number") {
    measured.gradients[0].elements[0] = std::nan("");
    CHECK_FALSE(compare_steps(values(), measured, 1e-4).ok);
  }
  SECTION("replicas that disagree") {
    measured.gradients[1].num_disagreeing = 3;
    CHECK_THAT(compare_steps(values(), measured, 1e-4).message,
               Contains("differs between replicas in 3 elements"));
  }
  SECTION("the loss") {
    measured.loss = 2.6;
    CHECK_THAT(compare_steps(values(), measured, 1e-4).message, Contains("the loss is off by"));
  }
  SECTION("the loss of a replica") {
    measured.num_losses_disagreeing = 1;
    CHECK(compare_steps(values(), measured, 1e-4).message == "the loss differs between replicas");
  }
  SECTION("a gradient that is mathematically zero may be noise") {
    measured.gradients[1] = noise("b", 10, 3, 1e-10);
    CHECK(compare_steps(values(), measured, 1e-4).ok);
  }
}

TEST_CASE("outputs of a step without gradients are compared, infinities where both have them") {
  StepValues reference;
  reference.outputs = {noise("y", 100, 3, 1.0), noise("mask", 10, 4, 1.0)};
  reference.outputs[1].elements[3] = -std::numeric_limits<double>::infinity();
  StepValues measured = reference;
  const CheckResult same = compare_steps(reference, measured, 1e-4);
  CHECK(same.ok);
  CHECK(same.kind == "outputs");
  measured.outputs[0].elements[7] += 0.1;
  CHECK_THAT(compare_steps(reference, measured, 1e-4).message, Contains("output 'y'"));
  measured = reference;
  measured.outputs[1].elements[3] = 0;
  CHECK_FALSE(compare_steps(reference, measured, 1e-4).ok);
  measured = reference;
  reference.outputs[0].elements[7] = measured.outputs[0].elements[7] =
      std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(compare_steps(reference, measured, 1e-4).ok);
}

TEST_CASE("where gradients overflow in the reference they must overflow, wherever") {
  StepValues reference = values(), measured = values();
  reference.gradients[0].elements[3] = INFINITY;
  CHECK_FALSE(compare_steps(reference, measured, 1e-4).ok);
  CHECK_THAT(compare_steps(reference, measured, 1e-4, true).message,
             Contains("no gradient overflows"));
  measured.gradients[1].elements[5] = NAN;
  CHECK(compare_steps(reference, measured, 1e-4, true).ok);
  CHECK_FALSE(compare_steps(reference, measured, 1e-4).ok);
  CHECK_FALSE(compare_steps(values(), measured, 1e-4, true).ok);
  measured.loss *= 1.01;
  CHECK_FALSE(compare_steps(reference, measured, 1e-4, true).ok);
}

TEST_CASE("a sample of an overflowing gradient skips the update as the whole does") {
  const ir::LossScale dynamic{.initial = 4096, .growth_interval = 5};
  const Program step = small_step({.master_weights = true, .loss_scale = dynamic}, 1, DType::f16);
  std::vector<ir::Tensor> inputs = before(step, 9, 1);
  const std::vector<ir::Tensor> results = ir::evaluate(step, inputs);
  std::vector<CheckedTensor> gradients = tensors({results[1]});
  gradients[0].elements[1234] = INFINITY;
  std::vector<CheckedTensor> updated = tensors({results.begin() + 2, results.end()});
  const auto check = [&] { return compare_update(step, {9, 1, gradients, updated}, 1e-4, 100); };
  CHECK_FALSE(check().ok);  // it was not skipped
  for (std::size_t i = 2; i < step.outputs.size(); ++i) {
    updated[i - 2].elements = inputs[static_cast<std::size_t>(step.outputs[i].input)].elements;
    if (updated[i - 2].shape.dims.empty() && updated[i - 2].elements[0] == 4096)
      updated[i - 2].elements[0] = 2048;
  }
  CHECK(check().message == "");
}

TEST_CASE("Adam's update is the published one, of moments that are not zero") {
  const Program step = small_step({.learning_rate = 0.1}, 1e-3);
  const std::int64_t number = GENERATE(1, 2, 1000);
  const std::vector<ir::Tensor> inputs = before(step, 9, number);
  const ir::Tensor& w = inputs[0];
  const ir::Tensor& g = inputs[1];
  const ir::Tensor& m0 = inputs[2];
  const ir::Tensor& v0 = inputs[3];
  ir::Tensor p = w, m = w, v = w;
  const double t = static_cast<double>(number);
  for (std::size_t i = 0; i < w.elements.size(); ++i) {
    m.elements[i] = 0.9 * m0.elements[i] + 0.1 * g.elements[i];
    v.elements[i] = 0.999 * v0.elements[i] + 0.001 * g.elements[i] * g.elements[i];
    CHECK(v0.elements[i] > 0);
    p.elements[i] -= 0.1 * m.elements[i] / (1 - std::pow(0.9, t)) /
                     (std::sqrt(v.elements[i] / (1 - std::pow(0.999, t))) + 1e-8);
  }
  const std::vector<CheckedTensor> gradients = tensors({g});
  std::vector<CheckedTensor> updated = tensors({p, m, v});
  const auto result = [&](std::int64_t max_elements) {
    return compare_update(step, {9, number, gradients, updated}, 1e-4, max_elements);
  };
  CHECK(result(16384).ok);
  CHECK(result(100).ok);
  updated[0].elements.back() += 0.01;
  CHECK_THAT(result(100).message, Contains("an element of updated 'w' is off by"));
  updated[0].elements.back() -= 0.01;
  updated[2].num_disagreeing = 1;
  CHECK_THAT(result(100).message, Contains("differs between replicas in 1 elements"));
}

TEST_CASE("the last place of a subnormal weight is rounding") {
  ir::Optimizer sgd{
      .kind = ir::Optimizer::Kind::sgd, .learning_rate = 0.01, .master_weights = true};
  const Program step = small_step(sgd, 1e-3, DType::f16, 1e-5);
  sgd.learning_rate *= 1 + 5e-5;
  CHECK(result_of(step, small_step(sgd, 1e-3, DType::f16, 1e-5), 1).message == "");
  sgd.learning_rate *= 1.1;
  CHECK_FALSE(result_of(step, small_step(sgd, 1e-3, DType::f16, 1e-5), 1).ok);
}

TEST_CASE("an update may round a gradient to 16 bits on its way, and do no more") {
  ir::Builder b("rounds");
  const Shape shape{DType::f32, {64, 70}};
  const ValueId w = b.input(InputKind::parameter, shape, {Initializer::Kind::normal, 0, 1}, "w"),
                x = b.input(InputKind::batch, shape, {Initializer::Kind::normal, 0, 1}, "x");
  b.output(b.reduce(b.mul(w, x), {0, 1}, Reduction::sum), OutputKind::loss);
  b.output(x, OutputKind::gradient, 0);
  b.set_phase(Phase::update);
  const ValueId rounded = b.convert(b.convert(x, DType::bf16), DType::f32);
  b.output(b.sub(w, b.scale(rounded, 0.1)), OutputKind::updated_state, 0);
  const Program step = std::move(b).finish();
  const std::vector<ir::Tensor> results = ir::evaluate(step, before(step, 41, 1));
  const std::vector<CheckedTensor> gradients = tensors({results[1]});
  std::vector<CheckedTensor> updated = tensors({results[2]});
  const auto check = [&](double error) {
    std::vector<CheckedTensor> other = updated;
    for (std::size_t i = 0; i < other[0].elements.size(); ++i)
      other[0].elements[i] -= 0.1 * error * results[1].elements[i];
    return compare_update(step, {41, 1, gradients, other}, 1e-4, 16384);
  };
  CHECK(check(0).message == "");
  CHECK(check(0x1p-8).message == "");
  CHECK_FALSE(check(0x1p-5).ok);
}

TEST_CASE("no constant of an optimizer can change unseen") {
  const ir::LossScale dynamic{.initial = 4096, .growth_interval = 20};
  const auto optimizer =
      GENERATE_COPY(ir::Optimizer{.kind = ir::Optimizer::Kind::sgd, .momentum = 0.9},
                    ir::Optimizer{.kind = ir::Optimizer::Kind::adam},
                    ir::Optimizer{.kind = ir::Optimizer::Kind::adam,
                                  .master_weights = true,
                                  .wide_gradients = true,
                                  .loss_scale = dynamic});
  const double size = GENERATE(1e-3, 1e-6);
  const bool scales = optimizer.loss_scale.is_on();
  const Program step = small_step(optimizer, size, scales ? DType::f16 : DType::f32);
  // The last ones: the scale nearly doubles, and does; it is as large as can be, and gradients
  // overflow.
  std::vector<std::int64_t> numbers{1, 2, 1000};
  if (scales) numbers.insert(numbers.end(), {19, 20, 1 + 127 * 20});
  int num_constants = 0;
  for (const std::int64_t number : numbers) CHECK(result_of(step, step, number).message == "");
  for (ValueId id = 0; id < step.size(); ++id) {
    if (step.op(id).kind != OpKind::constant || step.op(id).phase != Phase::update) continue;
    if (step.op(id).attributes.get<ConstantAttr>().elements[0] == 0) continue;
    ++num_constants;
    for (const double factor : {0.0, -1.0, 0.9, 1.1, 2.0, 1e30}) {
      Program made = step;
      Op& op = made.ops[static_cast<std::size_t>(id)];
      op.attributes = ConstantAttr{{op.attributes.get<ConstantAttr>().elements[0] * factor}};
      CAPTURE(id, factor, size, step.op(id).attributes.get<ConstantAttr>().elements);
      bool ok = true;
      for (const std::int64_t number : numbers) ok = ok && result_of(step, made, number).ok;
      CHECK_FALSE(ok);
    }
  }
  CHECK(num_constants >= 2);
}
