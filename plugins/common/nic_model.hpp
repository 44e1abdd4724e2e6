// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

/// Unit tasks as the network interfaces of hosts see them (AlpaComm, section 3): a task occupies
/// the sending side of one host and the receiving side of all hosts that need the slice, for as
/// long as its bytes take through one interface; traffic inside hosts is free. Interfaces are alike
/// and full duplex, so times are in bytes: divide by the rate of an interface for seconds.
namespace rhino::common {

struct HostTask {
  std::int64_t bytes = 0;
  std::vector<std::int32_t> senders;    ///< hosts that hold the slice, distinct
  std::vector<std::int32_t> receivers;  ///< hosts that need it, distinct, none of them a sender
  bool operator==(const HostTask&) const = default;
};

/// Who sends each task, and in which order every host works off its tasks.
struct HostSchedule {
  std::vector<std::int32_t> order;   ///< tasks
  std::vector<std::int32_t> sender;  ///< [task], a host
  bool operator==(const HostSchedule&) const = default;
};

/// Hosts are numbers below this.
inline std::size_t num_hosts(const std::vector<HostTask>& tasks) {
  std::int32_t largest = -1;
  for (const HostTask& task : tasks) {
    for (const std::int32_t host : task.senders) largest = std::max(largest, host);
    for (const std::int32_t host : task.receivers) largest = std::max(largest, host);
  }
  return static_cast<std::size_t>(largest + 1);
}

/// When the two sides of each host's interface become free.
class NicTimes {
 public:
  explicit NicTimes(std::size_t num_hosts) : sending_(num_hosts, 0), receiving_(num_hosts, 0) {}

  std::int64_t& sending(std::int32_t host) { return sending_[static_cast<std::size_t>(host)]; }
  std::int64_t& receiving(std::int32_t host) { return receiving_[static_cast<std::size_t>(host)]; }
  std::int64_t sending(std::int32_t host) const { return sending_[static_cast<std::size_t>(host)]; }
  std::int64_t receiving(std::int32_t host) const {
    return receiving_[static_cast<std::size_t>(host)];
  }

  /// When the task may begin: a task starts as soon as its hosts have ended what came before.
  std::int64_t start(const HostTask& task, std::int32_t sender) const {
    std::int64_t time = sending(sender);
    for (const std::int32_t host : task.receivers) time = std::max(time, receiving(host));
    return time;
  }

  /// Runs the task and returns when it ends.
  std::int64_t run(const HostTask& task, std::int32_t sender) {
    const std::int64_t end = start(task, sender) + task.bytes;
    sending(sender) = end;
    for (const std::int32_t host : task.receivers) receiving(host) = end;
    return end;
  }

 private:
  std::vector<std::int64_t> sending_, receiving_;
};

/// When the last task ends.
inline std::int64_t makespan(const std::vector<HostTask>& tasks, const HostSchedule& schedule) {
  NicTimes times(num_hosts(tasks));
  std::int64_t last = 0;
  for (const std::int32_t index : schedule.order) {
    const auto task = static_cast<std::size_t>(index);
    last = std::max(last, times.run(tasks[task], schedule.sender[task]));
  }
  return last;
}

}  // namespace rhino::common
