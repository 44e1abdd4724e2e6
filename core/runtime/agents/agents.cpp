// SPDX-License-Identifier: Apache-2.0
#include "runtime/agents/agents.hpp"

#include <poll.h>

#include <algorithm>
#include <cstdlib>

#include "runtime/agents/agent_message.hpp"

namespace rhino::runtime {
namespace {

constexpr std::chrono::seconds kReportDeadline{5}, kReturnDeadline{4};
constexpr std::uint64_t kMostReportBytes = 1 << 20;
/// Of what an agent of this build sends, tiles and traces are largest, by far.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;

bool is_same_process(const topology::HostReport& a, const topology::HostReport& b) {
  return a.boot == b.boot && a.container == b.container && a.launched == b.launched &&
         a.binaries == b.binaries;
}

std::string list(const std::vector<std::int32_t>& numbers, const char* noun) {
  std::string text = noun + std::string(numbers.size() == 1 ? " " : "s ");
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(numbers[i]);
  return text;
}

}  // namespace

Agents::Agents(AgentDoor door, std::int32_t num_ranks, topology::HostReport own)
    : door_(std::move(door)), num_ranks_(num_ranks), own_(std::move(own)) {}

Agents::~Agents() {
  for (const auto& [rank, link] : links_) link->leave();
}

void Agents::gather(double deadline_s) {
  const auto limit = Clock::now() + std::chrono::duration<double>(deadline_s);
  while (std::ssize(links_) + 1 < num_ranks_) {
    serve();
    if (!conflict_.empty()) throw Error(conflict_);
    if (Clock::now() > limit) throw Error(roll_call());
    if (std::ssize(links_) + 1 < num_ranks_) sleep(100);
  }
  std::vector<topology::HostReport> reports{own_};
  for (const auto& [rank, link] : links_) reports.push_back(link->report());
  hosts_ = topology::group_hosts(std::move(reports));
}

void Agents::use(const std::string& interface) {
  hosts_.front().report.interface = interface;
  hosts_.front().report.interface_bytes_per_s = topology::interface_rate(interface);
}

std::string Agents::roll_call() const {
  std::string here = "rank 0 on " + own_.name;
  std::vector<std::int32_t> missing;
  for (std::int32_t rank = 1; rank < num_ranks_; ++rank) {
    const auto link = links_.find(rank);
    if (link == links_.end()) missing.push_back(rank);
    else here += ", rank " + std::to_string(rank) + " on " + link->second->report().name;
  }
  return "the launcher promises " + std::to_string(num_ranks_) + " ranks, and " +
         list(missing, "rank") + (missing.size() == 1 ? " has" : " have") + " not come; here are " +
         here;
}

void Agents::serve() {
  for (topology::FileDescriptor& socket : door_.admit()) {
    newcomers_.push_back({std::make_unique<Channel>(std::move(socket), kMostReportBytes),
                          Clock::now() + kReportDeadline});
  }
  for (Newcomer& newcomer : newcomers_) hear(newcomer);
  std::erase_if(newcomers_, [](const Newcomer& one) { return one.channel == nullptr; });
  for (const auto& [rank, link] : links_) {
    link->pump();
    if (!link->why_lost().empty()) lost_since_.try_emplace(link->report().name, Clock::now());
  }
}

void Agents::look_in() {
  constexpr std::chrono::milliseconds kPause{100};
  const Clock::time_point now = Clock::now();
  if (now - looked_in_ < kPause) return;
  looked_in_ = now;
  serve();
}

/// Its first message is its report; whoever says something else, or nothing, goes.
void Agents::hear(Newcomer& newcomer) {
  std::string why;
  try {
    const std::optional<Frame> frame = newcomer.channel->poll();
    if (frame && frame->kind == MessageKind::report) {
      auto report = decode_message<topology::HostReport>(frame->body);
      why = why_not(report);
      if (why.empty()) welcome(std::move(*newcomer.channel), std::move(report));
      else conflict_ = why;
    } else if (frame) {
      why = "it says something else than what its host is";
    } else if (newcomer.channel->ended()) {
      why = "it left before it said what its host is";
    } else if (Clock::now() > newcomer.until) {
      why = "it does not say what its host is";
    } else {
      return;
    }
  } catch (const Error& error) {
    why = std::string("it says what cannot be understood: ") + error.what();
  }
  if (!why.empty() && door_.refuse) door_.refuse(newcomer.channel->fd(), why);
  newcomer.channel.reset();
}

std::string Agents::why_not(const topology::HostReport& report) const {
  const std::string rank = std::to_string(report.rank);
  if (report.rank < 1 || report.rank >= num_ranks_)
    return "a process on " + report.name + " is rank " + rank + " of " + std::to_string(num_ranks_);
  const auto known = links_.find(report.rank);
  if (known == links_.end() || is_same_process(known->second->report(), report)) return "";
  return "two processes are rank " + rank + ", on " + known->second->report().name + " and on " +
         report.name;
}

/// One that comes again takes the place of what it was: its workers have ended.
void Agents::welcome(Channel channel, topology::HostReport report) {
  const std::int32_t rank = report.rank;
  channel.allow(kMostBytes);
  lost_since_.erase(report.name);
  auto link = std::make_unique<AgentLink>(std::move(channel), std::move(report));
  std::unique_ptr<AgentLink>& place = links_[rank];
  if (place) {
    place->give_up("its agent was started again");
    lost_.push_back(std::move(place));
  }
  place = std::move(link);
}

void Agents::sleep(int limit_ms) {
  std::vector<pollfd> files;
  for (const int file : door_.files()) files.push_back({file, POLLIN, 0});
  for (const Newcomer& newcomer : newcomers_) files.push_back({newcomer.channel->fd(), POLLIN, 0});
  for (const auto& [rank, link] : links_) {
    if (link->why_lost().empty()) files.push_back({link->fd(), POLLIN, 0});
  }
  ::poll(files.data(), files.size(), limit_ms);
}

/// Any of the processes that were launched there can be its agent.
AgentLink* Agents::link_to(const topology::FoundHost& host) const {
  for (const std::int32_t rank : host.ranks) {
    const auto link = links_.find(rank);
    if (link != links_.end() && link->second->why_lost().empty()) return link->second.get();
  }
  return nullptr;
}

std::vector<SessionHost> Agents::session_hosts(std::size_t count) {
  serve();
  std::vector<SessionHost> hosts;
  for (std::size_t h = 0; h < std::min(count, hosts_.size()); ++h) {
    const topology::FoundHost& found = hosts_[h];
    SessionHost host{.agent = nullptr, .cores = found.report.cores, .machine = found.machine};
    while (h > 0 && (host.agent = link_to(found)) == nullptr) {
      const Clock::time_point since =
          lost_since_.try_emplace(found.report.name, Clock::now()).first->second;
      if (Clock::now() - since > kReturnDeadline)
        throw Error("host " + found.report.name + " (" + list(found.ranks, "rank") +
                    " of the launcher) is lost");
      sleep(100);
      serve();
    }
    hosts.push_back(std::move(host));
  }
  return hosts;
}

bool Agents::need_tcp(std::size_t count) const {
  return std::any_of(hosts_.begin(),
                     hosts_.begin() + static_cast<std::ptrdiff_t>(std::min(count, hosts_.size())),
                     [](const topology::FoundHost& host) { return !host.report.has_rdma; });
}

std::map<std::string, std::string> network_environment(const topology::HostReport& host) {
  std::map<std::string, std::string> environment;
  if (host.interface.empty()) return environment;
  if (!host.has_rdma && std::getenv("UCX_NET_DEVICES") == nullptr)
    environment["UCX_NET_DEVICES"] = host.interface;
  if (std::getenv("NCCL_SOCKET_IFNAME") == nullptr)
    environment["NCCL_SOCKET_IFNAME"] = host.interface;
  return environment;
}

std::string describe(const topology::FoundHost& host) {
  const topology::HostReport& report = host.report;
  std::string text = report.name + " (" + list(host.ranks, "rank") +
                     "): " + std::to_string(report.cores.size()) + " of " +
                     std::to_string(report.cores_there) + " cores of " + report.processor;
  if (!report.gpus.gpus.empty())
    text +=
        ", " + std::to_string(report.gpus.gpus.size()) + " GPUs, " + report.gpus.gpus.front().name;
  return report.interface.empty() ? text : text + ", " + report.interface;
}

}  // namespace rhino::runtime
