// SPDX-License-Identifier: Apache-2.0
#include "plan/assemble.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "plan/plan_mesh.hpp"
#include "plan/role_writer.hpp"
#include "plan/validate.hpp"
#include "plugin/scope.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

/// How well a resident stands for an output of the Program: 0 not at all, else the later made the
/// better.
int fitness(const Resident& resident, std::size_t micro_batches) {
  if (resident.stored_in >= 0 || resident.origin == Resident::Origin::received ||
      !resident.spec.partial.empty())
    return 0;
  if (resident.per_micro_batch && micro_batches > 1) return 0;
  return resident.origin == Resident::Origin::input ? 1 : 2 + static_cast<int>(resident.site.phase);
}

/// Per value where it lies, by role.
using Sources = std::vector<std::vector<PlanParts::Source>>;

Sources sources_of(const PlanParts& parts) {
  Sources sources(parts.input.program.ops.size());
  for (std::size_t role = 0; role < parts.blocks.size(); ++role) {
    const std::vector<Resident>& residents = parts.blocks[role].residents;
    for (std::size_t b = 0; b < residents.size(); ++b) {
      sources[at(residents[b].value)].push_back(
          {static_cast<std::int32_t>(role), static_cast<std::int32_t>(b)});
    }
  }
  return sources;
}

/// Where the new value of input `input` lies: in the memory of the old one.
PlanParts::Source find_state(const PlanParts& parts, const Sources& sources, const Output& output) {
  const ValueId old = parts.input.program.inputs[at(output.input)].value;
  for (const PlanParts::Source& source : sources[at(output.value)]) {
    const std::vector<Resident>& residents = parts.blocks[at(source.role)].residents;
    const std::int32_t stored_in = residents[at(source.resident)].stored_in;
    if (stored_in >= 0 && residents[at(stored_in)].value == old) return source;
  }
  return {};
}

PlanParts::Source find_output(const PlanParts& parts, const Sources& sources, std::size_t output) {
  const ValueId value = parts.input.program.outputs[output].value;
  if (parts.input.program.outputs[output].kind == OutputKind::updated_state) {
    const PlanParts::Source state = find_state(parts, sources, parts.input.program.outputs[output]);
    if (state.role >= 0) return state;
  }
  PlanParts::Source best;
  int best_fitness = 0;
  for (const PlanParts::Source& source : sources[at(value)]) {
    const int own = fitness(parts.blocks[at(source.role)].residents[at(source.resident)],
                            at(parts.input.strategy.num_micro_batches));
    if (own <= best_fitness) continue;
    best_fitness = own;
    best = source;
  }
  if (best_fitness == 0) {
    throw Error("output " + std::to_string(output) + " of the program (value " +
                std::to_string(value) +
                ") is nowhere whole at the end of a step: it is left partial or apart for each "
                "micro-batch");
  }
  return best;
}

/// Writes the same plan with more or less slack for what roles send and receive.
class PlanWriter {
 public:
  explicit PlanWriter(const AssembleInput& input)
      : parts_{input, make_blocks(input), {}, {}, {}, {}},
        slack_(parts_.blocks.size(), std::numeric_limits<std::int32_t>::max()) {
    const Sources sources = sources_of(parts_);
    for (std::size_t o = 0; o < input.program.outputs.size(); ++o)
      parts_.outputs.push_back(find_output(parts_, sources, o));
    parts_.handovers = make_handovers(parts_.blocks);
    frame_.name = input.strategy.name;
    frame_.num_micro_batches = input.strategy.num_micro_batches;
    frame_.num_replicas = input.problem.num_replicas;
    frame_.cluster = input.cluster;
    frame_.communications = plugin::blaming(input.resharding_id, [&] {
      return reshard(parts_.handovers, parts_.blocks, input.cluster, input.resharding,
                     frame_.incomplete);
    });
    for (std::size_t r = 0; r < parts_.blocks.size(); ++r) {
      RoleBlocks& role = parts_.blocks[r];
      late_.push_back({role.residents, role.update});
      parts_.last_passes.push_back(
          reduce_early(role, parts_.handovers, input.strategy.gradient_sums, input.order.steps[r]));
    }
    times_ = pass_times(input, parts_.blocks, parts_.handovers, frame_.communications);
  }

  /// With as much slack as there is memory for; with none where it never suffices, and with
  /// reductions in the update where that would.
  PlanOutline write() {
    PlanOutline made = write_with_slack();
    bool is_changed = false;
    for (const std::size_t role : roles_over_memory(made.plan)) {
      const bool is_near = fits(made.plan.roles[role], kMostForEarlyReductions);
      if (is_near && !parts_.last_passes[role].empty()) is_changed = reduce_late(role);
    }
    if (is_changed) return write_with_slack();
    return made;
  }

 private:
  /// What a pass needs that is cut at reductions, relative to one that is not: less than that.
  static constexpr double kMostForEarlyReductions = 1.25;

  PlanOutline write_with_slack() {
    PlanOutline made = write_once();
    const std::vector<std::size_t> lacking = roles_over_memory(made.plan);
    if (lacking.empty()) return made;  // no copy of it, as a choice of two would make
    return tighten(lacking);
  }

  bool reduce_late(std::size_t role) {
    parts_.blocks[role].residents = late_[role].residents;
    parts_.blocks[role].update = late_[role].update;
    parts_.cuts.clear();
    parts_.last_passes[role].clear();
    slack_[role] = std::numeric_limits<std::int32_t>::max();
    return true;
  }

  void lay_out_steps() {
    parts_.timelines =
        make_timelines({parts_.input, parts_.blocks, parts_.handovers, times_}, slack_);
  }
  PlanOutline write_once() {
    lay_out_steps();
    PlanOutline made{frame_, {}};
    ProgramTable programs = table_of(made.plan);
    for (std::size_t role = 0; role < parts_.blocks.size(); ++role) {
      RoleBindings& bindings = made.bindings.emplace_back();
      made.plan.roles.push_back(write_role(role, made.plan, programs, &bindings));
    }
    return made;
  }
  Role write_role(std::size_t role, ExecutionPlan& plan, ProgramTable& programs,
                  RoleBindings* bindings = nullptr) {
    // Laid out, residents share memory, which another layout decides anew.
    const std::vector<Resident> residents = parts_.blocks[role].residents;
    RoleWriter writer(parts_, static_cast<std::int32_t>(role), plan, programs);
    Role written = writer.write();
    if (bindings != nullptr) *bindings = writer.take_bindings();
    parts_.blocks[role].residents = residents;
    return written;
  }
  ProgramTable table_of(ExecutionPlan& plan) {
    lower::Lowerings* const known = parts_.input.lowerings;
    return {plan.programs, known == nullptr ? own_lowerings_ : *known};
  }

  bool fits(const Role& role, double of_memory = 1) const {
    return static_cast<double>(memory_bytes(role)) <=
           of_memory * memory_bytes(frame_.cluster, role.mesh);
  }

  std::vector<std::size_t> roles_over_memory(const ExecutionPlan& plan) const {
    std::vector<std::size_t> roles;
    for (std::size_t role = 0; role < plan.roles.size(); ++role) {
      if (!fits(plan.roles[role])) roles.push_back(role);
    }
    return roles;
  }

  /// Takes from `lacking` as many steps of slack as each needs to fit: a binary search in all of
  /// them at once, since the memory of a role hardly depends on the slack of others. On the way
  /// these are written alone, whatever programs they share with others.
  PlanOutline tighten(const std::vector<std::size_t>& lacking) {
    std::vector<std::int32_t> too_much(slack_.size(), 1), fitting(slack_.size(), 0);
    for (const std::size_t role : lacking)
      too_much[role] = static_cast<std::int32_t>(parts_.timelines[role].steps.size());
    const auto set = [&](const std::vector<std::int32_t>& slack) {
      for (const std::size_t role : lacking) slack_[role] = slack[role];
    };
    set(fitting);
    PlanOutline without = write_once();
    if (!roles_over_memory(without.plan).empty()) return without;
    ExecutionPlan tried = frame_;
    ProgramTable programs = table_of(tried);
    for (std::vector<std::int32_t> middle; (middle = middles(fitting, too_much)) != fitting;) {
      set(middle);
      lay_out_steps();
      for (const std::size_t role : lacking)
        (fits(write_role(role, tried, programs)) ? fitting : too_much)[role] = middle[role];
    }
    set(fitting);
    PlanOutline made = write_once();
    if (roles_over_memory(made.plan).empty()) return made;
    return without;
  }

  static std::vector<std::int32_t> middles(const std::vector<std::int32_t>& low,
                                           const std::vector<std::int32_t>& high) {
    std::vector<std::int32_t> middle(low);
    for (std::size_t i = 0; i < middle.size(); ++i) middle[i] += (high[i] - low[i]) / 2;
    return middle;
  }

  /// Of a role before it reduces early.
  struct Late {
    std::vector<Resident> residents;
    Block update;
  };

  PlanParts parts_;
  lower::Lowerings own_lowerings_{lower::kernels_of(parts_.input.cluster)};
  std::vector<Late> late_;
  ExecutionPlan frame_;  ///< all but programs and roles
  PassTimes times_;
  std::vector<std::int32_t> slack_;  ///< per role
};

}  // namespace

PlanOutline outline(const AssembleInput& input) { return PlanWriter(input).write(); }

ExecutionPlan assemble(const AssembleInput& input) {
  PlanOutline made = outline(input);
  bind(made);
  return std::move(made.plan);
}

}  // namespace rhino::plan
