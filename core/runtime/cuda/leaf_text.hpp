// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rhino/program.hpp"

namespace rhino::runtime::cuda {

using Coordinates = std::vector<std::string>;  ///< per dim of a value

/// The element at `coordinates` of a value that is made of splats and iotas alone.
std::string leaf_text(const Program& program, ValueId id, const Coordinates& coordinates);

/// Coordinates of the operand of a window op from those of its result.
Coordinates coordinates_before(const Program& program, const Op& op,
                               const Coordinates& coordinates);

}  // namespace rhino::runtime::cuda
