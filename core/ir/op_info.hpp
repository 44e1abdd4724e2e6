// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "rhino/program.hpp"

namespace rhino::ir {

/// The HLO opcode: `dot`, `exponential`, `all-reduce`, ... OpKind::round is `round-nearest-even`.
std::string_view op_name(OpKind kind);
std::optional<OpKind> op_from_name(std::string_view name);

/// One result element depends on the operand elements at the same index alone (convert, compare,
/// select and clamp too).
bool is_elementwise(OpKind kind);
bool is_collective(OpKind kind);  ///< moves data between devices; axis_index does not

std::string_view reduction_name(Reduction reduction);
std::string_view comparison_name(Comparison comparison);
/// The value that `reduction` leaves unchanged, for `dtype` (max: -inf or the lowest integer; min
/// of s64: the highest integer below 2^63 that a double holds).
double neutral_element(Reduction reduction, DType dtype);

/// Values that `id` feeds, in order; one entry per op even if it reads `id` twice.
std::vector<std::vector<ValueId>> users_of(const Program& program);

}  // namespace rhino::ir
