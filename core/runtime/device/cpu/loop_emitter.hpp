// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "runtime/device/cpu/loop_program.hpp"

namespace rhino::runtime {

/// Thrown inside of the loop compiler where an op or a type has no block function.
struct Unsupported {};

/// Appends instructions to a LoopProgram. Registers are numbers until assign_registers().
class LoopEmitter {
 public:
  LoopEmitter(std::int64_t rows, std::int64_t columns) {
    loop_.rows = rows;
    loop_.columns = columns;
  }

  /// `op` on `operands`, over as much as they vary with; into `to` if that is as much, else into a
  /// register.
  BlockOperand map(const Op& op, std::vector<BlockOperand> operands,
                   const std::optional<BlockOperand>& to);
  BlockOperand constant(DType dtype, double value);
  /// `value`, repeated until it has `extent`: itself, or a register.
  BlockOperand of_extent(const BlockOperand& value, Extent extent);
  BlockOperand copied(const BlockOperand& value, Extent extent);
  BlockOperand fold(Reduction reduction, const BlockOperand& value,
                    const std::optional<BlockOperand>& to);
  BlockOperand new_register(Extent extent, DType dtype);

  /// An instruction that copies `value` to memory operand `to`.
  BlockInstruction copy(const BlockOperand& value, const BlockOperand& to) const;
  void emit(BlockInstruction instruction);
  /// Returns its number.
  std::int32_t add_accumulator(const Accumulator& accumulator);

  LoopProgram finish(bool folds) &&;

  std::int64_t rows() const { return loop_.rows; }
  std::int64_t columns() const { return loop_.columns; }

 private:
  LoopProgram loop_;
  std::int64_t num_registers_ = 0;
};

/// Throws Unsupported for a function that there is not.
BlockFunction checked(BlockFunction function);
/// Throws Unsupported for a type without block functions.
void check_type(DType dtype);

}  // namespace rhino::runtime
