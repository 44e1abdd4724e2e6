// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/cpu/loop_emitter.hpp"

#include <utility>

#include "ir/element.hpp"
#include "runtime/device/cpu/block_registers.hpp"
#include "runtime/device/cpu/narrow_float.hpp"
#include "runtime/device/cpu/strip_compiler.hpp"

namespace rhino::runtime {
namespace {

using Kind = BlockInstruction::Kind;
using Where = BlockOperand::Where;

Extent joined(Extent a, Extent b) {
  if (a == b || b == Extent::splat) return a;
  return a == Extent::splat ? b : Extent::full;
}

/// Operands with one element per row of what an instruction runs over.
unsigned single_mask(const std::vector<BlockOperand>& operands, Extent extent) {
  unsigned mask = 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Extent own = operands[i].extent;
    const bool is_single = own == Extent::splat || (extent == Extent::full && own == Extent::row);
    if (is_single && extent != Extent::splat) mask |= 1U << i;
  }
  return mask;
}

/// Whether an instruction has to run for every block of rows.
bool varies(const BlockInstruction& instruction) {
  return instruction.kind == Kind::store || instruction.kind == Kind::fold ||
         instruction.kind == Kind::accumulate || instruction.to.where != Where::scratch ||
         instruction.extent == Extent::row || instruction.extent == Extent::full;
}

/// Of values that a 16-bit type holds yields one that it holds.
bool keeps_type(OpKind kind) {
  switch (kind) {
    case OpKind::negate:
    case OpKind::absolute:
    case OpKind::sign:
    case OpKind::floor:
    case OpKind::ceil:
    case OpKind::round:
    case OpKind::maximum:
    case OpKind::minimum:
    case OpKind::select:
    case OpKind::clamp: return true;
    default: return false;
  }
}

}  // namespace

BlockFunction checked(BlockFunction function) {
  if (!function) throw Unsupported{};
  return function;
}

BlockOperand LoopEmitter::map(const Op& op, std::vector<BlockOperand> operands,
                              const std::optional<BlockOperand>& to) {
  if (is_narrow(op.shape.dtype)) {
    Op wide = op;
    wide.shape.dtype = DType::f32;
    const BlockOperand value = map(wide, std::move(operands), std::nullopt);
    return keeps_type(op.kind) ? value : rounded(op.shape.dtype, value);
  }
  const bool is_same = op.kind == OpKind::convert && operands[0].dtype == op.shape.dtype;
  if (is_same && operands[0].where == Where::scratch) return operands[0];
  BlockInstruction instruction;
  instruction.extent = Extent::splat;
  for (const BlockOperand& operand : operands) {
    instruction.extent = joined(instruction.extent, operand.extent);
  }
  if (instruction.extent == Extent::full && has_short_rows()) {
    for (BlockOperand& operand : operands) operand = spread(operand);
  }
  instruction.single = single_mask(operands, instruction.extent);
  instruction.function =
      checked(elementwise_function(op, operands.back().dtype, instruction.single));
  instruction.strip = strip_op(op.kind, operands.back().dtype);
  instruction.to = to && to->extent == instruction.extent
                       ? *to
                       : new_register(instruction.extent, op.shape.dtype);
  instruction.from = std::move(operands);
  const BlockOperand result = instruction.to;
  emit(std::move(instruction));
  return result;
}

bool LoopEmitter::has_short_rows() const {
  return loop_.rows > 1 && loop_.columns > 1 && loop_.columns < strip_elements();
}

BlockOperand LoopEmitter::spread(const BlockOperand& value) {
  if (value.extent == Extent::full || value.extent == Extent::splat) return value;
  for (const auto& [from, to] : spread_) {
    if (from == value) return to;
  }
  BlockInstruction instruction = copy(value, new_register(Extent::full, value.dtype));
  instruction.strip = nullptr;
  const BlockOperand result = instruction.to;
  emit(std::move(instruction));
  return spread_.emplace_back(value, result).second;
}

BlockOperand LoopEmitter::constant(DType dtype, double value) {
  BlockOperand operand{Where::constants, Extent::splat, computed_as(dtype), kNoValue,
                       static_cast<std::int64_t>(loop_.constants.size())};
  loop_.constants.resize(loop_.constants.size() + 8);
  value = ir::round_to(dtype, value);
  ir::write_elements(operand.dtype, {&value, 1}, loop_.constants.data() + operand.offset);
  return operand;
}

BlockOperand LoopEmitter::widened(const BlockOperand& value) {
  return copied_as(DType::f32, value, value.extent);
}

BlockOperand LoopEmitter::rounded(DType dtype, const BlockOperand& value) {
  BlockInstruction instruction = copy(value, new_register(value.extent, DType::f32));
  instruction.function = checked(round_function(dtype, instruction.single));
  instruction.strip = strip_round(dtype);
  const BlockOperand result = instruction.to;
  emit(std::move(instruction));
  return result;
}

BlockOperand LoopEmitter::of_extent(const BlockOperand& value, Extent extent) {
  return value.extent == extent ? value : copied(value, extent);
}

BlockOperand LoopEmitter::copied(const BlockOperand& value, Extent extent) {
  return copied_as(value.dtype, value, extent);
}

BlockOperand LoopEmitter::copied_as(DType dtype, const BlockOperand& value, Extent extent) {
  BlockInstruction instruction = copy(value, new_register(extent, dtype));
  const BlockOperand result = instruction.to;
  emit(std::move(instruction));
  return result;
}

BlockInstruction LoopEmitter::copy(const BlockOperand& value, const BlockOperand& to) const {
  BlockInstruction instruction;
  instruction.extent = to.extent;
  instruction.single = single_mask({value}, to.extent);
  instruction.function = checked(convert_function(to.dtype, value.dtype, instruction.single));
  instruction.strip = value.dtype == to.dtype ? strip_copy(value.dtype) : nullptr;
  instruction.from = {value};
  instruction.to = to;
  return instruction;
}

BlockOperand LoopEmitter::fold(Reduction reduction, const BlockOperand& value,
                               const std::optional<BlockOperand>& to) {
  BlockInstruction instruction;
  instruction.kind = Kind::fold;
  instruction.function = checked(fold_function(reduction, value.dtype));
  instruction.from = {of_extent(value, Extent::full)};
  instruction.to = to ? *to : new_register(Extent::row, value.dtype);
  const BlockOperand result = instruction.to;
  emit(std::move(instruction));
  return result;
}

BlockOperand LoopEmitter::new_register(Extent extent, DType dtype) {
  return {Where::scratch, extent, dtype, kNoValue, num_registers_++};
}

void LoopEmitter::emit(BlockInstruction instruction) {
  (varies(instruction) ? loop_.instructions : loop_.once).push_back(std::move(instruction));
}

std::int32_t LoopEmitter::add_accumulator(const Accumulator& accumulator) {
  loop_.accumulators.push_back(accumulator);
  return static_cast<std::int32_t>(loop_.accumulators.size()) - 1;
}

LoopProgram LoopEmitter::finish(bool folds) && {
  loop_.folds = folds;
  loop_.instructions = with_strips(std::move(loop_.instructions));
  assign_registers(loop_, num_registers_);
  return std::move(loop_);
}

}  // namespace rhino::runtime
