// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/message.hpp"

namespace rhino::runtime {

/// Puts what a rank measured on a clock that is `ahead_s` ahead of this host's on the latter.
void shift(RunReply& reply, double ahead_s);

/// Joins what the ranks measured on one clock: times count from the moment at which the first rank
/// began, `step_s` is the steady period of the slowest rank, `makespan_s` the time of the first
/// step.
plan::StepTrace join_traces(std::vector<RunReply> replies);

}  // namespace rhino::runtime
