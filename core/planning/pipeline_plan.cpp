// SPDX-License-Identifier: Apache-2.0
#include "planning/pipeline_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>

#include "evaluate/pipeline_bound.hpp"
#include "evaluate/placing.hpp"
#include "evaluate/planner.hpp"
#include "plan/assemble.hpp"
#include "plan/in_flight.hpp"
#include "plan/pipeline.hpp"
#include "planning/pipeline_stages.hpp"
#include "planning/plan_fit.hpp"
#include "plugin/scope.hpp"
#include "rhino/error.hpp"
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
  if (!std::isfinite(*bubble_s) || *bubble_s < 0) {
    char number[32];
    std::snprintf(number, sizeof number, "%g", *bubble_s);
    throw Error(std::string("its formula of the bubble says ") + number + " s");
  }
  double work_s = 0;
  for (const ChunkCost& chunk : problem.chunks) {
    if (chunk.mesh == 0)
      work_s += (chunk.forward_s + chunk.backward_weight_s) / problem.num_replicas;
  }
  return static_cast<double>(problem.num_micro_batches) * work_s + *bubble_s;
}

/// How a schedule orders the stages of a cell, and what its formula says of that.
struct OrderedStages {
  Placement placement;
  PipelineProblem problem;
  plan::PassOrder order;
  double formula_s = 0;
};

OrderedStages ordered_stages(const config::CellSpec& cell, const cost::CostModel& cost,
                             const plugin::Registry& registry) {
  const auto schedule =
      plugin::make_schedule(registry.find(cell.schedule.id), Options(cell.schedule.options));
  OrderedStages stages;
  const auto num_stages = static_cast<std::int32_t>(cell.pipeline->num_stages);
  stages.placement = schedule->placement(num_stages);
  plugin::blaming(cell.schedule.id, [&] { plan::check_placement(stages.placement, num_stages); });
  stages.problem = pipeline_problem(*cell.pipeline, stages.placement, cost.cluster());
  const PipelineSchedule answer = schedule->schedule(stages.problem);
  stages.order =
      plugin::blaming(cell.schedule.id, [&] { return plan::pass_order(stages.problem, answer); });
  const bool is_all_cut =
      std::ranges::find(stages.order.is_cut, false) == stages.order.is_cut.end();
  if (!cell.pipeline->is_gradient_early || is_all_cut)
    stages.formula_s =
        plugin::blaming(cell.schedule.id, [&] { return formula_s(stages.problem, *schedule); });
  return stages;
}

/// The work of the child.
Answer planned_stages(const config::CellSpec& cell, const cost::CostModel& cost,
                      const plugin::Registry& registry) {
  const config::PipelineChoice& choice = *cell.pipeline;
  // Between single devices all resharding algorithms are one.
  const auto resharding =
      plugin::make_resharding(registry.find(config::CellSpec().resharding.id), Options());
  const OrderedStages stages = ordered_stages(cell, cost, registry);
  Strategy strategy;
  strategy.name = config::to_string(choice);
  strategy.num_micro_batches = choice.num_micro_batches;
  strategy.chunks = evaluate::place_chunks(
      cost.cluster(), stages.placement,
      std::vector<std::vector<MeshAxis>>(at(choice.num_stages), {{"data", 1}}));
  const PipelinePrograms programs = pipeline_programs(choice, stages.problem, stages.order.is_cut);
  plan::ExecutionPlan plan =
      plan::assemble({programs.program, strategy, programs.chunks, cost.cluster(), stages.problem,
                      stages.order, *resharding, "", cell.schedule.blocking});
  std::string reason = over_limit(cell, plan);
  if (reason.empty()) reason = too_large(plan);
  if (!reason.empty()) return {.status = store::Status::infeasible, .message = reason};
  prove(plan, config::to_string(cell.schedule));
  return {.plan_bytes = bytes_of(std::move(plan)), .formula_s = stages.formula_s};
}

}  // namespace

PlannedCell plan_pipeline(const config::CellSpec& cell, const cost::CostModel& cost,
                          const plugin::Registry& registry, const plugin::ChildLimits& limits) {
  PlannedCell planned = plan_in_child([&] { return planned_stages(cell, cost, registry); }, limits);
  planned.plan.name = planned.plan.program = program_text(cell, nullptr);
  planned.plan.schedule = config::to_string(cell.schedule);
  return planned;
}

PlannedCell pipeline_as(const plan::ExecutionPlan& given, const config::CellSpec& cell,
                        const cost::CostModel& cost, const plugin::Registry& registry,
                        const plugin::ChildLimits& limits) {
  plan::ExecutionPlan plan = given;
  plan.cluster = cost.cluster();
  PlannedCell planned = plan_in_child(
      [&] {
        return Answer{.plan_bytes = bytes_of(plan),
                      .formula_s = ordered_stages(cell, cost, registry).formula_s};
      },
      limits);
  planned.search_s = 0;
  planned.plan.name = given.name;
  planned.plan.program = given.program;
  planned.plan.schedule = given.schedule;
  return planned;
}

double pipeline_bound_s(const config::PipelineChoice& choice, const plan::ExecutionPlan& plan,
                        const Cluster& cluster) {
  std::map<std::int32_t, std::int32_t> mesh_of_chunk;
  for (const plan::Role& role : plan.roles) {
    for (const plan::Instruction& run : role.instructions)
      if (run.chunk >= 0) mesh_of_chunk[run.chunk] = role.mesh.devices.front();
  }
  Placement placement{.mesh_of_chunk = {}, .num_replicas = plan.num_replicas};
  for (const auto& [chunk, mesh] : mesh_of_chunk) placement.mesh_of_chunk.push_back(mesh);
  PipelineProblem problem = pipeline_problem(choice, placement, cluster);
  for (PipelineEdge& edge : problem.edges) {
    const Link link = cluster.link(problem.chunks[at(edge.from.chunk)].mesh,
                                   problem.chunks[at(edge.to.chunk)].mesh);
    edge.seconds =
        std::max(0.0, edge.seconds - std::min(edge.bytes, link.burst_bytes) / link.bytes_per_s);
  }
  return evaluate::pipeline_bound_s(problem);
}

}  // namespace rhino::planning
