// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/execution_plan.hpp"

namespace rhino::plan {

/// Micro-batches of which the role keeps activations at most: from the forward pass of a chunk to
/// its last pass of the same micro-batch. Of a role with several chunks of a replica each counts as
/// its part.
double most_in_flight(const ExecutionPlan& plan, const Role& role);

}  // namespace rhino::plan
