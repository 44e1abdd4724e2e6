// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "ir/autodiff.hpp"
#include "ir/reference.hpp"

/// Gradients against central differences, both in fp64 through the reference evaluator.
namespace rhino::testing {

using Random = std::mt19937_64;

inline double uniform(Random& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
}

inline double normal(Random& random) {
  return std::sqrt(-2 * std::log(1 - uniform(random, 0, 1))) *
         std::cos(6.283185307179586 * uniform(random, 0, 1));
}

inline double draw(const Initializer& initializer, Random& random) {
  switch (initializer.kind) {
    // Off its round beginning, where gradients would hide mistakes.
    case Initializer::Kind::constant: return initializer.a + 0.3 * normal(random);
    case Initializer::Kind::normal: return initializer.a + initializer.b * normal(random);
    case Initializer::Kind::uniform: return uniform(random, initializer.a, initializer.b);
    case Initializer::Kind::uniform_integer:
      return std::floor(uniform(random, initializer.a, initializer.b));
    case Initializer::Kind::step:
    case Initializer::Kind::moment:
    case Initializer::Kind::doubling:
    case Initializer::Kind::cycle: return 1;
  }
  return 0;
}

inline std::vector<ir::Tensor> random_inputs(const Program& program, Random& random) {
  std::vector<ir::Tensor> inputs;
  for (const Input& input : program.inputs) {
    ir::Tensor tensor{program.shape(input.value), {}};
    tensor.elements.resize(static_cast<std::size_t>(num_elements(tensor.shape)));
    for (double& element : tensor.elements) element = draw(input.initializer, random);
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

/// A program's loss and the gradients of it.
class GradientCheck {
 public:
  /// With respect to all floating-point inputs.
  explicit GradientCheck(Program forward) : forward_(std::move(forward)) {
    const ValueId loss = forward_.outputs.at(0).value;
    forward_.outputs = {{loss, OutputKind::loss}};
    std::vector<ValueId> values;
    for (std::size_t i = 0; i < forward_.inputs.size(); ++i) {
      const ValueId value = forward_.inputs[i].value;
      if (!is_floating(forward_.shape(value).dtype)) continue;
      inputs_.push_back(i);
      values.push_back(value);
    }
    Program step = forward_;
    gradients_ = ir::append_gradients(step, loss, values);
    for (ValueId gradient : gradients_) {
      if (gradient != kNoValue) step.outputs.push_back({gradient, OutputKind::value});
    }
    step_ = ir::recompute_cheap(step);
  }

  const Program& step() const { return step_; }

  /// At most `max_elements` random elements per input.
  void by_element(const std::vector<ir::Tensor>& at, std::size_t max_elements,
                  Random& random) const {
    const std::vector<ir::Tensor> results = ir::evaluate(step_, at, ir::Precision::f64);
    std::size_t next = 1;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const ir::Tensor* gradient = gradients_[i] == kNoValue ? nullptr : &results[next++];
      const std::size_t count = at[inputs_[i]].elements.size();
      if (gradient) REQUIRE(gradient->elements.size() == count);
      for (std::size_t k = 0; k < std::min(count, max_elements); ++k) {
        const std::size_t element = count <= max_elements ? k : random() % count;
        check_element(at, inputs_[i], element, gradient ? gradient->elements[element] : 0);
      }
    }
  }

  /// Along one random direction through all inputs at once.
  void by_direction(const std::vector<ir::Tensor>& at, Random& random) const {
    const std::vector<ir::Tensor> results = ir::evaluate(step_, at, ir::Precision::f64);
    std::vector<ir::Tensor> ahead = at, behind = at;
    double slope = 0, scale = 0;
    std::size_t next = 1;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (gradients_[i] == kNoValue) continue;
      const ir::Tensor& gradient = results[next++];
      for (std::size_t k = 0; k < gradient.elements.size(); ++k) {
        const double direction = normal(random);
        slope += direction * gradient.elements[k];
        scale += gradient.elements[k] * gradient.elements[k];
        ahead[inputs_[i]].elements[k] += kStep * direction;
        behind[inputs_[i]].elements[k] -= kStep * direction;
      }
    }
    const double difference = (loss(ahead) - loss(behind)) / (2 * kStep);
    CAPTURE(slope, difference);
    CHECK(std::abs(slope - difference) <= 1e-6 * (std::sqrt(scale) + std::abs(loss(at)) + 1e-3));
  }

 private:
  static constexpr double kStep = 1e-6;

  double loss(const std::vector<ir::Tensor>& at) const {
    return ir::evaluate(forward_, at, ir::Precision::f64)[0].elements[0];
  }

  void check_element(std::vector<ir::Tensor> at, std::size_t input, std::size_t element,
                     double gradient) const {
    double& x = at[input].elements[element];
    const double center = x, step = kStep * std::max(1.0, std::abs(center));
    x = center + step;
    const double ahead = loss(at);
    x = center - step;
    const double behind = loss(at);
    const double difference = (ahead - behind) / (2 * step);
    CAPTURE(input, element, center, gradient, difference);
    CHECK(std::abs(gradient - difference) <= 1e-7 * (1 + std::abs(gradient) + std::abs(ahead)));
  }

  Program forward_, step_;
  std::vector<std::size_t> inputs_;
  std::vector<ValueId> gradients_;
};

}  // namespace rhino::testing
