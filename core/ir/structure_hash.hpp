// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "rhino/program.hpp"

namespace rhino::ir {

/// Equal for programs that compute alike: of kinds, shapes, operands and outputs; names, phases and
/// attributes do not count. For tables that then compare.
std::size_t structure_hash(const Program& program);

/// Whether programs do the same, op by op, in the same phases; names, origins and what inputs are
/// filled with do not count.
bool compute_alike(const Program& a, const Program& b);

}  // namespace rhino::ir
