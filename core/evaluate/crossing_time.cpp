// SPDX-License-Identifier: Apache-2.0
#include "evaluate/crossing_time.hpp"

#include <algorithm>

#include "plan/single_communication.hpp"
#include "rhino/index.hpp"
#include "simulate/simulate.hpp"

namespace rhino::evaluate {
namespace {

/// Whether all that decides about a boundary is the kinds of its meshes.
bool lie_apart(const Cluster& cluster, const Mesh& source, const Mesh& target) {
  if (!cluster.own_links.empty() || !cluster.uplinks.empty()) return false;
  return std::ranges::none_of(source.devices, [&](DeviceId from) {
    return std::ranges::any_of(target.devices, [&](DeviceId to) {
      return cluster.host_of[at(from)] == cluster.host_of[at(to)];
    });
  });
}

}  // namespace

double CrossingTimes::seconds(const Tensors& tensors, const Mesh& source, const Mesh& target) {
  const Cluster& cluster = tables_.cost().cluster();
  std::pair<DeviceId, DeviceId> where{-1, -1};
  if (!lie_apart(cluster, source, target)) where = {source.devices[0], target.devices[0]};
  const auto [found, is_new] = known_s_.try_emplace({tensors, where}, 0);
  if (!is_new) return found->second;
  ReshardProblem problem{{}, cluster};
  for (const auto& [leaving, arriving] : tensors) {
    const sharding::MicroView& from = tables_.form(leaving).view;
    problem.tensors.push_back(
        {from.shape, source, from.spec, {{target, tables_.form(arriving).view.spec}}});
  }
  return found->second = simulate::simulate(plan::reshard_plan(problem, resharding_.plan(problem)),
                                            tables_.cost(), {.num_steps = 1, .keep_events = false})
                             .makespan_s;
}

}  // namespace rhino::evaluate
