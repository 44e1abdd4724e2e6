// SPDX-License-Identifier: Apache-2.0
#include "planning/pipeline_plan.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>

#include "evaluate/pipeline_bound.hpp"
#include "evaluate/planner.hpp"
#include "plan/assemble.hpp"
#include "plan/in_flight.hpp"
#include "planning/pipeline_stages.hpp"
#include "planning/plan_fit.hpp"
#include "plugin/scope.hpp"
#include "rhino/index.hpp"

namespace rhino::planning {
namespace {

/// Which stage keeps more than it may; empty: none does. Roles are in the order of stages.
std::string over_limit(const config::CellSpec& cell, const plan::ExecutionPlan& plan) {
  const std::vector<std::int64_t>& limits = cell.pipeline->activation_limit;
  for (std::size_t stage = 0; stage < limits.size(); ++stage) {
    const double kept = plan::most_in_flight(plan, plan.roles[stage]);
    if (kept <= static_cast<double>(limits[stage])) continue;
    char number[32];
    std::snprintf(number, sizeof number, "%g", kept);
    return cell.schedule.id + " keeps activations of " + number + " micro-batches on stage " +
           std::to_string(stage) + ", and " + std::to_string(limits[stage]) + " are allowed";
  }
  return "";
}

/// Of equal stages, which formulas are of: the passes of one, and the bubble; 0: there is none.
double formula_s(const PipelineProblem& problem, Schedule& schedule) {
  const std::optional<double> bubble_s = schedule.bubble_s(problem);
  if (!bubble_s) return 0;
  double work_s = 0;
  for (const ChunkCost& chunk : problem.chunks) {
    if (chunk.mesh == 0)
      work_s += (chunk.forward_s + chunk.backward_weight_s) / problem.num_replicas;
  }
  return static_cast<double>(problem.num_micro_batches) * work_s + *bubble_s;
}

/// The work of the child.
Answer planned_stages(const config::CellSpec& cell, const cost::CostModel& cost,
                      const plugin::Registry& registry) {
  const config::PipelineChoice& choice = *cell.pipeline;
  const auto schedule =
      plugin::make_schedule(registry.find(cell.schedule.id), Options(cell.schedule.options));
  // Between single devices all resharding algorithms are one.
  const auto resharding =
      plugin::make_resharding(registry.find(config::CellSpec().resharding.id), Options());
  Strategy strategy;
  strategy.name = config::to_string(choice);
  strategy.num_micro_batches = choice.num_micro_batches;
  const auto num_stages = static_cast<std::int32_t>(choice.num_stages);
  const Placement placement = schedule->placement(num_stages);
  strategy.chunks = evaluate::place_chunks(cost.cluster(), placement, num_stages, {{"data", 1}});
  const PipelineProblem problem = pipeline_problem(choice, placement, cost.cluster());
  const PipelineSchedule answer = schedule->schedule(problem);
  const plan::PassOrder order =
      plugin::blaming(cell.schedule.id, [&] { return plan::pass_order(problem, answer); });
  const PipelinePrograms programs = pipeline_programs(choice, problem, order.is_cut);
  plan::ExecutionPlan plan =
      plan::assemble({programs.program, strategy, programs.chunks, cost.cluster(), problem, order,
                      *resharding, "", cell.schedule.is_blocking});
  const std::string reason = over_limit(cell, plan);
  if (!reason.empty()) return {.status = store::Status::infeasible, .message = reason};
  prove(plan, config::to_string(cell.schedule));
  const bool leaves_at_end = !choice.is_gradient_early;
  const bool is_all_cut = std::ranges::find(order.is_cut, false) == order.is_cut.end();
  return {.plan_bytes = bytes_of(std::move(plan)),
          .formula_s = leaves_at_end || is_all_cut ? formula_s(problem, *schedule) : 0};
}

}  // namespace

PlannedCell plan_pipeline(const config::CellSpec& cell, const cost::CostModel& cost,
                          const plugin::Registry& registry, const plugin::ChildLimits& limits) {
  PlannedCell planned = plan_in_child([&] { return planned_stages(cell, cost, registry); }, limits);
  planned.plan.name = planned.plan.program = program_text(cell, nullptr);
  planned.plan.schedule = config::to_string(cell.schedule);
  return planned;
}

double pipeline_bound_s(const config::PipelineChoice& choice, const plan::ExecutionPlan& plan) {
  std::map<std::int32_t, std::int32_t> mesh_of_chunk;
  for (const plan::Role& role : plan.roles) {
    for (const plan::Instruction& run : role.instructions)
      if (run.chunk >= 0) mesh_of_chunk[run.chunk] = role.mesh.devices.front();
  }
  Placement placement{.mesh_of_chunk = {}, .num_replicas = plan.num_replicas};
  for (const auto& [chunk, mesh] : mesh_of_chunk) placement.mesh_of_chunk.push_back(mesh);
  return evaluate::pipeline_bound_s(pipeline_problem(choice, placement, plan.cluster));
}

}  // namespace rhino::planning
