// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/device/cpu/loop_program.hpp"

namespace rhino::runtime {

/// Chooses the size of blocks so that the registers alive at once stay in the caches of a core,
/// and turns numbers of registers into offsets into scratch memory that registers share whose lives
/// do not meet.
void assign_registers(LoopProgram& loop, std::int64_t num_registers);

}  // namespace rhino::runtime
