// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/message.hpp"

namespace rhino::runtime {

/// Joins what the ranks measured on one clock: times count from the moment at which the first rank
/// began, `step_s` is the steady period of the slowest rank, `makespan_s` the time of the first
/// step.
plan::StepTrace join_traces(std::vector<RunReply> replies);

}  // namespace rhino::runtime
