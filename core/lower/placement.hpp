// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "lower/lower.hpp"
#include "lower/storage.hpp"

namespace rhino::lower {

/// Which group runs before which, and which outputs overwrite inputs.
struct Dependencies {
  std::vector<std::vector<std::int32_t>> users;  ///< per group: groups that must come later
  std::vector<std::int32_t> group_of;            ///< per op; -1: runs nowhere
};

/// Reads of values, as edges between groups.
Dependencies dependencies_of(const Program& program, const Storage& storage,
                             const std::vector<KernelGroup>& groups);

/// Sets placed_in and placed_out of `lowered` (program, views and groups are set). An output is
/// made in its own memory unless another output holds the value already. An updated_state may
/// overwrite its input where every reader of the old value can run earlier or reads it at the
/// element that is being replaced: then `dependencies` gains an edge from every reader. Elsewhere
/// it is made in the workspace.
void place_outputs(LoweredProgram& lowered, const Storage& storage, Dependencies& dependencies);

/// Whether `reader` reads only those elements of `input` that `writer`, of the same nest, is about
/// to make where they lie.
struct Replacement {
  ValueId writer = kNoValue, reader = kNoValue, input = kNoValue;
};
bool replaces(const LoweredProgram& lowered, const LoopNest& nest, const Replacement& what);

/// Puts lowered.groups in their order of execution, as close to program order as dependencies let;
/// loop groups that follow each other and need nothing of each other become one kernel.
void schedule_groups(LoweredProgram& lowered, const Dependencies& dependencies);

/// Sets inputs, outputs, flops and bytes of the scheduled groups, and workspace offsets. What a
/// nest makes lies, where it can, over a temporary that the nest is the last to read (see
/// placed_in): memory that is in the caches already.
void place_temporaries(LoweredProgram& lowered, const Storage& storage);

}  // namespace rhino::lower
