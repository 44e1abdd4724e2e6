// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/execution_plan.hpp"

namespace rhino::plan {

/// Throws Error, one sentence naming device, instruction and element, unless: every target element
/// of every transfer arrives exactly once from a device that holds it by then; Starts pair up and
/// every pair of devices meets its communications in the same order; the wait-for graph has no
/// cycle; Runs read only what was written and is alive; buffers alive together do not overlap; peak
/// memory fits the device; every output is written. Linear in instructions plus transfer steps.
void validate(const ExecutionPlan& plan);

/// Its first part, all that a simulation relies on: indices, transfers, that Starts pair up and
/// nothing waits in a circle.
void validate_order(const ExecutionPlan& plan);
/// And the rest, of plans of which that holds: what lies in memory when it is read.
void validate_contents(const ExecutionPlan& plan);

/// What a device of a role needs: all buffers, and the workspace of the Run that needs most.
std::int64_t memory_bytes(const Role& role);
/// What the fullest device of a plan needs.
std::int64_t peak_bytes(const ExecutionPlan& plan);

}  // namespace rhino::plan
