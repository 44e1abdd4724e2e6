// SPDX-License-Identifier: Apache-2.0
#include "plan/in_flight.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "rhino/index.hpp"

namespace rhino::plan {

double most_in_flight(const ExecutionPlan& plan, const Role& role) {
  using ChunkUse = std::pair<std::int32_t, std::int32_t>;  // chunk, micro-batch
  std::map<ChunkUse, std::size_t> last;
  std::set<std::int32_t> chunks;
  const auto is_pass = [](const Instruction& instruction) {
    return instruction.kind == InstructionKind::run && instruction.instance >= 0 &&
           instruction.phase != InstructionPhase::update;
  };
  for (std::size_t i = 0; i < role.instructions.size(); ++i) {
    const Instruction& run = role.instructions[i];
    if (!is_pass(run)) continue;
    last[{run.chunk, run.instance}] = i;
    chunks.insert(run.chunk);
  }
  std::set<ChunkUse> kept;
  std::size_t most = 0;
  for (std::size_t i = 0; i < role.instructions.size(); ++i) {
    const Instruction& run = role.instructions[i];
    if (!is_pass(run)) continue;
    const ChunkUse use{run.chunk, run.instance};
    kept.insert(use);
    most = std::max(most, kept.size());
    if (last[use] == i) kept.erase(use);
  }
  return chunks.empty() ? 0
                        : static_cast<double>(plan.num_replicas) * static_cast<double>(most) /
                              static_cast<double>(chunks.size());
}

}  // namespace rhino::plan
