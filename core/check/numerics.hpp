// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rhino/program.hpp"
#include "rhino/shape.hpp"

namespace rhino::check {

/// A whole tensor as an executor yields it, elements as doubles, row-major.
struct CheckedTensor {
  std::string name;
  Shape shape;
  std::vector<double> elements;
  std::int64_t num_disagreeing = 0;  ///< elements that replicas hold with different bits
};

/// What two runs of one step are compared by.
struct StepValues {
  double loss = 0;                          ///< 0 of a step without one
  std::int64_t num_losses_disagreeing = 0;  ///< 1: replicas hold it with different bits
  std::vector<CheckedTensor> gradients;
  /// Outputs of a step that has no gradients: its values, and what replaces its states.
  std::vector<CheckedTensor> outputs = {};
};

struct CheckResult {
  bool ok = false;
  std::string kind;      ///< "numerics", "outputs" of steps without gradients, "none"
  double max_error = 0;  ///< the largest of all relative errors
  double tolerance = 0;
  std::int64_t num_wrong = 0;  ///< tensors out of tolerance, replicas that disagree included
  /// Of the worst: "gradient of 'h0.mlp.up.weight' is off by 3.1e-02 (tolerance 1e-04)".
  std::string message;
};

/// Of loss and gradients of a model of `dtype`: f64 1e-9, f32 1e-4, f16 2^-7, bf16 2^-4. Devices
/// sum up in another order; where that changes the rounding to 16 bits of an activation, or partial
/// sums of several devices are rounded each, elements differ by a unit in the last place, and all
/// that follows from them by as much: 16 units of the dtype, of which gpt 1m on two tensor-parallel
/// devices takes two, 15m three, and cuts whose dots are the same none. Roundings of many elements
/// cancel in a gradient's size, which may be off by 2 units: 15m takes 0.7. A wrong scale, mask or
/// factor takes many. `uses_tf32`: factors of f32 products are rounded to as many bits as f16 has,
/// and nothing else is, neither activations nor sums: half of what f16 may, 8 units, 2^-8.
double check_tolerance(DType dtype, bool uses_tf32 = false);
/// Of updates, which are computed in f32 or f64 whatever the model's dtype: 1e-4, f64 1e-9.
double update_tolerance(DType dtype);

/// Whether no element of any gradient is infinite or NaN.
bool is_finite(const StepValues& values);

/// Compares with a single-device run of the same step. Outputs are compared as gradients are, but
/// that elements may be infinite where both are. Per gradient g with reference r the norm of
/// the difference over max(|r|, 1e-6 of the norm of all gradients); the largest element error
/// over the root mean square of r (floored alike) at 10 times the tolerance; its size, |(g - r) .
/// r| over the square of that norm, at an eighth; the loss relatively. NaN is wrong.
/// `may_overflow`: the step skips its update where a gradient is not finite; where the reference
/// has one, so must the other, wherever, and only losses are compared.
/// `otherwise`: what the single device yields of a step of 16 bits, or of products with factors of
/// tf32, if it is rounded otherwise, each of as many gradients: in f32, with sums in parts, as
/// devices add them up, or with factors rounded. Some gradients are
/// nearly all rounding, as those of keys' biases, which are 0 but for it, and deep ones behind max
/// or ReLU, which jump; so each may also differ four times as much from the reference as the one
/// that differs most. One whose loss is out of tolerance is no rounding, and allows nothing.
CheckResult compare_steps(const StepValues& reference, const StepValues& measured, double tolerance,
                          bool may_overflow = false,
                          const std::vector<const StepValues*>& otherwise = {});

/// One step that began from the initial values of `seed` as step number `number`.
struct UpdateRun {
  std::uint64_t seed = 0;
  std::int64_t number = 1;
  const std::vector<CheckedTensor>& gradients;  ///< that it computed, of the gradient outputs
  const std::vector<CheckedTensor>& updated;    ///< what it left, of the updated_state outputs
};

/// The optimizer on equal gradients: what `step`'s update ops make of the initial values and the
/// run's own gradients, against what the run left. Element by element: an error may be `tolerance`
/// of the element's change, and the rounding of what is added up, or to 16 bits on the way. Where
/// elements are independent, but for whether all gradients are finite, about `max_elements` of each
/// tensor are compared, in pieces evenly spread.
CheckResult compare_update(const Program& step, const UpdateRun& run, double tolerance,
                           std::int64_t max_elements = 16384);

}  // namespace rhino::check
