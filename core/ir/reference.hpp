// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "rhino/cluster.hpp"
#include "rhino/program.hpp"

namespace rhino::ir {

/// A tensor of the reference evaluator: elements as doubles, already rounded to its dtype.
struct Tensor {
  Shape shape;
  std::vector<double> elements;
  bool operator==(const Tensor&) const = default;
};

enum class Precision : std::uint8_t {
  declared,  ///< every op rounds to its dtype
  f64,       ///< floating-point values keep 53 bits whatever their dtype says
};

// Where StableHLO leaves a choice, or this op set differs from it:
// - Sums (dot, reduce, scatter, convolution) add up in double and round once.
// - Integers wrap and are exact up to 2^53. Division by zero yields all bits set, the remainder
// then
//   is the dividend. Conversion from floating point saturates; NaN becomes 0.
// - select_and_scatter (operand, source) adds source to the first largest (max) or smallest (min)
//   element of each window; padding is never chosen.
// - sort is ascending and stable, NaN last: (keys) yields keys, (keys, values) values in their
// order.

/// Evaluates `program` on one device: one obvious loop per op, the oracle of every other executor
/// at small sizes. Inputs in the order of program.inputs, results in the order of program.outputs.
std::vector<Tensor> evaluate(const Program& program, std::span<const Tensor> inputs,
                             Precision precision = Precision::declared);

/// The same for a partitioned program on all devices of `mesh` in lockstep, collectives included:
/// inputs[rank][i] → outputs[rank][i].
std::vector<std::vector<Tensor>> evaluate_spmd(const Program& program, const Mesh& mesh,
                                               const std::vector<std::vector<Tensor>>& inputs,
                                               Precision precision = Precision::declared);

/// All values of a program, by ValueId; for tests and constant folding.
std::vector<Tensor> evaluate_all(const Program& program, std::span<const Tensor> inputs,
                                 Precision precision = Precision::declared);

}  // namespace rhino::ir
