// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/agents/agent_link.hpp"
#include "runtime/agents/agent_message.hpp"
#include "runtime/controller/host_workers.hpp"
#include "runtime/controller/local_workers.hpp"
#include "runtime/progress.hpp"

namespace rhino::runtime {

/// Workers that an agent started on its host. Their pages, mailboxes and logs are copies here of
/// what it tells.
class AgentWorkers final : public HostWorkers, private AgentLink::Listener {
 public:
  /// Asks the agent to start them; await_start() tells. `logs`: per rank of `ranks`. Throws Error
  /// naming the host where its agent is lost.
  AgentWorkers(AgentLink& link, const WorkerSpawn& spawn, const std::vector<int>& ranks,
               const std::vector<std::string>& logs, const std::string& plan,
               const ProgressPages& pages);
  /// kill().
  ~AgentWorkers() override;
  AgentWorkers(const AgentWorkers&) = delete;
  AgentWorkers& operator=(const AgentWorkers&) = delete;

  /// Throws Error naming the host where its agent is lost, does not answer or cannot start them.
  void await_start();

  const std::vector<int>& ranks() const override { return ranks_; }
  pid_t pid(int rank) const override { return worker(rank).pid; }
  void put(int rank, const Frame& frame) override;
  std::optional<Frame> poll(int rank) override;
  int mailbox(int rank) const override { return worker(rank).mailbox.get(); }
  const std::string& log(int rank) const override { return worker(rank).log; }
  std::optional<std::string> end_of(int rank) const override { return worker(rank).end; }
  bool ended_for_memory(int rank) const override { return worker(rank).ended_for_memory; }
  bool is_stopped(int rank) const override { return worker(rank).is_stopped; }
  bool is_ending(int rank) const override { return worker(rank).is_ending; }
  bool add_files(int rank, std::vector<pollfd>& files) override;
  std::string host() const override { return link_.report().name; }
  std::string why_lost() const override { return link_.why_lost(); }
  std::uint64_t num_signs() override;
  void ask_to_end() noexcept override { finish(false); }
  bool all_ended() override;
  void kill() noexcept override;

 private:
  struct Worker {
    pid_t pid = 0;
    topology::FileDescriptor mailbox;
    std::string log;
    std::deque<Frame> frames = {};
    std::optional<std::string> end = {};
    bool ended_for_memory = false, is_stopped = false, is_ending = false;
  };
  Worker& worker(int rank) { return workers_.at(rank); }
  const Worker& worker(int rank) const { return workers_.at(rank); }
  void hear(Frame frame) override;
  void take(const Beat& beat);
  void finish(bool at_once) noexcept;

  AgentLink& link_;
  const ProgressPages& pages_;
  const std::vector<int> ranks_;
  std::map<int, Worker> workers_;
  std::uint32_t session_ = 0;
  std::optional<Frame> started_;
  bool is_asked_to_end_ = false, is_finished_ = false;
};

}  // namespace rhino::runtime
