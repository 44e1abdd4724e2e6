// SPDX-License-Identifier: Apache-2.0
#include "runtime/controller/local_workers.hpp"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "runtime/controller/spawn.hpp"
#include "topology/discover.hpp"

namespace rhino::runtime {
namespace {

/// Both ends of a stream socket: ours, whose writes give up after a second, and the worker's.
std::pair<topology::FileDescriptor, topology::FileDescriptor> socket_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw Error(std::string("cannot make a control socket: ") + std::strerror(errno));
  }
  const timeval limit{.tv_sec = 1, .tv_usec = 0};
  ::setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
  return {topology::FileDescriptor(ends[0]), topology::FileDescriptor(ends[1])};
}

Spawn worker_spawn(const WorkerSpawn& all, const LocalRank& one) {
  Spawn what{.host = one.host};
  what.file = all.file;
  what.arguments = {"rhino-worker", "serve", std::to_string(one.rank),
                    std::to_string(all.num_ranks)};
  what.environment = all.environment;
  what.environment.merge(
      std::map<std::string, std::string>{{"OMP_NUM_THREADS", std::to_string(all.num_threads)},
                                         {"RHINO_CELL", all.cell},
                                         {"UCX_HANDLE_ERRORS", "none"}});
  if (one.host.network >= 0) {
    what.environment["UCX_TLS"] = "tcp,sysv,cma,self";
    what.environment["UCX_NET_DEVICES"] = "eth0";
  }
  what.log = one.log;
  return what;
}

}  // namespace

LocalWorkers::LocalWorkers(const WorkerSpawn& spawn, const std::vector<LocalRank>& ranks,
                           int plan_fd, const ProgressPages& pages)
    : num_memory_kills_(topology::num_memory_kills()) {
  try {
    for (const LocalRank& one : ranks) {
      auto [ours, theirs] = socket_pair();
      Worker next{.pid = 0,
                  .channel = Channel(std::move(ours)),
                  .mailbox = make_memory_file("rhino-mailbox"),
                  .log = one.log};
      Spawn what = worker_spawn(spawn, one);
      what.group = group_;
      what.descriptors = {{theirs.get(), kControlFd},
                          {plan_fd, kPlanFd},
                          {pages.fd(), kProgressFd},
                          {next.mailbox.get(), kMailboxFd}};
      next.pid = runtime::spawn(what);
      if (group_ == 0) group_ = next.pid;
      workers_.emplace(one.rank, std::move(next));
      ranks_.push_back(one.rank);
    }
  } catch (...) {
    LocalWorkers::kill();
    throw;
  }
}

LocalWorkers::~LocalWorkers() { LocalWorkers::kill(); }

void LocalWorkers::ask_to_end() noexcept {
  for (auto& [rank, worker] : workers_) {
    try {
      worker.channel.put({.kind = MessageKind::exit});
    } catch (const std::exception&) {  // it is gone already, or killed below
    }
  }
}

void LocalWorkers::kill() noexcept {
  if (workers_.empty()) return;
  ::kill(-group_, SIGKILL);
  for (const auto& [rank, worker] : workers_) {
    while (::waitpid(worker.pid, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  workers_.clear();
}

std::optional<std::string> LocalWorkers::end_of(int rank) const {
  siginfo_t info{};
  const int result =
      ::waitid(P_PID, static_cast<id_t>(pid(rank)), &info, WEXITED | WNOHANG | WNOWAIT);
  if (result != 0) return "ended in a way that is not known";  // reaped by somebody else
  if (info.si_pid == 0) return std::nullopt;
  if (info.si_code == CLD_EXITED) return "exited with code " + std::to_string(info.si_status);
  const char* name = ::sigabbrev_np(info.si_status);
  return "was killed by signal " + std::to_string(info.si_status) + " (" +
         (name ? name : "unknown") + ")";
}

bool LocalWorkers::ended_for_memory(int rank) const {
  return end_of(rank) && topology::num_memory_kills() > num_memory_kills_;
}

bool LocalWorkers::is_stopped(int rank) const {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid(rank)), &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid != 0;
}

bool LocalWorkers::add_files(int rank, std::vector<pollfd>& files) {
  if (worker(rank).channel.ended()) return false;  // it is about to become one that has ended
  files.push_back({worker(rank).channel.fd(), POLLIN, 0});
  return true;
}

bool LocalWorkers::all_ended() {
  return std::ranges::all_of(ranks_, [this](int rank) { return end_of(rank).has_value(); });
}

}  // namespace rhino::runtime
