// SPDX-License-Identifier: Apache-2.0
#include "planning/communication_plan.hpp"

#include <algorithm>
#include <map>

#include "cost/reshard_bound.hpp"
#include "planning/plan_fit.hpp"
#include "plugin/scope.hpp"
#include "rhino/error.hpp"

namespace rhino::planning {
namespace {

plan::CommunicationKind kind_of(const std::string& name) {
  static const std::map<std::string, plan::CommunicationKind> kKinds = {
      {"all_reduce", plan::CommunicationKind::all_reduce},
      {"all_gather", plan::CommunicationKind::all_gather},
      {"reduce_scatter", plan::CommunicationKind::reduce_scatter},
      {"all_to_all", plan::CommunicationKind::all_to_all}};
  return kKinds.at(name);
}

ReshardProblem reshard_problem(const config::ReshardChoice& choice, const Cluster& cluster) {
  ReshardProblem problem{{}, cluster};
  for (const config::TensorChoice& tensor : choice.tensors) {
    const std::vector<Mesh> meshes = config::place_meshes(tensor, cluster);
    ReshardTensor& moved = problem.tensors.emplace_back(
        ReshardTensor{tensor.shape, meshes.front(), tensor.source.spec, {}});
    for (std::size_t g = 0; g < tensor.targets.size(); ++g)
      moved.targets.push_back({meshes[g + 1], tensor.targets[g].spec});
  }
  return problem;
}

/// The work of the child.
Answer planned_reshard(const config::CellSpec& cell, const ReshardProblem& problem,
                       const plugin::Registry& registry) {
  const auto resharding =
      plugin::make_resharding(registry.find(cell.resharding.id), Options(cell.resharding.options));
  const TransferPlan transfers = resharding->plan(problem);
  plan::ExecutionPlan plan =
      plugin::blaming(cell.resharding.id, [&] { return plan::reshard_plan(problem, transfers); });
  prove(plan, config::to_string(cell.resharding));
  return {.plan_bytes = bytes_of(std::move(plan))};
}

/// What an interface with `here` of `n` devices behind it must pass one way.
double least_bytes(const plan::CollectiveProblem& problem, double here, double num_interfaces,
                   bool switches_add) {
  const auto n = static_cast<double>(problem.group.size());
  const auto bytes = static_cast<double>(problem.bytes);
  switch (problem.kind) {
    // Of each element every other interface passes a term to where the sum is made, and the sum
    // back; or all goes to a switch that adds up, and back.
    case plan::CommunicationKind::all_reduce:
      if (switches_add) return bytes;
      return bytes * 2 * (num_interfaces - 1) / num_interfaces;
    case plan::CommunicationKind::all_to_all: return bytes * here * (n - here) / n;
    // In what is outside and out what is here, or the other way round.
    default: return bytes * std::max(n - here, here) / n;
  }
}

evaluate::Bound collective_bound(const plan::CollectiveProblem& problem) {
  const Cluster& cluster = problem.cluster;
  std::map<std::int32_t, double> on_host;
  for (const DeviceId device : problem.group)
    ++on_host[cluster.host_of[static_cast<std::size_t>(device)]];
  const bool one_host = on_host.size() == 1;
  Link link = one_host ? cost::widest_device_link(cluster) : cost::widest_link_out(cluster);
  // That of a message; libraries have protocols of their own.
  if (cluster.collectives != CollectiveLibrary::plain) link.latency_s = 0;
  if (one_host) on_host = {{0, 1}};  // every device has a link of its own
  const auto num_interfaces = static_cast<double>(one_host ? problem.group.size() : on_host.size());
  const bool switches_add = one_host && cluster.collectives == CollectiveLibrary::nccl_nvls;
  evaluate::Bound bound{0, "network"};
  for (const auto& [host, here] : on_host) {
    const double bytes = least_bytes(problem, here, num_interfaces, switches_add);
    bound.seconds = std::max(bound.seconds, link.latency_s + bytes / link.bytes_per_s);
  }
  return bound;
}

}  // namespace

CommunicationProblem communication_problem(const config::CellSpec& cell, const Cluster& cluster) {
  CommunicationProblem problem;
  if (cell.reshard) {
    problem.reshard = reshard_problem(*cell.reshard, cluster);
    for (const ReshardTensor& tensor : problem.reshard->tensors)
      problem.bytes += static_cast<double>(num_bytes(tensor.shape));
  } else {
    const config::CollectiveChoice& choice = *cell.collective;
    config::check_group(choice, cluster);
    problem.collective = {kind_of(choice.kind), choice.bytes, choice.dtype, choice.group, cluster};
    problem.bytes = static_cast<double>(choice.bytes);
  }
  return problem;
}

PlannedCell plan_communication(const config::CellSpec& cell, const CommunicationProblem& problem,
                               const plugin::Registry& registry,
                               const plugin::ChildLimits& limits) {
  PlannedCell planned =
      problem.reshard
          ? plan_in_child([&] { return planned_reshard(cell, *problem.reshard, registry); }, limits)
          : plan_here([&] { return plan::collective_plan(*problem.collective); });
  planned.plan.name = planned.plan.program = program_text(cell, nullptr);
  if (cell.reshard) planned.plan.resharding = config::to_string(cell.resharding);
  return planned;
}

evaluate::Bound communication_bound(const CommunicationProblem& problem) {
  if (problem.collective) return collective_bound(*problem.collective);
  const cost::ReshardBound bound = cost::reshard_bound(*problem.reshard);
  return {bound.seconds, bound.what};
}

double bus_factor(const config::CollectiveChoice& choice, std::int64_t num_devices) {
  const auto n = static_cast<double>(num_devices);
  return choice.kind == "all_reduce" ? 2 * (n - 1) / n : (n - 1) / n;
}

}  // namespace rhino::planning
