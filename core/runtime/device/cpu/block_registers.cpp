// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/cpu/block_registers.hpp"

#include <algorithm>

#include "rhino/index.hpp"

namespace rhino::runtime {
namespace {

/// What a block's registers may take of the caches: more than the first level holds, as the steps
/// of a long block are worth more than the nearest cache (measured on layer norms, GELU, softmax
/// and Adam: 64 KiB as good as 200, 10 to 30 % better than 24).
constexpr std::int64_t kCacheBytes = 64 << 10;
constexpr std::int64_t kMinElements = 512, kMaxElements = 4096;

struct Register {
  Extent extent = Extent::splat;
  std::int64_t element_bytes = 4;
  std::int64_t first = 0, last = -1;  ///< instructions
};

template <typename Visit>
void for_each_register(BlockInstruction& instruction, Visit visit) {
  if (instruction.to.where == BlockOperand::Where::scratch) visit(instruction.to);
  for (BlockOperand& operand : instruction.from) {
    if (operand.where == BlockOperand::Where::scratch) visit(operand);
  }
}

/// Lives of registers; what is computed once is never replaced.
std::vector<Register> registers_of(LoopProgram& loop, std::int64_t num_registers) {
  std::vector<Register> registers(at(num_registers));
  const auto end = static_cast<std::int64_t>(loop.instructions.size());
  for (BlockInstruction& instruction : loop.once) {
    for_each_register(instruction, [&](BlockOperand& operand) {
      registers[at(operand.offset)] = {operand.extent, dtype_bytes(operand.dtype), 0, end};
    });
  }
  for (std::int64_t i = 0; i < end; ++i) {
    for_each_register(loop.instructions[at(i)], [&](BlockOperand& operand) {
      Register& r = registers[at(operand.offset)];
      if (r.last < 0) r = {operand.extent, dtype_bytes(operand.dtype), i, i};
      r.last = std::max(r.last, i);
    });
  }
  return registers;
}

/// Bytes per element of all full registers alive at the worst instruction.
std::int64_t widest(const std::vector<Register>& registers, std::size_t num_instructions) {
  std::vector<std::int64_t> change(num_instructions + 2);
  for (const Register& r : registers) {
    if (r.extent != Extent::full || r.last < 0) continue;
    change[at(r.first)] += r.element_bytes;
    change[at(r.last) + 1] -= r.element_bytes;
  }
  std::int64_t bytes = 0, most = 0;
  for (std::int64_t step : change) most = std::max(most, bytes += step);
  return most;
}

void choose_block(LoopProgram& loop, std::int64_t bytes_per_element) {
  const std::int64_t elements = std::clamp(
      kCacheBytes / std::max<std::int64_t>(bytes_per_element, 4), kMinElements, kMaxElements);
  const bool whole_rows = loop.folds || loop.columns <= kMaxElements;
  loop.block_columns = whole_rows ? loop.columns : elements;
  loop.block_rows = std::clamp<std::int64_t>(elements / loop.block_columns, 1, loop.rows);
}

std::int64_t bytes_of(const LoopProgram& loop, const Register& r) {
  std::int64_t elements = 1;
  if (r.extent == Extent::row || r.extent == Extent::full) elements *= loop.block_rows;
  if (r.extent == Extent::column || r.extent == Extent::full) elements *= loop.block_columns;
  return elements * r.element_bytes;
}

}  // namespace

void assign_registers(LoopProgram& loop, std::int64_t num_registers) {
  const std::vector<Register> registers = registers_of(loop, num_registers);
  choose_block(loop, widest(registers, loop.instructions.size()));
  std::vector<lower::Lifetime> lifetimes;
  for (const Register& r : registers) {
    lifetimes.push_back({r.last < 0 ? 0 : bytes_of(loop, r), r.first, std::max(r.first, r.last)});
  }
  const lower::Arena arena = lower::allocate(lifetimes);
  const auto replace = [&](BlockOperand& operand) {
    operand.offset = arena.offsets[at(operand.offset)];
  };
  for (BlockInstruction& instruction : loop.once) for_each_register(instruction, replace);
  for (BlockInstruction& instruction : loop.instructions) for_each_register(instruction, replace);
  loop.scratch_bytes = arena.bytes;
}

}  // namespace rhino::runtime
