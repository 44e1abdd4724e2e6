// SPDX-License-Identifier: Apache-2.0
#include "sharding/partition.hpp"

#include "sharding/program_plan.hpp"
#include "sharding/program_writer.hpp"
#include "sharding/step_graph.hpp"

namespace rhino::sharding {

std::vector<ChunkProgram> partition(const Program& program, const Strategy& strategy) {
  const StepGraph graph(program, strategy);
  std::vector<ChunkProgram> programs;
  for (const ProgramPlan& plan : plan_programs(graph)) {
    programs.push_back(write_program(graph, plan));
  }
  return programs;
}

}  // namespace rhino::sharding
