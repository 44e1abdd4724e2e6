// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>
#include <utility>

#include "ir/element.hpp"
#include "runtime/device/cpu/kernel.hpp"
#include "runtime/device/cpu/loop_program.hpp"

namespace rhino {
namespace {

using Instruction = BlockInstruction;
using Where = BlockOperand::Where;

/// Fewer elements than this per thread are not worth waking one.
constexpr std::int64_t kElementsPerThread = 4096;

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// What a thread works with while it runs a nest.
struct Context {
  Memory memory;
  std::byte* scratch;
  const std::byte* constants;
  std::byte* const* accumulators;
  std::int64_t columns;  ///< of the nest
};

/// Element (first_row, first_column) of the range.
std::byte* address(const BlockOperand& operand, const BlockRange& range, const Context& context) {
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

void map(const Instruction& instruction, const BlockRange& range, const Context& context) {
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

void fold(const Instruction& instruction, const BlockRange& range, const Context& context) {
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

void count(const Instruction& instruction, const BlockRange& range, const Context& context) {
  std::byte* to = address(instruction.to, range, context);
  switch (instruction.to.dtype) {
    case DType::f64:
      return count(instruction, range, context.columns, reinterpret_cast<double*>(to));
    case DType::f32:
      return count(instruction, range, context.columns, reinterpret_cast<float*>(to));
    case DType::s32:
      return count(instruction, range, context.columns, reinterpret_cast<std::int32_t*>(to));
    default: return count(instruction, range, context.columns, reinterpret_cast<std::uint8_t*>(to));
  }
}

/// Runs of rows whose results lie at the same place are combined at once.
void accumulate_rows(const Instruction& instruction, const Accumulator& accumulator,
                     const BlockRange& range, const Context& context) {
  const std::int64_t size = dtype_bytes(accumulator.dtype);
  std::byte* to = context.accumulators[at(instruction.accumulator)];
  BlockArgs args;
  args.pitch[0] = pitch(instruction.from[0], range);
  args.columns = range.num_columns;
  const std::byte* from = address(instruction.from[0], range, context);
  const std::vector<StridedDim>& rows = instruction.window.rows;
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
                         const BlockRange& range, const Context& context) {
  const std::int64_t size = dtype_bytes(accumulator.dtype);
  std::byte* to = context.accumulators[at(instruction.accumulator)];
  BlockArgs args;
  args.from[0] = address(instruction.from[0], range, context);
  const std::vector<StridedDim>& rows = instruction.window.rows;
  const bool all_meet =
      std::ranges::all_of(rows, [](const StridedDim& dim) { return dim.stride == 0; });
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

void execute(const Instruction& instruction, const LoopProgram& loop, const BlockRange& range,
             const Context& context) {
  const std::int64_t size = dtype_bytes(instruction.to.dtype);
  switch (instruction.kind) {
    case Instruction::Kind::map: return map(instruction, range, context);
    case Instruction::Kind::fold: return fold(instruction, range, context);
    case Instruction::Kind::count: return count(instruction, range, context);
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

/// Memory that is aligned to cache lines.
class Scratch {
 public:
  explicit Scratch(std::int64_t bytes)
      : data_(static_cast<std::byte*>(
            ::operator new(at(std::max<std::int64_t>(bytes, 1)), kAlignment))) {
    std::memset(data_.get(), 0, at(bytes));
  }
  std::byte* data() const { return data_.get(); }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Delete {
    void operator()(std::byte* data) const { ::operator delete(data, kAlignment); }
  };
  std::unique_ptr<std::byte, Delete> data_;
};

std::int64_t aligned(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }

/// A nest with its split over threads.
struct Nest {
  LoopProgram loop;
  bool split_columns = false;
  std::int64_t row_alignment = 1;
  struct Part {
    bool is_shared = true;    ///< threads write different elements of the result
    std::int64_t offset = 0;  ///< into partial results of a thread, where they do not
  };
  std::vector<Part> parts;  ///< per accumulator
};

class LoopKernel : public Kernel {
 public:
  LoopKernel(std::vector<LoopProgram> loops, int num_threads)
      : num_threads_(threads_for(loops, num_threads)),
        scratch_bytes_(aligned(most_scratch(loops))),
        nests_(split(std::move(loops))),
        scratch_(scratch_bytes_ * num_threads_),
        partials_(partial_bytes_ * num_threads_) {
    std::size_t most = 0;
    for (const Nest& nest : nests_) most = std::max(most, nest.parts.size());
    accumulators_.resize(at(num_threads_), std::vector<std::byte*>(most));
  }

  void run(Memory memory) override {
    if (num_threads_ == 1) {
      run_thread(memory, 0);
      return;
    }
#pragma omp parallel num_threads(num_threads_)
    run_thread(memory, omp_get_thread_num());
  }

 private:
  static int threads_for(const std::vector<LoopProgram>& loops, int available) {
    std::int64_t elements = 0;
    for (const LoopProgram& loop : loops) elements += loop.rows * loop.columns;
    return static_cast<int>(std::clamp<std::int64_t>(elements / kElementsPerThread, 1, available));
  }

  static std::int64_t most_scratch(const std::vector<LoopProgram>& loops) {
    std::int64_t most = 0;
    for (const LoopProgram& loop : loops) most = std::max(most, loop.scratch_bytes);
    return most;
  }

  std::vector<Nest> split(std::vector<LoopProgram> loops) {
    std::vector<Nest> nests;
    for (LoopProgram& loop : loops) nests.push_back(split(std::move(loop)));
    return nests;
  }

  Nest split(LoopProgram loop) {
    Nest nest;
    std::int64_t alignment = 1;
    for (const Accumulator& accumulator : loop.accumulators) {
      if (accumulator.row_period > 0) alignment = std::lcm(alignment, accumulator.row_period);
    }
    if (loop.rows / alignment >= num_threads_) nest.row_alignment = alignment;
    nest.split_columns = loop.rows < 2 * num_threads_ && !loop.folds && loop.columns > loop.rows;
    for (const Accumulator& accumulator : loop.accumulators) {
      Nest::Part part;
      part.is_shared = nest.split_columns ? accumulator.keeps_columns
                                          : accumulator.row_period > 0 &&
                                                nest.row_alignment % accumulator.row_period == 0;
      if (!part.is_shared) {
        part.offset = partial_bytes_;
        partial_bytes_ += aligned(accumulator.elements * dtype_bytes(accumulator.dtype));
      }
      has_shared_ = has_shared_ || part.is_shared;
      has_partials_ = has_partials_ || !part.is_shared;
      nest.parts.push_back(part);
    }
    nest.loop = std::move(loop);
    return nest;
  }

  void run_thread(Memory memory, int thread) {
    if (has_shared_) {
      for (const Nest& nest : nests_) clear_shared(nest, memory, thread);
      wait();
    }
    for (const Nest& nest : nests_) run_nest(nest, memory, thread);
    if (has_partials_ && num_threads_ > 1) {
      wait();
      for (const Nest& nest : nests_) combine_partials(nest, memory, thread);
    }
  }

  void wait() const {
    if (num_threads_ == 1) return;
#pragma omp barrier
  }

  /// The part of `count` that is `thread`'s, in multiples of `alignment`.
  std::pair<std::int64_t, std::int64_t> share(std::int64_t count, std::int64_t alignment,
                                              int thread) const {
    const std::int64_t units = (count + alignment - 1) / alignment;
    const auto bound = [&](std::int64_t t) {
      return std::min(count, units * t / num_threads_ * alignment);
    };
    return {bound(thread), bound(thread + 1)};
  }

  static void clear(const Accumulator& accumulator, std::byte* to, std::int64_t count) {
    const std::int64_t size = dtype_bytes(accumulator.dtype);
    std::byte element[8] = {};
    write_elements(accumulator.dtype, {&accumulator.neutral, 1}, element);
    for (std::int64_t i = 0; i < count; ++i) std::memcpy(to + i * size, element, at(size));
  }

  void clear_shared(const Nest& nest, Memory memory, int thread) const {
    for (std::size_t i = 0; i < nest.parts.size(); ++i) {
      const Accumulator& accumulator = nest.loop.accumulators[i];
      if (!nest.parts[i].is_shared) continue;
      const auto [begin, end] = share(accumulator.elements, 16, thread);
      clear(accumulator, memory[at(accumulator.base)] + begin * dtype_bytes(accumulator.dtype),
            end - begin);
    }
  }

  /// Where `thread` accumulates: the first one in the result itself.
  std::byte* destination(const Nest& nest, std::size_t index, Memory memory, int thread) const {
    const Nest::Part& part = nest.parts[index];
    if (part.is_shared || thread == 0) return memory[at(nest.loop.accumulators[index].base)];
    return partials_.data() + thread * partial_bytes_ + part.offset;
  }

  void run_nest(const Nest& nest, Memory memory, int thread) {
    const LoopProgram& loop = nest.loop;
    std::vector<std::byte*>& accumulators = accumulators_[at(thread)];
    for (std::size_t i = 0; i < nest.parts.size(); ++i) {
      accumulators[i] = destination(nest, i, memory, thread);
      if (!nest.parts[i].is_shared)
        clear(loop.accumulators[i], accumulators[i], loop.accumulators[i].elements);
    }
    const auto [first_row, last_row] = nest.split_columns
                                           ? std::pair<std::int64_t, std::int64_t>{0, loop.rows}
                                           : share(loop.rows, nest.row_alignment, thread);
    const auto [first_column, last_column] =
        nest.split_columns ? share(loop.columns, 64, thread)
                           : std::pair<std::int64_t, std::int64_t>{0, loop.columns};
    const Context context{memory, scratch_.data() + thread * scratch_bytes_, loop.constants.data(),
                          accumulators.data(), loop.columns};
    for (std::int64_t column = first_column; column < last_column; column += loop.block_columns) {
      BlockRange range{first_row, std::min(loop.block_rows, last_row - first_row), column,
                       std::min(loop.block_columns, last_column - column)};
      for (const Instruction& instruction : loop.once) execute(instruction, loop, range, context);
      for (std::int64_t row = first_row; row < last_row; row += loop.block_rows) {
        range.first_row = row;
        range.num_rows = std::min(loop.block_rows, last_row - row);
        for (const Instruction& instruction : loop.instructions)
          execute(instruction, loop, range, context);
      }
    }
  }

  /// In the order of threads, so that results repeat.
  void combine_partials(const Nest& nest, Memory memory, int thread) const {
    for (std::size_t i = 0; i < nest.parts.size(); ++i) {
      const Accumulator& accumulator = nest.loop.accumulators[i];
      if (nest.parts[i].is_shared) continue;
      const auto [begin, end] = share(accumulator.elements, 16, thread);
      if (begin == end) continue;
      const std::int64_t offset = begin * dtype_bytes(accumulator.dtype);
      for (int other = 1; other < num_threads_; ++other) {
        BlockArgs args;
        args.to = memory[at(accumulator.base)] + offset;
        args.from[0] = destination(nest, i, memory, other) + offset;
        args.columns = end - begin;
        accumulator.combine(args);
      }
    }
  }

  int num_threads_;
  std::int64_t scratch_bytes_;      ///< per thread
  std::int64_t partial_bytes_ = 0;  ///< per thread
  bool has_shared_ = false, has_partials_ = false;
  std::vector<Nest> nests_;
  Scratch scratch_, partials_;
  std::vector<std::vector<std::byte*>>
      accumulators_;  ///< per thread and accumulator of the nest that it runs
};

}  // namespace

std::unique_ptr<Kernel> make_loop_kernel(const LoweredProgram& lowered, const KernelGroup& group,
                                         int num_threads) {
  std::vector<LoopProgram> loops;
  for (const LoopNest& nest : group.nests) {
    std::optional<LoopProgram> loop = compile_loop(lowered, nest, group);
    if (!loop) return nullptr;
    loops.push_back(std::move(*loop));
  }
  return std::make_unique<LoopKernel>(std::move(loops), num_threads);
}

}  // namespace rhino
