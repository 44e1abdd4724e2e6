// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lower/lower.hpp"
#include "lower/view.hpp"
#include "runtime/device/cpu/block.hpp"
#include "runtime/device/cpu/block_window.hpp"
#include "runtime/device/cpu/strip.hpp"

namespace rhino::runtime {

/// What a value of a loop nest varies with: how many elements a block holds of it.
enum class Extent : std::uint8_t { splat, row, column, full };

/// A value of the nest in a block: in a register (scratch that belongs to the thread), in the
/// constants of the program, or in the memory of a base. Element (r, c) of the nest lies at
/// row_stride * r + column_stride * c elements from `offset`.
struct BlockOperand {
  enum class Where : std::uint8_t { nowhere, scratch, constants, memory } where = Where::nowhere;
  Extent extent = Extent::full;
  DType dtype = DType::f32;
  ValueId base = kNoValue;  ///< memory
  /// Bytes; scratch before registers are assigned: number of the register.
  std::int64_t offset = 0;
  std::int64_t row_stride = 0;  ///< elements; memory only: registers are as wide as the block
  std::int64_t column_stride = 0;
  bool operator==(const BlockOperand&) const = default;
};

/// Places of a chain of strips: operands and temporaries.
constexpr std::int32_t kMaxPlaces = 48;

/// One step on a block.
struct BlockInstruction {
  enum class Kind : std::uint8_t {
    map,    ///< `function` from operands to `to`, over what `extent` says
    load,   ///< from `window` of memory operand from[0] to a register
    store,  ///< the reverse
    count,  ///< coordinate along one dim of the nest, times `factor`, plus `start`
    fold,   ///< each row of from[0] to one element
    /// from[0], full or row, into `accumulator`; `window` says where; from[1] is a splat to work
    /// with.
    accumulate,
    strips,  ///< `steps` over `from`, whose elements are read, written or both
  } kind = Kind::map;
  Extent extent = Extent::full;
  BlockFunction function = nullptr;
  BlockOperand to;
  std::vector<BlockOperand> from;
  /// Map, strips: operands with one element per row, see elementwise_function.
  std::uint64_t single = 0;
  const StripOp* strip = nullptr;  ///< map: how a chain goes on with it, if it can
  std::vector<StripStep> steps;    ///< strips: places are those of `from`, then temporaries
  std::vector<bool> is_written;    ///< strips, per operand
  BlockWindow window;
  std::int64_t stride = 1, extent_of_dim = 1, factor = 1,
               start = 0;  ///< count: element e is at (e / stride) % extent_of_dim
  std::int32_t accumulator = -1;
};

/// A reduction over the whole pass.
struct Accumulator {
  ValueId base = kNoValue;
  DType dtype = DType::f32;
  std::int64_t elements = 1;
  double neutral = 0;
  BlockFunction combine = nullptr;
  bool keeps_columns = false;
  /// Only rows of one aligned range of so many meet in it; 0: any rows.
  std::int64_t row_period = 0;
};

/// A loop nest as steps on blocks of rows x columns.
struct LoopProgram {
  std::int64_t rows = 1, columns = 1;
  bool folds = false;  ///< a block holds whole rows
  std::int64_t block_rows = 1, block_columns = 1;
  std::vector<BlockInstruction> once;  ///< what does not vary with rows: once per range of columns
  std::vector<BlockInstruction> instructions;  ///< per block
  std::vector<Accumulator> accumulators;
  std::vector<std::byte> constants;
  std::int64_t scratch_bytes = 0;  ///< per thread
};

/// nullopt where an op or element type has no block function.
std::optional<LoopProgram> compile_loop(const lower::LoweredProgram& lowered,
                                        const lower::LoopNest& nest,
                                        const lower::KernelGroup& group);

}  // namespace rhino::runtime
