// SPDX-License-Identifier: Apache-2.0
#include "runtime/ranks.hpp"

#include <algorithm>

namespace rhino::runtime {
namespace {

std::string quoted(const std::string& name, const char* noun, std::int32_t index) {
  return name.empty() ? std::string(noun) + " " + std::to_string(index) : "'" + name + "'";
}

}  // namespace

std::vector<RankPlace> place_ranks(const plan::ExecutionPlan& plan) {
  std::vector<RankPlace> places;
  for (std::size_t r = 0; r < plan.roles.size(); ++r) {
    const std::vector<DeviceId>& devices = plan.roles[r].mesh.devices;
    for (std::size_t p = 0; p < devices.size(); ++p) {
      places.push_back({devices[p], static_cast<std::int32_t>(r), static_cast<std::int32_t>(p)});
    }
  }
  std::sort(places.begin(), places.end(),
            [](const RankPlace& a, const RankPlace& b) { return a.device < b.device; });
  return places;
}

std::string describe_instruction(const plan::ExecutionPlan& plan,
                                 const plan::Instruction& instruction) {
  const auto index = static_cast<std::size_t>(instruction.index);
  if (instruction.kind == plan::InstructionKind::free) return "free";
  if (instruction.kind == plan::InstructionKind::run) {
    return "run of " + quoted(plan.programs[index].name, "program", instruction.index);
  }
  std::string text = instruction.kind == plan::InstructionKind::start ? "start of " : "wait for ";
  text += quoted(plan.communications[index].name, "communication", instruction.index);
  if (instruction.instance >= 0) text += ", micro-batch " + std::to_string(instruction.instance);
  return text;
}

}  // namespace rhino::runtime
