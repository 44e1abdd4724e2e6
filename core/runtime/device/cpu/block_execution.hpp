// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/device/cpu/kernel.hpp"
#include "runtime/device/cpu/loop_program.hpp"

namespace rhino::runtime {

/// What a thread works with while it runs a nest.
struct BlockContext {
  Memory memory;
  std::byte* scratch;
  const std::byte* constants;
  std::byte* const* accumulators;
  std::int64_t columns;  ///< of the nest
};

/// Runs one instruction of `loop` on a block.
void execute(const BlockInstruction& instruction, const LoopProgram& loop, const BlockRange& range,
             const BlockContext& context);

}  // namespace rhino::runtime
