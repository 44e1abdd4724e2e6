// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rhino/pipeline.hpp"

namespace rhino::conformance {

/// Chunks of unlike cost, in a chain for each replica. Where micro-batches are even in number its
/// last one reads of the first, too.
PipelineProblem pipeline_problem(const Placement& placement, std::int32_t num_meshes,
                                 std::int64_t num_micro_batches);

/// What is wrong with a placement on `num_meshes` meshes, in one sentence; empty where nothing is.
std::string placement_fault(const Placement& placement, std::int32_t num_meshes);

/// What is wrong with `schedule` as an answer to `problem` (see plan::pass_order), in one sentence;
/// empty where nothing is.
std::string schedule_fault(const PipelineProblem& problem, const PipelineSchedule& schedule);

}  // namespace rhino::conformance
