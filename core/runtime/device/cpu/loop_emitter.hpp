// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "runtime/device/cpu/loop_program.hpp"

namespace rhino::runtime {

/// Thrown inside of the loop compiler where an op or a type has no block function.
struct Unsupported {};

/// Appends instructions to a LoopProgram. Registers are numbers until assign_registers(). Values of
/// 16-bit types are f32 in registers, rounded to what their type holds.
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
  /// `value`, which memory holds as 16 bits, in a register.
  BlockOperand widened(const BlockOperand& value);
  /// `value`, repeated until it has `extent`: itself, or a register.
  BlockOperand of_extent(const BlockOperand& value, Extent extent);
  BlockOperand copied(const BlockOperand& value, Extent extent);
  /// The same as elements of `dtype`, as memory holds them.
  BlockOperand copied_as(DType dtype, const BlockOperand& value, Extent extent);
  /// A value that has been computed, as `dtype` holds it.
  BlockOperand rounded(DType dtype, const BlockOperand& value);
  BlockOperand fold(Reduction reduction, const BlockOperand& value,
                    const std::optional<BlockOperand>& to);
  BlockOperand new_register(Extent extent, DType dtype);

  /// An instruction that copies `value` to memory operand `to`, of either's type.
  BlockInstruction copy(const BlockOperand& value, const BlockOperand& to) const;
  void emit(BlockInstruction instruction);
  /// Returns its number.
  std::int32_t add_accumulator(const Accumulator& accumulator);

  LoopProgram finish(bool folds) &&;

  std::int64_t rows() const { return loop_.rows; }
  std::int64_t columns() const { return loop_.columns; }

 private:
  /// Rows shorter than a strip take as long as one each: a block of them is run as one row, for
  /// which all operands have to have as many elements.
  bool has_short_rows() const;
  BlockOperand spread(const BlockOperand& value);

  LoopProgram loop_;
  std::int64_t num_registers_ = 0;
  std::vector<std::pair<BlockOperand, BlockOperand>> spread_;  ///< values, and with all elements
};

/// Throws Unsupported for a function that there is not.
BlockFunction checked(BlockFunction function);

}  // namespace rhino::runtime
