// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/cpu/block_execution.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "rhino/index.hpp"

namespace rhino::runtime {
namespace {

using Instruction = BlockInstruction;
using Where = BlockOperand::Where;

/// Element (first_row, first_column) of the range.
std::byte* address(const BlockOperand& operand, const BlockRange& range,
                   const BlockContext& context) {
  switch (operand.where) {
    case Where::scratch: return context.scratch + operand.offset;
    case Where::constants: return const_cast<std::byte*>(context.constants) + operand.offset;
    default:
      return context.memory[at(operand.base)] + operand.offset +
             (range.first_row * operand.row_stride + range.first_column * operand.column_stride) *
                 dtype_bytes(operand.dtype);
  }
}

/// Elements from one row of a full block to the next.
std::int64_t pitch(const BlockOperand& operand, const BlockRange& range) {
  if (operand.where == Where::memory) return operand.row_stride;
  switch (operand.extent) {
    case Extent::full: return range.num_columns;
    case Extent::row: return 1;
    default: return 0;
  }
}

void map(const Instruction& instruction, const BlockRange& range, const BlockContext& context) {
  BlockArgs args;
  args.to = address(instruction.to, range, context);
  for (std::size_t i = 0; i < instruction.from.size(); ++i) {
    args.from[i] = address(instruction.from[i], range, context);
  }
  if (instruction.extent != Extent::full) {
    args.columns = instruction.extent == Extent::row      ? range.num_rows
                   : instruction.extent == Extent::column ? range.num_columns
                                                          : 1;
    instruction.function(args);
    return;
  }
  args.rows = range.num_rows;
  args.columns = range.num_columns;
  args.to_pitch = pitch(instruction.to, range);
  bool is_flat = args.rows == 1 || args.to_pitch == args.columns;
  for (std::size_t i = 0; i < instruction.from.size(); ++i) {
    args.pitch[i] = pitch(instruction.from[i], range);
    const bool is_single = (instruction.single >> i & 1) != 0;
    is_flat = is_flat && (args.rows == 1 || args.pitch[i] == (is_single ? 0 : args.columns));
  }
  if (is_flat) args.columns *= std::exchange(args.rows, 1);
  instruction.function(args);
}

struct StripPlaces {
  std::byte* places[kMaxPlaces];  ///< of the instruction's operands, then temporaries
  std::int64_t pitches[kMaxPlaces];
  alignas(64) std::byte temporaries[kMaxPlaces][kStripBytes];
};

/// The elements from `first` to `first + count`, less than a narrow strip, in memory that is as
/// wide as one.
void last_strip(const Instruction& instruction, const StripPlaces& row, std::int64_t first,
                std::int64_t count) {
  std::byte* places[kMaxPlaces];
  alignas(64) std::byte elements[kMaxPlaces][kStripBytes];
  std::copy_n(row.places, kMaxPlaces, places);
  const auto copy = [&](std::size_t i, bool back) {
    const std::int64_t size = dtype_bytes(instruction.from[i].dtype);
    std::byte* outside = row.places[i] + first * size;
    std::memcpy(back ? outside : elements[i], back ? elements[i] : outside, at(count * size));
  };
  for (std::size_t i = 0; i < instruction.from.size(); ++i) {
    if ((instruction.single >> i & 1) != 0) continue;
    copy(i, false);
    places[i] = elements[i];
  }
  run_strips(instruction.steps, {places}, narrow_strip_elements());
  for (std::size_t i = 0; i < instruction.from.size(); ++i) {
    if (instruction.is_written[i]) copy(i, true);
  }
}

void strips(const Instruction& instruction, const BlockRange& range, const BlockContext& context) {
  StripPlaces row;
  std::int64_t rows = range.num_rows, columns = range.num_columns;
  const std::size_t num_operands = instruction.from.size();
  bool is_flat = true;
  for (std::size_t i = 0; i < num_operands; ++i) {
    const BlockOperand& operand = instruction.from[i];
    const bool is_single = (instruction.single >> i & 1) != 0;
    const std::int64_t elements = pitch(operand, range);
    is_flat = is_flat && elements == (is_single ? 0 : columns);
    row.places[i] = address(operand, range, context);
    row.pitches[i] = elements * dtype_bytes(operand.dtype);
  }
  for (std::size_t i = num_operands; i < at(kMaxPlaces); ++i) row.places[i] = row.temporaries[i];
  if (is_flat) columns *= std::exchange(rows, 1);
  const std::int64_t rest = columns % narrow_strip_elements();
  for (std::int64_t i = 0; i < rows; ++i) {
    run_strips(instruction.steps, {row.places}, columns - rest);
    if (rest != 0) last_strip(instruction, row, columns - rest, rest);
    for (std::size_t place = 0; place < num_operands; ++place) {
      row.places[place] += row.pitches[place];
    }
  }
}

void fold(const Instruction& instruction, const BlockRange& range, const BlockContext& context) {
  BlockArgs args;
  args.to = address(instruction.to, range, context);
  args.to_pitch = 1;
  args.from[0] = address(instruction.from[0], range, context);
  args.pitch[0] = pitch(instruction.from[0], range);
  args.rows = range.num_rows;
  args.columns = range.num_columns;
  instruction.function(args);
}

/// `range` as a load or store of a register of some extent sees it.
BlockRange restricted(BlockRange range, Extent extent) {
  if (extent == Extent::row) range.num_columns = 1, range.first_column = 0;
  if (extent == Extent::column) range.num_rows = 1, range.first_row = 0;
  return range;
}

/// Elements first, first + 1, ... of a coordinate.
template <typename T>
void count_run(const Instruction& count, std::int64_t first, std::int64_t length, T* to) {
  std::int64_t position = first / count.stride % count.extent_of_dim, inside = first % count.stride;
  while (length > 0) {
    if (count.stride == 1) {
      const std::int64_t run = std::min(length, count.extent_of_dim - position);
      const std::int64_t start = position * count.factor + count.start;
      for (std::int64_t i = 0; i < run; ++i) to[i] = static_cast<T>(start + i * count.factor);
      position = 0;
      to += run;
      length -= run;
    } else {
      const std::int64_t run = std::min(length, count.stride - inside);
      std::fill_n(to, run, static_cast<T>(position * count.factor + count.start));
      position = position + 1 == count.extent_of_dim ? 0 : position + 1;
      inside = 0;
      to += run;
      length -= run;
    }
  }
}

template <typename T>
void count(const Instruction& instruction, const BlockRange& range, std::int64_t columns, T* to) {
  switch (instruction.extent) {
    case Extent::splat: *to = static_cast<T>(instruction.start); break;
    case Extent::column: count_run(instruction, range.first_column, range.num_columns, to); break;
    case Extent::row:
      for (std::int64_t i = 0; i < range.num_rows; ++i) {
        count_run(instruction, (range.first_row + i) * columns, 1, to + i);
      }
      break;
    case Extent::full:
      for (std::int64_t i = 0; i < range.num_rows; ++i) {
        count_run(instruction, (range.first_row + i) * columns + range.first_column,
                  range.num_columns, to + i * range.num_columns);
      }
      break;
  }
}

void count(const Instruction& instruction, const BlockRange& range, const BlockContext& context) {
  std::byte* to = address(instruction.to, range, context);
  switch (instruction.to.dtype) {
    case DType::f64:
      return count(instruction, range, context.columns, reinterpret_cast<double*>(to));
    case DType::f32:
      return count(instruction, range, context.columns, reinterpret_cast<float*>(to));
    case DType::s32:
      return count(instruction, range, context.columns, reinterpret_cast<std::int32_t*>(to));
    case DType::s64:
      return count(instruction, range, context.columns, reinterpret_cast<std::int64_t*>(to));
    case DType::s8:
      return count(instruction, range, context.columns, reinterpret_cast<std::int8_t*>(to));
    case DType::u32:
      return count(instruction, range, context.columns, reinterpret_cast<std::uint32_t*>(to));
    default: return count(instruction, range, context.columns, reinterpret_cast<std::uint8_t*>(to));
  }
}

/// Runs of rows whose results lie at the same place are combined at once.
void accumulate_rows(const Instruction& instruction, const Accumulator& accumulator,
                     const BlockRange& range, const BlockContext& context) {
  const std::int64_t size = dtype_bytes(accumulator.dtype);
  std::byte* to = context.accumulators[at(instruction.accumulator)];
  BlockArgs args;
  args.pitch[0] = pitch(instruction.from[0], range);
  args.columns = range.num_columns;
  const std::byte* from = address(instruction.from[0], range, context);
  const std::vector<lower::StridedDim>& rows = instruction.window.rows;
  for (std::int64_t i = 0; i < range.num_rows;) {
    const std::int64_t offset = offset_at(rows, range.first_row + i);
    std::int64_t next = i + 1;
    while (next < range.num_rows && offset_at(rows, range.first_row + next) == offset) ++next;
    args.to = to + (offset + range.first_column) * size;
    args.from[0] = from + i * args.pitch[0] * size;
    args.rows = next - i;
    accumulator.combine(args);
    i = next;
  }
}

/// from[0] has one element per row.
void accumulate_elements(const Instruction& instruction, const Accumulator& accumulator,
                         const BlockRange& range, const BlockContext& context) {
  const std::int64_t size = dtype_bytes(accumulator.dtype);
  std::byte* to = context.accumulators[at(instruction.accumulator)];
  BlockArgs args;
  args.from[0] = address(instruction.from[0], range, context);
  const std::vector<lower::StridedDim>& rows = instruction.window.rows;
  const bool all_meet =
      std::ranges::all_of(rows, [](const lower::StridedDim& dim) { return dim.stride == 0; });
  if (all_meet) {
    BlockArgs whole = args;
    whole.to = address(instruction.from[1], range, context);
    whole.columns = range.num_rows;
    instruction.function(whole);
    args.from[0] = whole.to;
    args.to = to;
    accumulator.combine(args);
    return;
  }
  for (std::int64_t i = 0; i < range.num_rows; ++i, args.from[0] += size) {
    args.to = to + offset_at(rows, range.first_row + i) * size;
    accumulator.combine(args);
  }
}

}  // namespace

void execute(const Instruction& instruction, const LoopProgram& loop, const BlockRange& range,
             const BlockContext& context) {
  const std::int64_t size = dtype_bytes(instruction.to.dtype);
  switch (instruction.kind) {
    case Instruction::Kind::map: return map(instruction, range, context);
    case Instruction::Kind::fold: return fold(instruction, range, context);
    case Instruction::Kind::count: return count(instruction, range, context);
    case Instruction::Kind::strips: return strips(instruction, range, context);
    case Instruction::Kind::load:
      return load_block(instruction.window, restricted(range, instruction.extent),
                        address(instruction.from[0], range, context),
                        address(instruction.to, range, context), size);
    case Instruction::Kind::store:
      return store_block(instruction.window, restricted(range, instruction.extent),
                         address(instruction.from[0], range, context),
                         address(instruction.to, range, context), size);
    case Instruction::Kind::accumulate: {
      const Accumulator& accumulator = loop.accumulators[at(instruction.accumulator)];
      return instruction.extent == Extent::full
                 ? accumulate_rows(instruction, accumulator, range, context)
                 : accumulate_elements(instruction, accumulator, range, context);
    }
  }
}

}  // namespace rhino::runtime
