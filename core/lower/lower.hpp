// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rhino/program.hpp"

namespace rhino {

/// A value as a strided window of a buffer: what slice, transpose, broadcast, reverse and most reshapes are, without moving data.
struct View {
  ValueId base = kNoValue;             ///< the value that owns the memory
  std::int64_t offset = 0;             ///< elements
  std::vector<std::int64_t> strides;   ///< elements, per dim; 0 repeats
  bool operator==(const View&) const = default;
};

/// One kernel.
struct KernelGroup {
  enum class Kind : std::uint8_t {
    dot,      ///< one dot; `fused` may hold one add that accumulates into an aliased input (beta = 1)
    loop,     ///< fused elementwise, broadcasts, iotas, row and column reductions over one iteration space
    other,    ///< one op on its own: gather, scatter, sort, concatenate, materialised views, ...
  } kind = Kind::loop;
  std::vector<ValueId> ops;      ///< in order; values made inside and not listed in `outputs` never reach memory
  std::vector<ValueId> inputs;   ///< bases read
  std::vector<ValueId> outputs;  ///< bases written
  std::vector<std::int64_t> space;  ///< loop: extents of the iteration space
  double flops = 0;
  double bytes = 0;              ///< read and written, each base once
  bool operator==(const KernelGroup&) const = default;
};

/// A Program as the kernels that every device kind runs, and where its temporaries lie. Deterministic: cost prices the same groups that
/// devices run, and a worker lowers again rather than being sent this.
struct LoweredProgram {
  Program program;
  std::vector<View> views;              ///< per value
  std::vector<KernelGroup> groups;      ///< in execution order
  std::vector<std::int64_t> offsets;    ///< per value: bytes into the workspace; -1: input, output, view of another or never in memory
  std::vector<ValueId> placed_in;       ///< per value: the input value whose memory it overwrites (updated_state outputs), kNoValue otherwise
  std::int64_t workspace_bytes = 0;
};

/// Programs must be free of collectives. An output of kind updated_state may be written over its input's memory: groups are ordered so
/// that all reads of the old value come before, or it goes through a copy.
LoweredProgram lower(const Program& program);

/// Offsets for buffers with lifetimes [first, last] so that no two alive at once overlap; 64-byte aligned. Greedy by size.
struct Lifetime {
  std::int64_t bytes = 0, first = 0, last = 0;
};
struct Arena {
  std::vector<std::int64_t> offsets;
  std::int64_t bytes = 0;
};
Arena allocate(const std::vector<Lifetime>& lifetimes);

}  // namespace rhino
