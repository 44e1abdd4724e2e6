// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rhino/program.hpp"

namespace rhino::ir {

/// Floating-point operations of one op: 2*M*N*K of dots, 2 * result elements * kernel elements per
/// output feature of convolutions, one per element that arithmetic makes or reduces, none of shape
/// ops, indexing and collectives.
double op_flops(const Program& program, ValueId id);
/// Of all dots and convolutions: what the hardware does.
double dot_flops(const Program& program);
/// Of the dots and convolutions that are not repetitions of a forward op (same kind, attributes and
/// operands as the origin, or operands that repeat those): what the model needs.
double model_flops(const Program& program);
/// Elements of all inputs of kind parameter.
std::int64_t num_parameters(const Program& program);

}  // namespace rhino::ir
