// SPDX-License-Identifier: Apache-2.0
#include "planning/communication_plan.hpp"

#include <algorithm>
#include <map>

#include "cost/links.hpp"
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
  const std::string reason = too_large(plan);
  if (!reason.empty()) return {.status = store::Status::infeasible, .message = reason};
  prove(plan, config::to_string(cell.resharding));
  return {.plan_bytes = bytes_of(std::move(plan))};
}

/// What a host with `here` of the group's devices must pass one way.
double least_bytes(const plan::CollectiveProblem& problem, double here) {
  const auto n = static_cast<double>(problem.group.size());
  const auto bytes = static_cast<double>(problem.bytes);
  switch (problem.kind) {
    // A term, or a sum that it is in, of each element.
    case plan::CommunicationKind::all_reduce: return bytes;
    case plan::CommunicationKind::all_to_all: return bytes * here * (n - here) / n;
    // In what is outside and out what is here, or the other way round.
    default: return bytes * std::max(n - here, here) / n;
  }
}

/// What all `num_places` of an all-reduce pass one way together: of each element all but one pass a
/// term on, and all but one are passed the sum.
double least_bytes_together(const plan::CollectiveProblem& problem, double num_places) {
  return static_cast<double>(problem.bytes) * 2 * (num_places - 1);
}

bool is_all_reduce(const plan::CollectiveProblem& problem) {
  return problem.kind == plan::CommunicationKind::all_reduce;
}

/// Devices of one host, with a link each; where a switch adds up, each passes its terms alone.
double bound_inside_s(const plan::CollectiveProblem& problem, const Link& link) {
  const auto n = static_cast<double>(problem.group.size());
  const bool switch_adds = problem.cluster.collectives == CollectiveLibrary::nccl_nvls;
  const double bytes = is_all_reduce(problem) && !switch_adds ? least_bytes_together(problem, n) / n
                                                              : least_bytes(problem, 1);
  return link.latency_s + bytes / link.bytes_per_s;
}

/// Hosts, whose links may differ.
double bound_between_s(const plan::CollectiveProblem& problem,
                       const std::map<std::int32_t, double>& on_host,
                       const std::vector<Link>& link_of) {
  double most_s = 0, rate = 0, least_latency_s = link_of.front().latency_s;
  std::size_t place = 0;
  for (const auto& [host, here] : on_host) {
    const Link& link = link_of[place++];
    most_s = std::max(most_s, link.latency_s + least_bytes(problem, here) / link.bytes_per_s);
    rate += link.bytes_per_s;
    least_latency_s = std::min(least_latency_s, link.latency_s);
  }
  if (!is_all_reduce(problem)) return most_s;
  const double together = least_bytes_together(problem, static_cast<double>(place));
  return std::max(most_s, least_latency_s + together / rate);
}

evaluate::Bound collective_bound(const plan::CollectiveProblem& problem) {
  const Cluster& cluster = problem.cluster;
  std::map<std::int32_t, double> on_host;
  for (const DeviceId device : problem.group)
    ++on_host[cluster.host_of[static_cast<std::size_t>(device)]];
  const bool one_host = on_host.size() == 1;
  std::vector<Link> links;
  for (const auto& [host, here] : on_host) {
    links.push_back(one_host ? cost::widest_device_link(cluster, host)
                             : cost::widest_link_out(cluster, host));
    // That of a message; libraries have protocols of their own.
    if (cluster.collectives != CollectiveLibrary::plain) links.back().latency_s = 0;
  }
  return {
      one_host ? bound_inside_s(problem, links.front()) : bound_between_s(problem, on_host, links),
      "network"};
}

}  // namespace

CommunicationProblem communication_problem(const config::CellSpec& cell, const Cluster& cluster) {
  CommunicationProblem problem;
  if (cell.reshard) {
    problem.reshard = reshard_problem(*cell.reshard, cluster);
  } else {
    const config::CollectiveChoice& choice = *cell.collective;
    config::check_group(choice, cluster);
    problem.collective = {kind_of(choice.kind), choice.bytes, choice.dtype, choice.group, cluster};
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
