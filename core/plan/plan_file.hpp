// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "plan/execution_plan.hpp"
#include "rhino/strategy.hpp"

namespace rhino::plan {

/// The one codec of plans and strategies: versioned JSON. decode_*(encode(x)) == x. Decoding throws
/// Error `file: ...` for text that is torn, of another version, or whose indices lead nowhere.
std::string encode(const ExecutionPlan& plan);
ExecutionPlan decode_plan(std::string_view text, const std::string& file);
std::string encode(const Strategy& strategy);
Strategy decode_strategy(std::string_view text, const std::string& file);

/// A plan for people: meshes, memory, the instruction list of each role with repeated micro-batches
/// folded.
std::string explain(const ExecutionPlan& plan);

}  // namespace rhino::plan
