// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "plan/execution_plan.hpp"
#include "plan/step_trace.hpp"
#include "rhino/strategy.hpp"

/// A strategy told to people.
namespace rhino::commands {

/// A line per stage: devices, memory of each, seconds in kernels and idle, and what each begins of
/// collectives and handovers in a step, with the bytes that a device gives. `trace`: of the plan.
std::string stages_text(const plan::ExecutionPlan& plan, const plan::StepTrace& trace);

/// How weights, their optimizer states and named activations lie: `heads over b; sum over a`.
/// Values whose names differ in the first number alone are one line where they lie alike.
std::string cuts_text(const Program& program, const Strategy& strategy);

/// A line per axis of a stage's mesh along which no value of it is cut: its devices do the same
/// work, which a searcher may take for the quickest where ops are small. Empty: there is none.
std::string idle_axes_text(const Strategy& strategy);

}  // namespace rhino::commands
