// SPDX-License-Identifier: Apache-2.0
#include "evaluate/planner.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "cost/reshard_bound.hpp"
#include "evaluate/placing.hpp"
#include "evaluate/weight_first.hpp"
#include "ir/mesh_groups.hpp"
#include "ir/op_info.hpp"
#include "lower/attention.hpp"
#include "lower/lower.hpp"
#include "plan/assemble.hpp"
#include "plan/pipeline.hpp"
#include "plan/plan_mesh.hpp"
#include "plan/reshard_shares.hpp"
#include "plan/validate.hpp"
#include "plugin/scope.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"
#include "sharding/replicas.hpp"

namespace rhino::evaluate {
namespace {

/// The program with every collective as a further input, and what it reads as a further output:
/// what is left are kernels.
Program without_collectives(const sharding::ChunkProgram& chunk_program) {
  Program program = chunk_program.program;
  for (Op& op : program.ops) {
    if (!ir::is_collective(op.kind)) continue;
    for (const ValueId operand : op.operands)
      program.outputs.push_back({operand, OutputKind::value, -1});
    program.inputs.push_back(
        {.value = static_cast<ValueId>(&op - program.ops.data()), .kind = InputKind::batch});
    op.kind = OpKind::parameter;
    op.operands.clear();
    op.attributes = {};
  }
  return program;
}

double collectives_s(const Program& program, const Mesh& mesh, const cost::CostModel& cost) {
  double seconds = 0;
  for (const Op& op : program.ops) {
    if (!ir::is_collective(op.kind)) continue;
    const auto groups = ir::devices_along(mesh, op.attributes.get<CollectiveAttr>().axes);
    const auto bytes = static_cast<double>(num_bytes(program.shape(op.operands[0])));
    seconds += cost.collective_s(op.kind, bytes, groups.front(),
                                 cost::groups_per_interface(groups, cost.cluster()));
  }
  return seconds;
}

/// Bytes per device that a mesh holds beside activations while passes run: parameters, states and
/// inputs, what comes once a step for passes, sums over micro-batches.
std::vector<double> lasting_bytes(const PipelineProblem& problem, const Strategy& strategy,
                                  const std::vector<sharding::ChunkProgram>& programs) {
  std::vector<double> bytes(at(problem.num_meshes));
  std::map<std::pair<std::int32_t, ValueId>, std::vector<ShardingSpec>> counted;
  const auto count = [&](std::int32_t chunk, const sharding::Port& port) {
    const std::int32_t number = problem.chunks[at(chunk)].mesh;
    std::vector<ShardingSpec>& forms = counted[{number, port.value}];
    if (std::ranges::find(forms, port.spec) != forms.end()) return;
    forms.push_back(port.spec);
    const bool each = port.repeat == sharding::Repeat::per_micro_batch;
    bytes[at(number)] += static_cast<double>(each ? problem.num_micro_batches : 1) *
                         plan::tile_bytes(port, strategy.chunks[at(chunk)].mesh);
  };
  for (const sharding::ChunkProgram& part : programs) {
    for (const sharding::Port& port : part.inputs) {
      const bool each = port.repeat == sharding::Repeat::per_micro_batch;
      if (port.source < 0 || (sharding::is_pass(part.phase) && !each)) count(part.chunk, port);
    }
    for (const sharding::Port& port : part.outputs) {
      if (port.repeat == sharding::Repeat::accumulated) count(part.chunk, port);
    }
  }
  return bytes;
}

/// Seconds of the passes in `programs` are added to those of their chunks. Per program, those of
/// its kernels; 0 where it is none of these passes.
std::vector<double> add_seconds(const std::vector<sharding::ChunkProgram>& programs,
                                const Strategy& strategy, const cost::CostModel& cost,
                                lower::Lowerings* lowerings,
                                const std::map<sharding::ChunkPhase, double ChunkCost::*>& passes,
                                std::vector<ChunkCost>& chunks) {
  std::vector<double> kernels_s(programs.size());
  for (std::size_t p = 0; p < programs.size(); ++p) {
    const sharding::ChunkProgram& part = programs[p];
    const auto found = passes.find(part.phase);
    if (found == passes.end()) continue;
    const ChunkPrice spent = price(part, strategy.chunks[at(part.chunk)].mesh, cost, lowerings);
    kernels_s[p] = spent.kernels_s;
    chunks[at(part.chunk)].*(found->second) += spent.seconds();
  }
  return kernels_s;
}

}  // namespace

void check(const Program& program, const Cluster& cluster, const Strategy& strategy,
           const sharding::OpGraph* graph) {
  sharding::check_strategy(program, strategy, graph);
  check_devices(cluster, strategy);
}

void check_devices(const Cluster& cluster, const Strategy& strategy) {
  for (const Chunk& chunk : strategy.chunks) {
    for (const DeviceId device : chunk.mesh.devices) {
      if (device >= 0 && device < cluster.num_devices()) continue;
      throw Error("strategy '" + strategy.name + "' uses device " + std::to_string(device) +
                  ", and topology '" + cluster.name + "' has " +
                  std::to_string(cluster.num_devices()));
    }
  }
}

ChunkPrice price(const sharding::ChunkProgram& chunk_program, const Mesh& mesh,
                 const cost::CostModel& cost, lower::Lowerings* lowerings) {
  lower::Lowerings own(lower::kernels_of(cost.cluster()));
  const auto lowered = (lowerings == nullptr ? own : *lowerings).of(chunk_program.program, [&] {
    return without_collectives(chunk_program);
  });
  std::set<std::int32_t> models;
  for (const DeviceId device : mesh.devices) models.insert(cost.cluster().model_of[at(device)]);
  double kernels_s = 0;
  for (const std::int32_t model : models)
    kernels_s = std::max(kernels_s, cost.program_s(*lowered, model));
  return {kernels_s, collectives_s(chunk_program.program, mesh, cost)};
}

PipelineProblem pipeline_problem(const Strategy& strategy,
                                 const std::vector<sharding::ChunkProgram>& whole,
                                 const std::vector<sharding::ChunkProgram>& cut,
                                 const cost::CostModel& cost, lower::Lowerings* lowerings,
                                 plan::KnownCuts* cuts, const plan::Blocking& blocking) {
  PipelineProblem problem =
      plan::pipeline_of(strategy, cut, [&](const std::vector<ReshardTensor>& tensors) {
        const ReshardProblem whole{tensors, cost.cluster()};
        return cost::reshard_bound(plan::share_of(whole, plan::find_shares(whole), 0)).seconds;
      });
  using enum sharding::ChunkPhase;
  const std::vector<double> kernels_s = add_seconds(whole, strategy, cost, lowerings,
                                                    {{forward, &ChunkCost::forward_s},
                                                     {backward, &ChunkCost::backward_weight_s},
                                                     {update, &ChunkCost::update_s}},
                                                    problem.chunks);
  add_seconds(cut, strategy, cost, lowerings,
              {{backward, &ChunkCost::backward_s}, {weight, &ChunkCost::weight_s}}, problem.chunks);
  plan::KnownCuts own;
  const WeightFirst first(whole, strategy, lower::kernels_of(cost.cluster()).attention,
                          problem.chunks, cuts == nullptr ? own : *cuts);
  for (std::size_t p = 0; p < whole.size(); ++p) {
    if (whole[p].phase == backward)
      first.add(whole[p], kernels_s[p], strategy.gradient_sums.bucket_bytes, blocking.collectives);
  }
  problem.is_step_joint = std::ranges::any_of(whole, [&](const sharding::ChunkProgram& part) {
    const Mesh& own = strategy.chunks[at(part.chunk)].mesh;
    return part.phase == update && std::ranges::any_of(part.inputs, [&](const auto& port) {
             return port.source >= 0 && strategy.chunks[at(port.source)].mesh != own;
           });
  });
  plan::set_rooms(problem, strategy, cost.cluster(), lasting_bytes(problem, strategy, whole));
  return problem;
}

/// What the plan lacks of memory is taken off the room for activations that the schedule was told
/// of. False: it lacks none, or there would be no room for a micro-batch.
static bool take_back(const plan::ExecutionPlan& plan, PipelineProblem& problem) {
  constexpr double kLeastStep = 0.25;  // less may change nothing
  std::vector<double> kept(at(problem.num_meshes));
  for (const ChunkCost& chunk : problem.chunks)
    kept[at(chunk.mesh)] += chunk.forward_to_backward_bytes + chunk.forward_to_weight_bytes;
  bool is_less = false;
  for (std::size_t mesh = 0; mesh < plan.roles.size(); ++mesh) {
    const plan::Role& role = plan.roles[mesh];
    const double lacking =
        static_cast<double>(plan::memory_bytes(role)) - plan::memory_bytes(plan.cluster, role.mesh);
    double& limit = problem.activation_limit_bytes[mesh];
    if (lacking <= 0) continue;
    limit -= std::max(lacking, kLeastStep * limit);
    if (limit < kept[mesh] || limit <= 0) return false;
    is_less = true;
  }
  return is_less;
}

static plan::PlanOutline planned_once(const PlanContext& context, const Strategy& strategy,
                                      std::int32_t num_replicas, std::vector<Ordered>* asked) {
  sharding::Partitioner partitioner(context.program, strategy, context.graph);
  const std::vector<sharding::ChunkProgram> whole = partitioner.programs();
  lower::Lowerings own(lower::kernels_of(context.cost.cluster()));
  lower::Lowerings* const lowerings = context.lowerings == nullptr ? &own : context.lowerings;
  PipelineProblem problem =
      pipeline_problem(strategy, whole, partitioner.cut_passes(), context.cost, lowerings,
                       context.cuts, context.blocking);
  problem.num_replicas = num_replicas;
  problem.is_draft = context.is_draft;
  const auto ask = [&] {
    PipelineSchedule schedule =
        blaming_placement(context, strategy, [&] { return context.schedule.schedule(problem); });
    if (asked != nullptr) asked->push_back({problem, schedule});
    return schedule;
  };
  const auto planned = [&](const PipelineSchedule& schedule) {
    const plan::PassOrder order = blaming_placement(context, strategy, [&] {
      return plugin::blaming(context.schedule_id,
                             [&] { return plan::pass_order(problem, schedule); });
    });
    const bool is_any_cut = std::ranges::find(order.is_cut, true) != order.is_cut.end();
    std::vector<sharding::ChunkProgram> cut;
    if (is_any_cut) cut = partitioner.programs(order.is_cut);
    return plan::outline({context.program, strategy, is_any_cut ? cut : whole,
                          context.cost.cluster(), problem, order, context.resharding,
                          context.resharding_id, context.blocking, lowerings, context.cuts});
  };
  PipelineSchedule schedule = ask();
  plan::PlanOutline made = planned(schedule);
  // What passes need beside what they keep, and messages under way, is known of a plan alone.
  constexpr int kMostAgain = 16;
  for (int again = 0; again < kMostAgain && take_back(made.plan, problem); ++again) {
    PipelineSchedule smaller = ask();
    if (smaller == schedule) continue;  // for less it may be another
    schedule = std::move(smaller);
    made = planned(schedule);
  }
  made.plan.name = strategy.name;
  return made;
}

/// Those of all replicas, on the meshes of the first, of which a strategy is.
static std::vector<Chunk> chunks_of_replicas(const Strategy& strategy, const Placement& placement) {
  std::map<std::int32_t, Mesh> meshes;
  for (std::size_t c = 0; c < strategy.chunks.size(); ++c)
    meshes[placement.mesh_of_chunk[c]] = strategy.chunks[c].mesh;
  std::vector<Chunk> chunks;
  for (const std::int32_t number : placement.mesh_of_chunk) {
    const auto mesh = meshes.find(number);
    if (mesh == meshes.end())
      throw Error("the schedule places no chunk of its first replica on mesh " +
                  std::to_string(number));
    chunks.push_back({mesh->second, false});
  }
  return chunks;
}

std::vector<ValueId> unwritten_values(const Program& program, const Cluster& cluster) {
  std::vector<ValueId> values;
  if (!lower::kernels_of(cluster).attention) return values;
  const std::vector<bool> inside = lower::inside_attention(program);
  for (ValueId id = 0; id < program.size(); ++id) {
    const Op& op = program.op(id);
    if (inside[at(id)] && op.phase == Phase::forward && !op.operands.empty()) values.push_back(id);
  }
  return values;
}

Strategy making_anew(Strategy strategy, const std::vector<ValueId>& values) {
  const auto num_own = std::ssize(strategy.recompute);
  strategy.recompute.insert(strategy.recompute.end(), values.begin(), values.end());
  std::inplace_merge(strategy.recompute.begin(), strategy.recompute.begin() + num_own,
                     strategy.recompute.end());
  const auto repeated = std::ranges::unique(strategy.recompute);
  strategy.recompute.erase(repeated.begin(), repeated.end());
  return strategy;
}

static plan::PlanOutline outline_of(const PlanContext& context, const Strategy& strategy,
                                    std::vector<Ordered>* asked) {
  std::set<std::vector<DeviceId>> meshes;
  for (const Chunk& chunk : strategy.chunks) meshes.insert(chunk.mesh.devices);
  const Placement placement = context.schedule.placement(static_cast<int>(meshes.size()));
  if (placement.num_replicas == 1) return planned_once(context, strategy, 1, asked);
  const std::size_t num_chunks = placement.mesh_of_chunk.size() / at(placement.num_replicas);
  if (num_chunks != strategy.chunks.size())
    throw Error("the schedule places " + std::to_string(num_chunks) +
                " chunks of a replica, and strategy '" + strategy.name + "' has " +
                std::to_string(strategy.chunks.size()));
  const sharding::ReplicatedStep step =
      sharding::replicate(context.program, strategy, chunks_of_replicas(strategy, placement));
  plan::PlanOutline made =
      planned_once({step.program, context.cost, context.resharding, context.schedule,
                    context.resharding_id, context.schedule_id, context.blocking, context.is_draft},
                   step.strategy, placement.num_replicas, asked);
  for (plan::Role& role : made.plan.roles) {
    for (plan::PlanInput& input : role.inputs) input.input = step.inputs[at(input.input)];
    for (plan::PlanOutput& output : role.outputs) output.output = step.outputs[at(output.output)];
  }
  return made;
}

plan::PlanOutline make_outline(const PlanContext& context, const Strategy& strategy,
                               std::vector<Ordered>* asked) {
  check(context.program, context.cost.cluster(), strategy, context.graph);
  const std::vector<ValueId> unwritten =
      context.unwritten != nullptr ? *context.unwritten
                                   : unwritten_values(context.program, context.cost.cluster());
  if (unwritten.empty()) return outline_of(context, strategy, asked);
  return outline_of(context, making_anew(strategy, unwritten), asked);
}

plan::ExecutionPlan make_plan(const PlanContext& context, const Strategy& strategy) {
  plan::PlanOutline made = make_outline(context, strategy);
  plan::bind(made);
  return std::move(made.plan);
}

}  // namespace rhino::evaluate
