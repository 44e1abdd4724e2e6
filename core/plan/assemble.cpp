// SPDX-License-Identifier: Apache-2.0
#include "plan/assemble.hpp"

#include <string>

#include "plan/role_writer.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

/// How well a resident stands for an output of the Program: 0 not at all, else the later made the
/// better.
int fitness(const Resident& resident, ValueId value, std::size_t micro_batches) {
  if (resident.value != value || resident.stored_in >= 0 ||
      resident.origin == Resident::Origin::received || !resident.spec.partial.empty())
    return 0;
  if (resident.per_micro_batch && micro_batches > 1) return 0;
  return resident.origin == Resident::Origin::input ? 1 : 2 + static_cast<int>(resident.site.phase);
}

/// Where the new value of input `input` lies: in the memory of the old one.
PlanParts::Source find_state(const PlanParts& parts, const Output& output) {
  const ValueId old = parts.input.program.inputs[at(output.input)].value;
  for (std::size_t role = 0; role < parts.blocks.size(); ++role) {
    const std::vector<Resident>& residents = parts.blocks[role].residents;
    for (std::size_t b = 0; b < residents.size(); ++b) {
      const bool fits = residents[b].stored_in >= 0 && residents[b].value == output.value &&
                        residents[at(residents[b].stored_in)].value == old;
      if (fits) return {static_cast<std::int32_t>(role), static_cast<std::int32_t>(b)};
    }
  }
  return {};
}

PlanParts::Source find_output(const PlanParts& parts, std::size_t output) {
  const ValueId value = parts.input.program.outputs[output].value;
  if (parts.input.program.outputs[output].kind == OutputKind::updated_state) {
    const PlanParts::Source state = find_state(parts, parts.input.program.outputs[output]);
    if (state.role >= 0) return state;
  }
  PlanParts::Source best;
  int best_fitness = 0;
  for (std::size_t role = 0; role < parts.blocks.size(); ++role) {
    const std::vector<Resident>& residents = parts.blocks[role].residents;
    for (std::size_t b = 0; b < residents.size(); ++b) {
      const int own = fitness(residents[b], value, at(parts.input.strategy.num_micro_batches));
      if (own <= best_fitness) continue;
      best_fitness = own;
      best = {static_cast<std::int32_t>(role), static_cast<std::int32_t>(b)};
    }
  }
  if (best_fitness == 0) {
    throw Error("output " + std::to_string(output) + " of the program (value " +
                std::to_string(value) +
                ") is nowhere whole at the end of a step: it is left partial or apart for each "
                "micro-batch");
  }
  return best;
}

}  // namespace

ExecutionPlan assemble(const AssembleInput& input) {
  PlanParts parts{input, make_blocks(input), {}, {}, {}};
  for (std::size_t o = 0; o < input.program.outputs.size(); ++o)
    parts.outputs.push_back(find_output(parts, o));
  parts.handovers = make_handovers(parts.blocks);
  parts.timelines = make_timelines(input, parts.blocks, parts.handovers);

  ExecutionPlan plan;
  plan.name = input.strategy.name;
  plan.num_micro_batches = input.strategy.num_micro_batches;
  plan.cluster = input.cluster;
  plan.communications =
      reshard(parts.handovers, parts.blocks, input.cluster, input.resharding, plan.incomplete);
  ProgramTable programs(plan.programs);
  for (std::size_t role = 0; role < parts.blocks.size(); ++role) {
    plan.roles.push_back(
        RoleWriter(parts, static_cast<std::int32_t>(role), plan, programs).write());
  }
  return plan;
}

}  // namespace rhino::plan
