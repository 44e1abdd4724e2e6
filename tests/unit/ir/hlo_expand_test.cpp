// SPDX-License-Identifier: Apache-2.0
#include "ir/hlo_expand.hpp"

#include <functional>

#include "import_harness.hpp"
#include "ir/autodiff.hpp"
#include "ir/builder.hpp"

using namespace rhino;
using namespace rhino::ir;
using namespace rhino::testing;

namespace {

/// The sum of all outputs' elements by weights of their own, differentiated.
std::vector<Tensor> gradients_of(const std::function<ValueId(Builder&, std::vector<ValueId>)>& f,
                                 const std::vector<Tensor>& inputs, const Tensor& weights) {
  Builder b("p");
  std::vector<ValueId> values;
  for (const Tensor& input : inputs) {
    values.push_back(b.input(InputKind::parameter, input.shape, {}, "x"));
  }
  const ValueId w = b.input(InputKind::batch, weights.shape, {}, "w");
  const ValueId weighted = b.mul(f(b, values), w);
  std::vector<std::int64_t> dims;
  for (std::size_t d = 0; d < weights.shape.dims.size(); ++d) {
    dims.push_back(static_cast<std::int64_t>(d));
  }
  const ValueId loss = b.reduce(weighted, dims, Reduction::sum);
  b.output(loss, OutputKind::loss);
  Program program = std::move(b).finish();
  const std::vector<ValueId> found = append_gradients(program, loss, values);
  program.outputs.clear();
  for (ValueId gradient : found) program.outputs.push_back({gradient, OutputKind::value, -1});
  std::vector<Tensor> all = inputs;
  all.push_back(weights);
  return evaluate(program, all, Precision::f64);
}

std::vector<Tensor> outputs_of(
    const std::function<std::vector<ValueId>(Builder&, std::vector<ValueId>)>& f,
    const std::vector<Tensor>& inputs) {
  Builder b("p");
  std::vector<ValueId> values;
  for (const Tensor& input : inputs) {
    values.push_back(b.input(InputKind::parameter, input.shape, {}, "x"));
  }
  for (ValueId value : f(b, values)) b.output(value, OutputKind::value);
  return evaluate(std::move(b).finish(), inputs, Precision::f64);
}

Tensor drawn_tensor(std::mt19937& random, std::vector<std::int64_t> dims) {
  const auto count = static_cast<std::size_t>(num_elements(dims));
  Numbers numbers = draw(random, count, 0, 1000);
  for (double& number : numbers) number = number / 250 - 2;
  return f32(std::move(dims), numbers);
}

void check_near(const Tensor& a, const Tensor& b) {
  REQUIRE(a.shape == b.shape);
  for (std::size_t i = 0; i < a.elements.size(); ++i) {
    CHECK(a.elements[i] == Approx(b.elements[i]).margin(1e-9));
  }
}

}  // namespace

TEST_CASE("gradients that are ops of their own are derivatives") {
  std::mt19937 random(11);
  const Tensor x = drawn_tensor(random, {3, 4, 5}), g = drawn_tensor(random, {3, 4, 5});
  const Tensor scale = drawn_tensor(random, {4}), offset = drawn_tensor(random, {4});
  SECTION("batch-norm-grad") {
    const hlo::BatchNorm dims{1, 1e-3};
    const std::vector<Tensor> expected = gradients_of(
        [&](Builder& b, const auto& v) { return hlo::batch_norm_training(b, v, dims)[0]; },
        {x, scale, offset}, g);
    const std::vector<Tensor> statistics =
        outputs_of([&](Builder& b, const auto& v) { return hlo::batch_norm_training(b, v, dims); },
                   {x, scale, offset});
    const std::vector<Tensor> found =
        outputs_of([&](Builder& b, const auto& v) { return hlo::batch_norm_gradient(b, v, dims); },
                   {x, scale, statistics[1], statistics[2], g});
    for (std::size_t i = 0; i < 3; ++i) check_near(found[i], expected[i]);
    // Normalised with the batch's own statistics, inference is training.
    const std::vector<Tensor> again = outputs_of(
        [&](Builder& b, const auto& v) {
          return std::vector{hlo::batch_norm_inference(b, v, dims)};
        },
        {x, scale, offset, statistics[1], statistics[2]});
    check_near(again[0], statistics[0]);
    // Closed formulas of the statistics.
    double sum = 0, square = 0;
    for (std::size_t n = 0; n < 3; ++n) {
      for (std::size_t d = 0; d < 5; ++d) {
        const double element = x.elements[n * 20 + d];
        sum += element, square += element * element;
      }
    }
    CHECK(statistics[1].elements[0] == Approx(sum / 15));
    CHECK(statistics[2].elements[0] == Approx(square / 15 - sum * sum / 225));
  }
  SECTION("gelu") {
    for (const bool is_tanh : {false, true}) {
      const auto forward = is_tanh ? hlo::gelu_tanh : hlo::gelu;
      const auto derivative = is_tanh ? hlo::gelu_tanh_derivative : hlo::gelu_derivative;
      const std::vector<Tensor> expected =
          gradients_of([&](Builder& b, const auto& v) { return forward(b, v[0]); }, {x}, g);
      const std::vector<Tensor> found = outputs_of(
          [&](Builder& b, const auto& v) { return std::vector{b.mul(v[1], derivative(b, v[0]))}; },
          {x, g});
      check_near(found[0], expected[0]);
      const std::vector<Tensor> one =
          outputs_of([&](Builder& b, const auto& v) { return std::vector{forward(b, v[0])}; },
                     {f32({1}, {1})});
      CHECK(one[0].elements[0] == Approx(is_tanh ? 0.841192 : 0.841345).epsilon(1e-5));
    }
  }
  SECTION("softmax") {
    for (std::int64_t dim = 0; dim < 3; ++dim) {
      const std::vector<Tensor> y = outputs_of(
          [&](Builder& b, const auto& v) { return std::vector{hlo::softmax(b, v[0], dim)}; }, {x});
      const std::vector<Tensor> expected = gradients_of(
          [&](Builder& b, const auto& v) { return hlo::softmax(b, v[0], dim); }, {x}, g);
      const std::vector<Tensor> found = outputs_of(
          [&](Builder& b, const auto& v) {
            return std::vector{hlo::softmax_gradient(b, v[0], v[1], dim)};
          },
          {g, y[0]});
      check_near(found[0], expected[0]);
    }
  }
}
