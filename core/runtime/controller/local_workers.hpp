// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "runtime/controller/host_workers.hpp"
#include "runtime/controller/spawn.hpp"
#include "runtime/progress.hpp"
#include "topology/network_namespace.hpp"

namespace rhino::runtime {

/// How the workers of a session are started.
struct WorkerSpawn {
  std::string file;  ///< path (or /proc/self/fd/N) of rhino-worker
  std::string cell;  ///< RHINO_CELL
  int num_ranks = 1, num_threads = 1;
  std::map<std::string, std::string> environment = {};  ///< on top
};

struct LocalRank {
  int rank = 0;
  std::string log;                ///< what it prints is appended
  topology::HostNamespaces host;  ///< where it starts
};

/// Processes of this machine, in a process group of their own. Those that end stay unreaped until
/// all are ended, so that neither their ids nor the group's can meanwhile belong to others.
class LocalWorkers final : public HostWorkers {
 public:
  /// They read the plan from `plan_fd` and report into `pages`. Throws Error naming the worker's
  /// file.
  LocalWorkers(const WorkerSpawn& spawn, const std::vector<LocalRank>& ranks, int plan_fd,
               const ProgressPages& pages);
  /// kill().
  ~LocalWorkers() override;
  LocalWorkers(const LocalWorkers&) = delete;
  LocalWorkers& operator=(const LocalWorkers&) = delete;

  const std::vector<int>& ranks() const override { return ranks_; }
  pid_t pid(int rank) const override { return worker(rank).pid; }
  void put(int rank, const Frame& frame) override { worker(rank).channel.put(frame); }
  std::optional<Frame> poll(int rank) override { return worker(rank).channel.poll(); }
  int mailbox(int rank) const override { return worker(rank).mailbox.get(); }
  const std::string& log(int rank) const override { return worker(rank).log; }
  std::optional<std::string> end_of(int rank) const override;
  bool ended_for_memory(int rank) const override;
  bool is_stopped(int rank) const override;
  bool is_ending(int rank) const override { return is_exiting(pid(rank)); }
  bool add_files(int rank, std::vector<pollfd>& files) override;
  void ask_to_end() noexcept override;
  bool all_ended() override;
  void kill() noexcept override;

 private:
  struct Worker {
    pid_t pid = 0;
    Channel channel;
    topology::FileDescriptor mailbox;
    std::string log;
  };
  Worker& worker(int rank) { return workers_.at(rank); }
  const Worker& worker(int rank) const { return workers_.at(rank); }

  std::map<int, Worker> workers_;
  std::vector<int> ranks_;
  pid_t group_ = 0;
  std::int64_t num_memory_kills_ = 0;  ///< of the system, before
};

}  // namespace rhino::runtime
