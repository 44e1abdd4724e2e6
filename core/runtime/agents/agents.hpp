// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/agents/agent_link.hpp"
#include "runtime/session.hpp"
#include "topology/host_report.hpp"

namespace rhino::runtime {

/// Where authenticated connections of agents come from. Neither call blocks.
struct AgentDoor {
  std::function<std::vector<topology::FileDescriptor>()> admit;
  std::function<std::vector<int>()> files;  ///< readable when admit() has something to do
  /// Told of one that came in and is no agent: `it does not tell of its host`.
  std::function<void(int socket, const std::string& why)> refuse;
};

/// All agents of a run, as its controller sees them: the processes that a launcher started, but for
/// this one. An agent that was lost may come again. The destructor tells all of them that the run
/// is over.
class Agents {
 public:
  /// `own`: of this process, rank 0 of `num_ranks`.
  Agents(AgentDoor door, std::int32_t num_ranks, topology::HostReport own);
  ~Agents();
  Agents(const Agents&) = delete;
  Agents& operator=(const Agents&) = delete;

  /// Waits until all have come. Throws Error: after `deadline_s` naming the ranks that are missing,
  /// where two claim one rank, and where hosts differ in version or binaries.
  void gather(double deadline_s);
  /// The interface of this host at which the others reach it. [gathered]
  void use(const std::string& interface);
  /// [gathered] The first is this one.
  const std::vector<topology::FoundHost>& hosts() const { return hosts_; }

  /// For SessionOptions::agents: the first `count` hosts. Waits a few seconds for one that was lost
  /// just now. Throws Error naming one that is lost.
  std::vector<SessionHost> session_hosts(std::size_t count);
  /// Sessions between `count` hosts have to talk over TCP: not all of them have RDMA.
  bool need_tcp(std::size_t count) const;

  /// Takes in who comes, and what they say; never blocks.
  void serve();
  /// serve(), ten times a second at most: for whoever waits, however often.
  void look_in();

 private:
  using Clock = std::chrono::steady_clock;
  struct Newcomer {
    std::unique_ptr<Channel> channel;
    Clock::time_point until;
  };
  void hear(Newcomer& newcomer);
  std::string why_not(const topology::HostReport& report) const;
  void welcome(Channel channel, topology::HostReport report);
  void sleep(int limit_ms);
  AgentLink* link_to(const topology::FoundHost& host) const;
  std::string roll_call() const;

  const AgentDoor door_;
  const std::int32_t num_ranks_;
  const topology::HostReport own_;
  Clock::time_point looked_in_{};
  std::vector<Newcomer> newcomers_;
  std::map<std::int32_t, std::unique_ptr<AgentLink>> links_;  ///< by rank
  std::vector<std::unique_ptr<AgentLink>> lost_;              ///< sessions may know them yet
  std::map<std::string, Clock::time_point> lost_since_;       ///< by host
  std::vector<topology::FoundHost> hosts_;
  std::string conflict_;  ///< what processes say of their ranks that cannot be
};

/// What workers of that host need to know of its network: UCX_NET_DEVICES and NCCL_SOCKET_IFNAME,
/// where the user has not said it and there is no RDMA for UCX to find by itself.
std::map<std::string, std::string> network_environment(const topology::HostReport& host);

/// For people: `host1 (ranks 0, 1): 2 of 4 cores of Intel Xeon, eth0`. Fewer cores than there are
/// are those that a launcher, or its batch system, leaves to it.
std::string describe(const topology::FoundHost& host);

}  // namespace rhino::runtime
