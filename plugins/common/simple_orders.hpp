// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numeric>
#include <vector>

#include "common/nic_model.hpp"

namespace rhino::common {

namespace detail {

inline HostSchedule in_given_order(const std::vector<HostTask>& tasks) {
  HostSchedule schedule{std::vector<std::int32_t>(tasks.size()), {}};
  std::iota(schedule.order.begin(), schedule.order.end(), 0);
  return schedule;
}

}  // namespace detail

/// AlpaComm's baseline: tasks in the order given, each from the first replica.
inline HostSchedule naive_order(const std::vector<HostTask>& tasks) {
  HostSchedule schedule = detail::in_given_order(tasks);
  for (const HostTask& task : tasks) schedule.sender.push_back(task.senders.front());
  return schedule;
}

/// AlpaComm's "load balance only": tasks in the order given, each from the host that has the least
/// to send so far.
inline HostSchedule balanced_order(const std::vector<HostTask>& tasks) {
  HostSchedule schedule = detail::in_given_order(tasks);
  std::vector<std::int64_t> load(num_hosts(tasks), 0);
  const auto load_of = [&](std::int32_t host) -> std::int64_t& {
    return load[static_cast<std::size_t>(host)];
  };
  for (const HostTask& task : tasks) {
    std::int32_t best = task.senders.front();
    for (const std::int32_t host : task.senders) {
      if (load_of(host) < load_of(best)) best = host;
    }
    load_of(best) += task.bytes;
    schedule.sender.push_back(best);
  }
  return schedule;
}

}  // namespace rhino::common
