// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/controller/host_workers.hpp"
#include "runtime/progress.hpp"
#include "runtime/session.hpp"

namespace rhino::runtime {

/// Where the worker of a rank starts.
struct WorkerPlace {
  topology::HostNamespaces namespaces = {};  ///< an emulated host of this machine
  AgentLink* agent = nullptr;                ///< of another host
};

/// The worker processes of one session, on this host and those of agents.
class WorkerGroup {
 public:
  /// Starts one worker per rank. They get the plan, which `plan_fd` holds encoded, and report into
  /// `pages`. Throws Error naming the worker's file or the host.
  WorkerGroup(const SessionOptions& options, int plan_fd, const std::string& plan,
              const ProgressPages& pages, const std::vector<WorkerPlace>& places);
  /// Asks the workers to end, waits a second, kills who is left.
  ~WorkerGroup();
  WorkerGroup(const WorkerGroup&) = delete;
  WorkerGroup& operator=(const WorkerGroup&) = delete;

  int size() const { return static_cast<int>(of_rank_.size()); }
  HostWorkers& of(int rank) const { return *of_rank_[static_cast<std::size_t>(rank)]; }
  const std::vector<std::unique_ptr<HostWorkers>>& hosts() const { return hosts_; }

  pid_t pid(int rank) const { return of(rank).pid(rank); }
  int mailbox(int rank) const { return of(rank).mailbox(rank); }
  const std::string& log(int rank) const { return of(rank).log(rank); }
  std::optional<std::string> end_of(int rank) const { return of(rank).end_of(rank); }
  bool is_stopped(int rank) const { return of(rank).is_stopped(rank); }
  bool is_ending(int rank) const { return of(rank).is_ending(rank); }
  /// `rank 3 (pid 4711)`, on another host `rank 3 (pid 4711 on node2)`.
  std::string name(int rank) const;

  /// Until one of these ranks has news, or so long.
  void sleep(const std::vector<bool>& pending, int limit_ms) const;
  /// Ends all at once; also those that are stopped.
  void kill() noexcept;

 private:
  bool all_ended() const;

  std::vector<std::unique_ptr<HostWorkers>> hosts_;
  std::vector<HostWorkers*> of_rank_;
};

}  // namespace rhino::runtime
