// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "cost/cost.hpp"
#include "cost/touches.hpp"
#include "plan/execution_plan.hpp"

namespace rhino::simulate {

/// Per program of a plan and kernel group of it, what it touches, and how long ago its device did
/// before, step after step: in the mean over its Runs, so that bytes that some of them find near
/// and others far stand there as parts of either. Nothing of one that never runs. `groups_s`: about
/// how long the kernel groups of each program take; empty: no time.
std::vector<std::vector<std::vector<cost::Touch>>> step_touches(
    const plan::ExecutionPlan& plan,
    const std::vector<std::shared_ptr<const lower::LoweredProgram>>& lowered,
    const std::vector<std::vector<double>>& groups_s = {});
/// With groups that take what `cost` says of them where it is not known what they touched before.
std::vector<std::vector<std::vector<cost::Touch>>> step_touches(
    const plan::ExecutionPlan& plan,
    const std::vector<std::shared_ptr<const lower::LoweredProgram>>& lowered,
    const cost::CostModel& cost);

}  // namespace rhino::simulate
