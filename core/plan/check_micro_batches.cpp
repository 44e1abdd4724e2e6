// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>
#include <tuple>

#include "plan/validate_parts.hpp"
#include "rhino/error.hpp"

namespace rhino::plan {
namespace {

std::string pass_name(std::int32_t chunk, InstructionPhase phase) {
  return std::string(name_of(phase)) + " of chunk " + std::to_string(chunk);
}

/// The Runs of one pass, per micro-batch.
struct PassRuns {
  std::map<std::int32_t, std::int64_t> count;
  /// The micro-batch that comes first: it has nothing to accumulate onto and may take fewer Runs.
  std::int32_t first = -1;
  /// That which comes last: reductions of what it completes may cut it into more.
  std::int32_t last = -1;
};

void check_role(const ExecutionPlan& plan, std::size_t index) {
  const std::vector<Instruction>& list = plan.roles[index].instructions;
  std::map<std::pair<std::int32_t, InstructionPhase>, PassRuns> passes;
  std::set<
      std::tuple<std::int32_t, std::int32_t, std::vector<std::int32_t>, std::vector<std::int32_t>>>
      seen;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Instruction& run = list[i];
    if (run.kind != InstructionKind::run) continue;
    if (!seen.insert({run.index, run.instance, run.inputs, run.outputs}).second) {
      throw Error(instruction_place(plan, index, i) + ": runs a second time");
    }
    if (run.instance < 0 || run.phase == InstructionPhase::update) continue;
    PassRuns& pass = passes[{run.chunk, run.phase}];
    if (pass.first < 0) pass.first = run.instance;
    pass.last = run.instance;
    ++pass.count[run.instance];
  }
  for (const auto& [key, pass] : passes) {
    const std::string place = "device " + std::to_string(plan.roles[index].mesh.devices.front()) +
                              " (role " + std::to_string(index) + ")";
    std::int64_t usual = -1;
    for (std::int32_t m = 0; m < plan.num_micro_batches; ++m) {
      const auto found = pass.count.find(m);
      if (found == pass.count.end())
        throw Error(place + " lacks the " + pass_name(key.first, key.second) + " for micro-batch " +
                    std::to_string(m));
      if (m == pass.first) continue;
      if (usual < 0 && m != pass.last) usual = found->second;
      const bool is_more = m == pass.last && found->second > usual;
      if (usual >= 0 && found->second != usual && !is_more) {
        throw Error(place + " takes " + std::to_string(found->second) + " Runs for the " +
                    pass_name(key.first, key.second) + ", micro-batch " + std::to_string(m) +
                    ", and " + std::to_string(usual) + " for others");
      }
    }
  }
}

}  // namespace

void check_micro_batches(const ExecutionPlan& plan) {
  for (std::size_t role = 0; role < plan.roles.size(); ++role) check_role(plan, role);
}

}  // namespace rhino::plan
