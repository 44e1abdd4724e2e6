// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rhino/program.hpp"

namespace rhino {

struct Optimizer {
  enum class Kind : std::uint8_t { sgd, adam } kind = Kind::adam;
  double learning_rate = 1e-3;
  double momentum = 0;  ///< sgd
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  bool operator==(const Optimizer&) const = default;
};

/// Makes a whole training step of a forward program that has one `loss` output: gradients of every parameter, the cheap ones of their
/// forward values recomputed, and the optimizer's update (phase update). Outputs: loss, then gradients, then updated parameters and states
/// in the order of inputs. Adam's step count is a scalar input made by Initializer::Kind::step (first step: 1).
Program training_step(Program forward, const Optimizer& optimizer);

/// The update ops alone: inputs are parameters, states, scalars and one `batch` input per gradient (named after it), outputs the updated
/// states. For checking the optimizer on equal gradients.
Program update_only(const Program& step);

}  // namespace rhino
