// SPDX-License-Identifier: Apache-2.0
#include "check/numerics.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "ir/builder.hpp"
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

StepValues values() { return {2.5, {noise("w", 1000, 1, 1.0), noise("b", 10, 2, 1e-10)}}; }

/// Loss sum(w * x): the gradient of w is x.
Program small_step(ir::Optimizer optimizer) {
  ir::Builder b("small");
  const ValueId w =
      b.input(InputKind::parameter, {DType::f32, {6, 4}}, {Initializer::Kind::normal, 0, 1}, "w");
  const ValueId x =
      b.input(InputKind::batch, {DType::f32, {6, 4}}, {Initializer::Kind::normal, 0, 1}, "x");
  b.output(b.reduce(b.mul(w, x), {0, 1}, Reduction::sum), OutputKind::loss);
  return ir::training_step(std::move(b).finish(), optimizer);
}

}  // namespace

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
  SECTION("a gradient that is mathematically zero may be noise") {
    measured.gradients[1] = noise("b", 10, 3, 1e-10);
    CHECK(compare_steps(values(), measured, 1e-4).ok);
  }
}

TEST_CASE("the optimizer is checked on the gradients of the same run") {
  const auto kind = GENERATE(ir::Optimizer::Kind::sgd, ir::Optimizer::Kind::adam);
  const bool adam = kind == ir::Optimizer::Kind::adam;
  const Program step = small_step({.kind = kind, .learning_rate = 0.1});
  const CheckedTensor w = noise("w", 24, 4, 1), g = noise("w", 24, 5, 1);
  const CheckedTensor zero{"w.m", {DType::f32, {24}}, std::vector<double>(24, 0.0), 0};
  // Closed forms of the first step: Adam moves by rate * sign(g), up to epsilon.
  CheckedTensor p = w, m = zero, v = zero;
  for (std::size_t i = 0; i < 24; ++i) {
    p.elements[i] -=
        0.1 * (adam ? g.elements[i] / (std::abs(g.elements[i]) + 1e-8) : g.elements[i]);
    m.elements[i] = 0.1 * g.elements[i];
    v.elements[i] = 0.001 * g.elements[i] * g.elements[i];
  }
  const std::vector<CheckedTensor> initial = adam ? std::vector{w, zero, zero} : std::vector{w};
  std::vector<CheckedTensor> updated = adam ? std::vector{p, m, v} : std::vector{p};
  CHECK(compare_update(step, initial, {g}, updated, 1e-4).ok);
  CHECK(compare_update(step, initial, {g}, updated, 1e-4, 7).ok);
  updated[0].elements[23] += 0.01;
  CHECK_FALSE(compare_update(step, initial, {g}, updated, 1e-4, 7).ok);
}
