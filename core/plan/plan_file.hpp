// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "plan/execution_plan.hpp"

namespace rhino::plan {

/// Plans as files: versioned JSON. decode_plan(encode(plan)) == plan. Decoding throws Error
/// `file: ...` for text that is torn, of another version, or whose indices lead nowhere.
std::string encode(const ExecutionPlan& plan);
ExecutionPlan decode_plan(std::string_view text, const std::string& file);

/// A plan as bytes for a process of this build, and back: the same plan, much faster. Throws Error
/// `what: ...` for bytes that are torn, of another build, or whose indices lead nowhere.
std::string to_bytes(const ExecutionPlan& plan);
ExecutionPlan plan_from_bytes(std::string_view bytes, const std::string& what);

/// A plan for people: meshes, memory, the instruction list of each role with repeated micro-batches
/// folded.
std::string explain(const ExecutionPlan& plan);

/// Its schedule in PyTorch's CSV format, a line per role: F, I (gradients of activations) and W, or
/// B where the backward pass of a chunk is whole; schedule/csv reads it. What ran as one pair of
/// two passes stands one after the other, as the engine runs it.
std::string schedule_csv(const ExecutionPlan& plan);

}  // namespace rhino::plan
