// SPDX-License-Identifier: Apache-2.0
#include "sharding/partition.hpp"

#include "sharding/program_plan.hpp"
#include "sharding/program_writer.hpp"
#include "sharding/step_graph.hpp"

namespace rhino::sharding {

Partitioner::Partitioner(const Program& program, const Strategy& strategy, const OpGraph* graph)
    : graph_(std::make_unique<StepGraph>(program, strategy, graph)),
      known_(std::make_unique<LocalOps>()) {}

Partitioner::~Partitioner() = default;

std::vector<ChunkProgram> Partitioner::programs(const std::vector<bool>& is_cut) {
  graph_->cut_backward(is_cut);
  std::vector<ChunkProgram> programs;
  for (const ProgramPlan& plan : plan_programs(*graph_)) {
    programs.push_back(write_program(*graph_, plan, *known_));
  }
  return programs;
}

std::vector<ChunkProgram> Partitioner::cut_passes() {
  graph_->cut_backward(std::vector<bool>(graph_->strategy().chunks.size(), true));
  std::vector<ChunkProgram> programs;
  for (const ProgramPlan& plan : plan_programs(*graph_, true)) {
    programs.push_back(plan.place.phase == ChunkPhase::forward
                           ? ports_of(plan)
                           : write_program(*graph_, plan, *known_));
  }
  return programs;
}

std::vector<ChunkProgram> partition(const Program& program, const Strategy& strategy,
                                    const std::vector<bool>& is_cut) {
  return Partitioner(program, strategy).programs(is_cut);
}

}  // namespace rhino::sharding
