// SPDX-License-Identifier: Apache-2.0
#include "simulate/program_times.hpp"

#include <algorithm>

#include "simulate/reuse.hpp"

namespace rhino::simulate {

ProgramTimes::ProgramTimes(const plan::ExecutionPlan& plan, const cost::CostModel& cost,
                           lower::Lowerings& lowerings)
    : plan_(plan) {
  std::vector<cost::Reuse> reuse(plan.programs.size());
  if (cost.knows_reach()) {
    std::vector<std::int64_t> workspace_bytes;
    for (const Program& program : plan.programs)
      workspace_bytes.push_back(lowerings.of(program)->workspace_bytes);
    reuse = reuse_of(plan, workspace_bytes);
  }
  for (std::size_t p = 0; p < plan.programs.size(); ++p) {
    const auto lowered = lowerings.of(plan.programs[p]);
    std::vector<cost::KernelTimes>& times = times_.emplace_back();
    for (std::size_t m = 0; m < plan.cluster.models.size(); ++m)
      times.push_back(cost.kernel_times(*lowered, reuse[p], static_cast<std::int32_t>(m)));
  }
}

double ProgramTimes::longest_s() const {
  double longest_s = 0;
  for (const plan::Role& role : plan_.roles) {
    double seconds = 0;
    for (const plan::Instruction& instruction : role.instructions) {
      if (instruction.kind == plan::InstructionKind::run)
        seconds += of(instruction.index, role.mesh.devices.front()).alone_s;
    }
    longest_s = std::max(longest_s, seconds);
  }
  return longest_s;
}

}  // namespace rhino::simulate
