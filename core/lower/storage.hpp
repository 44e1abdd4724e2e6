// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "lower/lower.hpp"
#include "rhino/program.hpp"

namespace rhino::lower {

/// How a value comes to be.
enum class Role : std::uint8_t {
  /// A parameter, or a constant that is no splat: memory that is there before the program runs.
  given,
  /// Made of splats and iotas alone: every loop that reads it computes it again, it has no memory.
  leaf,
  view,  ///< a window of another value's memory
  made,  ///< computed by an op that runs, in memory unless it stays inside one kernel
};

/// What every value of a prepared program is, and through which window it is read.
struct Storage {
  std::vector<Role> roles;
  std::vector<View> views;  ///< base kNoValue for leaves; bases are dense
  /// The op that runs to make what a view or made value shows; kNoValue: nothing runs for it.
  std::vector<ValueId> source;
  /// Per dot: the add that it accumulates for (see KernelGroup::Kind::dot), or kNoValue.
  std::vector<ValueId> fused_add;
};

/// A dot writes straight into the layout that the transposes and reshapes after it want, and
/// accumulates into an input that its sum overwrites; parts of a concatenation are written in
/// place. Views are dense copies where a dot, an output or an indexing op cannot read them.
/// Attentions read and write any layout.
Storage analyze_storage(const Program& program, const std::vector<Attention>& attentions = {});

/// Whether a made value is computed in a loop: what is_loop_op says, copies of views, and leaves
/// that are read from memory.
bool runs_in_loop(const Program& program, ValueId id);
/// An elementwise op or a reduction.
bool is_loop_op(const Program& program, ValueId id);

}  // namespace rhino::lower
