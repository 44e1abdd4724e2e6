// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/execution_plan.hpp"
#include "rhino/strategy.hpp"

namespace rhino::plan {

/// Throws Error unless every index leads somewhere, every mesh has as many devices as its axes say,
/// specs are made of existing axes and sizes can be counted in 64 bits: what lets later passes
/// index without looking. The first thing that decoding and validation do.
void check_indices(const ExecutionPlan& plan);
void check_indices(const Strategy& strategy);

}  // namespace rhino::plan
