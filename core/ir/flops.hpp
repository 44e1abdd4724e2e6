// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rhino/program.hpp"

namespace rhino {

/// Floating-point operations of one op: 2*M*N*K of dots and convolutions, one per element of other arithmetic.
double op_flops(const Program& program, ValueId id);
/// Of dots and convolutions alone: `model_flops` counts those that are not repetitions of forward ops (origin set, same kind, operands alike).
double dot_flops(const Program& program);
/// Elements of all inputs of kind parameter.
std::int64_t num_parameters(const Program& program);

}  // namespace rhino
