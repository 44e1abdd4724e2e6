// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "plan/execution_plan.hpp"

namespace rhino::plan {

/// What an item of a block binds, in handles (see BufferPool). Micro-batches differ in those of
/// residents of which each has its own.
struct Binding {
  struct Own {
    std::size_t place = 0;
    std::int32_t resident = -1;
  };
  bool is_known = false;
  std::vector<std::int32_t> inputs, outputs;
  std::vector<Own> own_inputs, own_outputs;
  std::vector<std::int32_t> residents;  ///< that no earlier item of the block uses
};

/// What the instructions of a role bind that are written once per micro-batch.
struct RoleBindings {
  struct Entry {
    std::int32_t instruction = -1, item = -1, micro_batch = -1;
  };
  std::vector<Binding> items;  ///< of all blocks
  std::vector<Entry> entries;
  std::vector<std::vector<std::int32_t>> handles;  ///< per resident, by micro-batch from -1 on
  std::vector<std::int32_t> buffer_of;             ///< per handle
};

/// A plan of which most instructions bind nothing so far, without Frees: it tells what memory it
/// takes, the order of all that is done, and, to prices that ask for no more, how long that takes.
struct PlanOutline {
  ExecutionPlan plan;
  std::vector<RoleBindings> bindings;  ///< per role; none: they are bound
};

/// Makes it the whole plan.
void bind(PlanOutline& outline);

}  // namespace rhino::plan
