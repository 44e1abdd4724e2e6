// SPDX-License-Identifier: Apache-2.0
#include "simulate/program_times.hpp"

#include <algorithm>

#include "simulate/step_touches.hpp"

namespace rhino::simulate {

ProgramTimes::ProgramTimes(const plan::ExecutionPlan& plan, const cost::CostModel& cost,
                           lower::Lowerings& lowerings)
    : plan_(plan) {
  std::vector<std::shared_ptr<const lower::LoweredProgram>> lowered;
  for (const Program& program : plan.programs) lowered.push_back(lowerings.of(program));
  const bool knows_reach = cost.knows_reach();
  std::vector<std::vector<std::vector<cost::Touch>>> touches;
  if (knows_reach) touches = step_touches(plan, lowered, cost);
  for (std::size_t p = 0; p < lowered.size(); ++p) {
    std::vector<cost::KernelTimes>& times = times_.emplace_back();
    for (std::int32_t m = 0; m < std::ssize(plan.cluster.models); ++m)
      times.push_back(knows_reach ? cost.kernel_times(*lowered[p], touches[p], m)
                                  : cost.kernel_times(*lowered[p], m));
  }
}

double ProgramTimes::longest_s() const {
  const Software& software = plan_.cluster.software;
  double longest_s = 0, longest_issue_s = software.kernel_issue_s;
  for (const auto& [kind, seconds] : software.collective_issue_s)
    longest_issue_s = std::max(longest_issue_s, seconds);
  for (const plan::Role& role : plan_.roles) {
    double seconds = 0;
    for (const plan::Instruction& instruction : role.instructions) {
      if (instruction.kind == plan::InstructionKind::run)
        seconds += of(instruction.index, role.mesh.devices.front()).alone_s;
      if (instruction.kind == plan::InstructionKind::start) seconds += longest_issue_s;
    }
    longest_s = std::max(longest_s, seconds);
  }
  return longest_s;
}

}  // namespace rhino::simulate
