// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/device/cpu/loop_program.hpp"

namespace rhino::runtime {

/// The same steps, with runs of maps over whole blocks as chains of strips. Steps that need nothing
/// of a chain move before it, accumulations of what it makes behind it. Registers are numbers.
std::vector<BlockInstruction> with_strips(std::vector<BlockInstruction> instructions);

}  // namespace rhino::runtime
