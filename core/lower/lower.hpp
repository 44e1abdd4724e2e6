// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "lower/attention.hpp"
#include "rhino/cluster.hpp"
#include "rhino/program.hpp"

namespace rhino::lower {

/// A value as a strided window of a buffer: what slice, transpose, broadcast, reverse and most
/// reshapes are, without moving data.
struct View {
  ValueId base = kNoValue;            ///< the value that owns the memory
  std::int64_t offset = 0;            ///< elements
  std::vector<std::int64_t> strides;  ///< elements, per dim; 0 repeats
  bool operator==(const View&) const = default;
};

/// Ops that one pass over `rows` x `columns` elements computes, row-major. An op runs on every
/// element or once per row; ops never meet at other elements than their own, but for reductions:
///   - one that folds a row leaves a value per row, which later ops of the nest read;
///   - any other reduction accumulates into memory over the whole pass, and only later kernels read
///   it.
struct LoopNest {
  struct Member {
    ValueId op = kNoValue;
    bool per_row = false;  ///< runs once per row
    bool folds = false;    ///< a reduction over all columns of each row
    bool operator==(const Member&) const = default;
  };
  std::int64_t rows = 1, columns = 1;
  std::vector<Member> members;  ///< in order
  bool operator==(const LoopNest&) const = default;
};

/// One kernel.
struct KernelGroup {
  enum class Kind : std::uint8_t {
    dot,  ///< one dot; `fused` may hold one add that accumulates into an aliased input (beta = 1)
    /// Fused elementwise, broadcasts, iotas, row and column reductions; nests that need nothing of
    /// each other.
    loop,
    attention,  ///< see Attention; where Kernels has it
    other,      ///< one op on its own: gather, scatter, sort, concatenate, materialised views, ...
  } kind = Kind::loop;
  /// In order; values made inside and not listed in `outputs` never reach memory.
  std::vector<ValueId> ops;
  std::vector<ValueId> inputs;         ///< bases read
  std::vector<ValueId> outputs;        ///< bases written
  std::vector<std::int64_t> space;     ///< loop: rows and columns of its largest nest
  std::vector<LoopNest> nests;         ///< loop only
  std::optional<Attention> attention;  ///< attention only
  double flops = 0;
  double bytes = 0;  ///< read and written, each base once
  bool operator==(const KernelGroup&) const = default;
};

/// What a device kind has kernels for, beyond what all have.
struct Kernels {
  bool attention = false;
  /// Elements of the longest rows that one pass folds; longer ones are accumulated. A core would
  /// keep no more of them in its cache.
  std::int64_t longest_row = 65536;
  bool operator==(const Kernels&) const = default;
};
/// A GPU's blocks stride over rows of any vocabulary, 256000 words say. Beyond that a row is better
/// shared by several of them.
inline constexpr std::int64_t kLongestRowOfGpus = 262144;
/// Devices with multiprocessors, all of them, are GPUs.
inline Kernels kernels_of(const Cluster& cluster) {
  const bool are_gpus = std::ranges::all_of(
      cluster.models, [](const DeviceModel& model) { return model.num_multiprocessors > 0; });
  Kernels kernels{.attention = cluster.software.attention};
  if (are_gpus) kernels.longest_row = kLongestRowOfGpus;
  return kernels;
}
/// What the cuda device has kernels for.
inline Kernels kernels_of_gpus(bool attention) {
  return {.attention = attention, .longest_row = kLongestRowOfGpus};
}

/// A Program as the kernels that a device kind runs, and where its temporaries lie.
/// Deterministic: cost prices the same groups that devices run, and a worker lowers again rather
/// than being sent this. `program` may have ops several times that were there once: see
/// with_attention().
struct LoweredProgram {
  Program program;
  /// Per value; base kNoValue: made of constants and iotas alone, computed anew by each loop that
  /// reads it.
  std::vector<View> views;
  std::vector<KernelGroup> groups;  ///< in execution order
  /// Per value: bytes into the workspace; -1: input, output, view of another or never in memory.
  std::vector<std::int64_t> offsets;
  /// Per value: the value whose memory it may overwrite: an input (updated_state outputs), or a
  /// temporary that the same nest, scatter or update of a slice is the last to read; kNoValue
  /// otherwise.
  std::vector<ValueId> placed_in;
  /// Per value: the output in whose memory it is made, -1 otherwise; other outputs are copied to
  /// theirs at the end.
  std::vector<std::int32_t> placed_out;
  std::int64_t workspace_bytes = 0;
};

/// Programs must be free of collectives. An output of kind updated_state may be written over its
/// input's memory: groups are ordered so that all reads of the old value come before, or it goes
/// through a copy.
LoweredProgram lower(const Program& program, Kernels kernels = {});
/// Also says, per op of the lowered program, which op of `program` it was made for.
LoweredProgram lower(const Program& program, Kernels kernels, std::vector<ValueId>& made_for);

/// Offsets for buffers with lifetimes [first, last] so that no two alive at once overlap; 64-byte
/// aligned. Greedy by size.
struct Lifetime {
  std::int64_t bytes = 0, first = 0, last = 0;
};
struct Arena {
  std::vector<std::int64_t> offsets;
  std::int64_t bytes = 0;
};
Arena allocate(const std::vector<Lifetime>& lifetimes);

}  // namespace rhino::lower
