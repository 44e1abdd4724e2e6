// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <utility>

#include "plan/plan_file.hpp"

namespace rhino::plan {
namespace {

bool is_pass(const Instruction& instruction) {
  return instruction.kind == InstructionKind::run && instruction.chunk >= 0 &&
         instruction.instance >= 0 && instruction.phase != InstructionPhase::update;
}

std::set<std::int32_t> cut_chunks(const ExecutionPlan& plan) {
  std::set<std::int32_t> chunks;
  for (const Role& role : plan.roles) {
    for (const Instruction& instruction : role.instructions) {
      if (is_pass(instruction) && instruction.phase == InstructionPhase::weight)
        chunks.insert(instruction.chunk);
    }
  }
  return chunks;
}

}  // namespace

std::string schedule_csv(const ExecutionPlan& plan) {
  const std::set<std::int32_t> is_cut = cut_chunks(plan);
  std::string text;
  for (const Role& role : plan.roles) {
    std::string line;
    std::set<std::string> written;  // a pass is several Runs where it communicates
    for (const Instruction& run : role.instructions) {
      if (!is_pass(run)) continue;
      const char* op = "F";
      if (run.phase == InstructionPhase::weight) op = "W";
      if (run.phase == InstructionPhase::backward) op = is_cut.contains(run.chunk) ? "I" : "B";
      const std::string cell = std::to_string(run.chunk) + op + std::to_string(run.instance);
      if (written.insert(cell).second) line += (line.empty() ? "" : ",") + cell;
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace rhino::plan
