// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>
#include <vector>

#include "common/nic_model.hpp"

namespace rhino::common {

/// Tasks that are alike but for their data: of the same size, from and to the same hosts.
struct TaskKind {
  HostTask task;
  std::vector<std::int32_t> members;  ///< in increasing order
};

namespace detail {

struct HashTask {
  std::size_t operator()(const HostTask* task) const {
    std::uint64_t hash = static_cast<std::uint64_t>(task->bytes);
    const auto add = [&](std::int32_t value) {
      hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 29;
    };
    for (const std::int32_t host : task->senders) add(host);
    add(-1);
    for (const std::int32_t host : task->receivers) add(host);
    return static_cast<std::size_t>(hash);
  }
};
struct EqualTask {
  bool operator()(const HostTask* a, const HostTask* b) const { return *a == *b; }
};

}  // namespace detail

/// In the order in which they first appear.
inline std::vector<TaskKind> task_kinds(const std::vector<HostTask>& tasks) {
  std::vector<TaskKind> kinds;
  std::unordered_map<const HostTask*, std::size_t, detail::HashTask, detail::EqualTask> index;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto [found, is_new] = index.try_emplace(&tasks[i], kinds.size());
    if (is_new) kinds.push_back({tasks[i], {}});
    kinds[found->second].members.push_back(static_cast<std::int32_t>(i));
  }
  return kinds;
}

}  // namespace rhino::common
