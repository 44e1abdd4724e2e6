// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rhino/program.hpp"

namespace rhino::ir {

/// The loss is differentiated times a scale, so that small gradients of 16-bit values do not
/// vanish, and gradients are divided by it again. Where one is not finite anywhere, the whole
/// update is skipped: parameters and states keep their values (selects, no branch), the step does
/// not count.
struct LossScale {
  /// Beyond these a scale or its inverse is no normal f32, and devices may flush it to zero.
  static constexpr double kLeast = 0x1p-126, kMost = 0x1p126;
  double initial = 0;                ///< 0: no scale, nothing is skipped
  std::int64_t growth_interval = 0;  ///< 0: the scale stays as it is
  bool is_on() const;
  bool operator==(const LossScale&) const = default;
};

struct Optimizer {
  enum class Kind : std::uint8_t { sgd, adam } kind = Kind::adam;
  double learning_rate = 1e-3;
  double momentum = 0;  ///< sgd
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  /// 16-bit parameters have an f32 state `<p>.master`, which is what is updated; the parameter is
  /// rounded from it at the end of the step, where its next readers, and a ZeRO group that gathers
  /// it, take half the bytes.
  bool master_weights = false;
  /// Gradients of 16-bit parameters are f32 from the dot or sum that yields them: micro-batches
  /// add up and devices reduce in f32.
  bool wide_gradients = false;
  LossScale loss_scale;
  bool operator==(const Optimizer&) const = default;
};

/// Makes a whole training step of a forward program that has one `loss` output: gradients of every
/// parameter, the cheap ones of their forward values recomputed, and the optimizer's update (phase
/// update). Outputs: loss, then gradients, then updated parameters and states in the order of
/// inputs, then other outputs of `forward`. Throws Error where there is not one loss, or a
/// parameter does not influence it. Gradients are of the scaled loss where it is scaled.
///
///  - sgd: p -= rate * g; with momentum, state `<p>.momentum`: s = momentum * s + g; p -= rate * s.
///  - adam (Kingma and Ba 2015, algorithm 1), states `<p>.m` and `<p>.v`; the step count is the
///  scalar
///    input `step`, f32, made by Initializer::Kind::step (first step: 1).
///
/// States begin from counters, not from zero, so that a first step shows what an update does with
/// them: first moments in (-1, 1), second ones positive and above a quarter of their squares'
/// bound, both in nine sizes from 1 to 1e-8 (1e-16) that take turns from element to element:
/// whatever size gradients have, each constant of an update matters somewhere. States of 16-bit
/// parameters are f32, and their update is computed in f32. States have the dim names of their
/// parameter.
///
/// States of a loss scale belong to no parameter: `loss_scale`, which doubles after growth_interval
/// updates in a row (`loss_scale.steps` counts them), up to LossScale::kMost, and halves where an
/// update is skipped; and `step`, which replaces adam's scalar: skipped updates do not count.
/// Factors as in torch.amp.GradScaler. A step made to be number k begins with what these are where
/// none was skipped.
Program training_step(Program forward, const Optimizer& optimizer);

/// The update ops alone: inputs are parameters, states, scalars and one `batch` input per gradient
/// (named after it), outputs the updated states. For checking the optimizer on equal gradients.
Program update_only(const Program& step);

/// The same in f32 where it is of 16 bits: what roundings to these cost shows beside it. Throws
/// Error where bits of 16-bit values are read as such.
Program widened(Program program);

/// The same with what a dot or convolution of 16 bits adds up before the update as two sums, each
/// rounded and then added, as two devices that share it make them.
Program halved_sums(const Program& program);

/// The same with the factors of f32 dots and convolutions before the update rounded to 10 bits
/// behind the point, half to even, as tensor cores take them (tf32).
Program tf32_factors(const Program& program);

/// Whether a step skips its update where a gradient is not finite.
bool may_skip_updates(const Program& step);

}  // namespace rhino::ir
