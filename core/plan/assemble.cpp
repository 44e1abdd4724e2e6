// SPDX-License-Identifier: Apache-2.0
#include "plan/assemble.hpp"

#include <string>

#include "plan/role_writer.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

/// How well a border stands for an output of the Program: 0 not at all, else the later made the
/// better.
int fitness(const Border& border, ValueId value, std::size_t micro_batches) {
  if (border.value != value || border.stored_in >= 0 || border.origin == Border::Origin::received ||
      !border.spec.partial.empty())
    return 0;
  if (border.per_micro_batch && micro_batches > 1) return 0;
  return border.origin == Border::Origin::input ? 1 : 2 + static_cast<int>(border.site.phase);
}

/// Where the new value of input `input` lies: in the memory of the old one.
PlanParts::Source find_state(const PlanParts& parts, const Output& output) {
  const ValueId old = parts.input.program.inputs[at(output.input)].value;
  for (std::size_t role = 0; role < parts.blocks.size(); ++role) {
    const std::vector<Border>& borders = parts.blocks[role].borders;
    for (std::size_t b = 0; b < borders.size(); ++b) {
      const bool fits = borders[b].stored_in >= 0 && borders[b].value == output.value &&
                        borders[at(borders[b].stored_in)].value == old;
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
    const std::vector<Border>& borders = parts.blocks[role].borders;
    for (std::size_t b = 0; b < borders.size(); ++b) {
      const int own = fitness(borders[b], value, at(parts.input.strategy.num_micro_batches));
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
  parts.boundaries = make_boundaries(parts.blocks);
  parts.timelines = make_timelines(input, parts.blocks, parts.boundaries);

  ExecutionPlan plan;
  plan.name = input.strategy.name;
  plan.num_micro_batches = input.strategy.num_micro_batches;
  plan.cluster = input.cluster;
  plan.communications =
      reshard(parts.boundaries, parts.blocks, input.cluster, input.resharding, plan.incomplete);
  ProgramTable programs(plan.programs);
  for (std::size_t role = 0; role < parts.blocks.size(); ++role) {
    plan.roles.push_back(
        RoleWriter(parts, static_cast<std::int32_t>(role), plan, programs).write());
  }
  return plan;
}

}  // namespace rhino::plan
