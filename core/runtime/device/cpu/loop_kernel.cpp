// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>
#include <utility>

#include "ir/element.hpp"
#include "rhino/index.hpp"
#include "runtime/device/cpu/block_execution.hpp"
#include "runtime/device/cpu/kernel.hpp"
#include "runtime/device/cpu/loop_program.hpp"

namespace rhino::runtime {
namespace {

using Instruction = BlockInstruction;

/// Fewer elements than this per thread are not worth waking one.
constexpr std::int64_t kElementsPerThread = 4096;

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
    ir::write_elements(accumulator.dtype, {&accumulator.neutral, 1}, element);
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
    const BlockContext context{memory, scratch_.data() + thread * scratch_bytes_,
                               loop.constants.data(), accumulators.data(), loop.columns};
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
  /// Per thread and accumulator of the nest that it runs.
  std::vector<std::vector<std::byte*>> accumulators_;
};

}  // namespace

std::unique_ptr<Kernel> make_loop_kernel(const lower::LoweredProgram& lowered,
                                         const lower::KernelGroup& group, int num_threads) {
  std::vector<LoopProgram> loops;
  for (const lower::LoopNest& nest : group.nests) {
    std::optional<LoopProgram> loop = compile_loop(lowered, nest, group);
    if (!loop) return nullptr;
    loops.push_back(std::move(*loop));
  }
  return std::make_unique<LoopKernel>(std::move(loops), num_threads);
}

}  // namespace rhino::runtime
