// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sharding/program_plan.hpp"

namespace rhino::sharding {

/// Writes the local program of `plan`: every op in its local form, operands resharded to what it
/// needs, each reshard of a value once. Throws Error where a value would have to be cut or joined
/// across micro-batches.
ChunkProgram write_program(const StepGraph& graph, const ProgramPlan& plan);

}  // namespace rhino::sharding
