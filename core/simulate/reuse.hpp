// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "cost/touches.hpp"
#include "plan/execution_plan.hpp"

namespace rhino::simulate {

/// Per program of a plan: what its device touches between two uses of each input and output, step
/// after step, the mean over its Runs; no more than its arena and workspace. `workspace_bytes`: of
/// each program.
std::vector<cost::Reuse> reuse_of(const plan::ExecutionPlan& plan,
                                  const std::vector<std::int64_t>& workspace_bytes);

}  // namespace rhino::simulate
