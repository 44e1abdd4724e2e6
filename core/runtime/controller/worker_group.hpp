// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "runtime/channel.hpp"
#include "runtime/progress.hpp"
#include "runtime/session.hpp"

namespace rhino::runtime {

/// The worker processes of one session, in a process group of their own. Those that end stay
/// unreaped until all are ended, so that neither their ids nor the group's can meanwhile belong to
/// others.
class WorkerGroup {
 public:
  /// Starts one worker per rank on `hosts[rank]`. They read the plan from `plan_fd` and report into
  /// `pages`. Throws Error naming the worker's file.
  WorkerGroup(const SessionOptions& options, int plan_fd, const ProgressPages& pages,
              const std::vector<topology::HostNamespaces>& hosts);
  /// Asks the workers to end, waits a second, kills who is left.
  ~WorkerGroup();
  WorkerGroup(const WorkerGroup&) = delete;
  WorkerGroup& operator=(const WorkerGroup&) = delete;

  int size() const { return static_cast<int>(workers_.size()); }
  pid_t pid(int rank) const { return worker(rank).pid; }
  Channel& channel(int rank) { return workers_[static_cast<std::size_t>(rank)].channel; }
  int mailbox(int rank) const { return worker(rank).mailbox.get(); }
  const std::string& log(int rank) const { return worker(rank).log; }

  /// How the worker ended, if it has: `was killed by signal 9 (KILL)`, `exited with code 0`.
  std::optional<std::string> end_of(int rank) const;
  /// Whether a signal holds it up.
  bool is_stopped(int rank) const;
  /// Ends all at once and reaps them; also those that are stopped.
  void kill() noexcept;

 private:
  struct Worker {
    pid_t pid = 0;
    Channel channel;
    topology::FileDescriptor mailbox;
    std::string log;
  };
  const Worker& worker(int rank) const { return workers_[static_cast<std::size_t>(rank)]; }
  bool all_ended() const;
  void ask_to_end() noexcept;

  std::vector<Worker> workers_;
};

}  // namespace rhino::runtime
