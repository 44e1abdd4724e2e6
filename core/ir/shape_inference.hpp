// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "rhino/program.hpp"

namespace rhino::ir {

/// Shape of the result of `op` from the shapes of its operands. For ops whose result cannot follow
/// from operands alone (parameter, constant, iota, rng, broadcast, reshape, convert, axis_index,
/// dynamic collectives) it checks `op.shape` and returns it; `group_size` is the number of ranks of
/// a collective, 0 where unknown. Throws Error with one sentence that names op and shapes.
Shape infer_shape(const Op& op, std::span<const Shape* const> operands,
                  std::int64_t group_size = 0);
Shape infer_shape(const Op& op, const std::vector<Shape>& operands, std::int64_t group_size = 0);

/// Throws Error unless every operand is an earlier op, shapes follow, inputs and outputs fit (a
/// gradient has its parameter's shape, ...).
void check_program(const Program& program);

/// The part of check_program about inputs and outputs.
void check_interface(const Program& program);

}  // namespace rhino::ir
