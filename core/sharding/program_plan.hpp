// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sharding/step_graph.hpp"

namespace rhino::sharding {

struct PlannedInput {
  ValueId value = kNoValue;
  Repeat repeat = Repeat::per_step;
  std::int32_t source = -1;  ///< as Port::source
  MicroView form;            ///< what the program gets
};

struct PlannedOutput {
  ValueId value = kNoValue;
  Repeat repeat = Repeat::per_step;
  MicroView form;               ///< what the program must yield
  ValueId replaces = kNoValue;  ///< updated_state: the input of the Program that it replaces
};

/// What goes into one chunk program: ops in order, and its border.
struct ProgramPlan {
  Place place;
  std::vector<ValueId> ops;
  std::vector<PlannedInput> inputs;    ///< by value
  std::vector<PlannedOutput> outputs;  ///< by value, then the Program's own outputs
};

/// Deals the ops of a step out to chunk programs, by place, and decides what crosses between them
/// and in which spec (see Port). Forward values that are recomputed occur in the backward program
/// again, or in the weight program that alone reads them, in front of what first does.
/// `passes_alone`: plans of other programs are left out.
std::vector<ProgramPlan> plan_programs(const StepGraph& graph, bool passes_alone = false);

}  // namespace rhino::sharding
