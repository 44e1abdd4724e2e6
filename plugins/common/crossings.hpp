// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "common/hosts.hpp"
#include "common/nic_model.hpp"
#include "common/unit_tasks.hpp"

namespace rhino::common {

/// A slice from one device, or one of several alike, to others.
struct Delivery {
  std::int32_t tensor = 0;
  Box box;
  std::int64_t bytes = 0;
  std::vector<DeviceId> senders, receivers;  ///< disjoint; receivers host by host
};

/// What becomes of the unit tasks of a problem: a receiver that holds the slice already copies it
/// to itself, one on the same host as a holder gets it there, and only the others need the network.
struct Crossings {
  std::vector<Delivery> in_place;  ///< one device, sender and receiver
  std::vector<Delivery> on_host;   ///< senders and receivers on one host
  std::vector<Delivery> across;    ///< no sender on a receiver's host
  std::vector<HostTask> tasks;     ///< [across]
};

namespace detail {

inline void add_crossings(const Cluster& cluster, UnitTask task, std::int64_t bytes,
                          Crossings& all) {
  const auto host_of_group = [&](const std::vector<DeviceId>& group) {
    return host_of(cluster, group.front());
  };
  const auto delivery = [&](std::vector<DeviceId> senders, std::vector<DeviceId> receivers) {
    return Delivery{task.tensor, task.box, bytes, std::move(senders), std::move(receivers)};
  };
  const std::vector<std::vector<DeviceId>> sides = by_host(cluster, task.senders);
  HostTask crossing{bytes, {}, {}};
  for (const std::vector<DeviceId>& side : sides) crossing.senders.push_back(host_of_group(side));
  std::vector<DeviceId> far;
  for (const std::vector<DeviceId>& group : by_host(cluster, task.receivers)) {
    const std::int32_t host = host_of_group(group);
    const auto found = std::find(crossing.senders.begin(), crossing.senders.end(), host);
    if (found == crossing.senders.end()) {
      crossing.receivers.push_back(host);
      far.insert(far.end(), group.begin(), group.end());
      continue;
    }
    const std::vector<DeviceId>& side =
        sides[static_cast<std::size_t>(found - crossing.senders.begin())];
    const std::set<DeviceId> holders(side.begin(), side.end());
    std::vector<DeviceId> near;
    for (const DeviceId device : group) {
      if (holders.contains(device)) all.in_place.push_back(delivery({device}, {device}));
      else near.push_back(device);
    }
    if (!near.empty()) all.on_host.push_back(delivery(side, std::move(near)));
  }
  if (far.empty()) return;
  all.tasks.push_back(std::move(crossing));
  all.across.push_back(
      {task.tensor, std::move(task.box), bytes, std::move(task.senders), std::move(far)});
}

}  // namespace detail

inline Crossings crossings(const ReshardProblem& problem) {
  Crossings all;
  for (UnitTask& task : unit_tasks(problem)) {
    const std::int64_t bytes = num_bytes(problem, task);
    detail::add_crossings(problem.cluster, std::move(task), bytes, all);
  }
  return all;
}

}  // namespace rhino::common
