// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "plan/execution_plan.hpp"
#include "plan/step_trace.hpp"

namespace rhino::measure {

/// The events of the last step of `trace` in Chrome's trace event format (chrome://tracing,
/// ui.perfetto.dev): one process per device; rows compute (Runs), wait (blocked in Wait), and
/// communication (from Start to the end of its Wait; several rows where they overlap). Times are in
/// microseconds from the first event. Empty where no events were kept.
std::string chrome_trace(const plan::ExecutionPlan& plan, const plan::StepTrace& trace);

/// One trace of several, `names[i]` before the process names of `texts[i]`. Throws Error where one
/// is torn.
std::string merge_chrome_traces(const std::vector<std::string>& names,
                                const std::vector<std::string>& texts);

}  // namespace rhino::measure
