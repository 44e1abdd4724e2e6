// SPDX-License-Identifier: Apache-2.0
#include "runtime/controller/worker_group.hpp"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <thread>

#include "runtime/controller/spawn.hpp"

namespace rhino::runtime {
namespace {

constexpr std::chrono::seconds kPoliteWait{1};

/// Both ends of a stream socket: the controller's, whose writes give up after a second, and the
/// worker's.
std::pair<topology::FileDescriptor, topology::FileDescriptor> socket_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw Error(std::string("cannot make a control socket: ") + std::strerror(errno));
  }
  const timeval limit{.tv_sec = 1, .tv_usec = 0};
  ::setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
  return {topology::FileDescriptor(ends[0]), topology::FileDescriptor(ends[1])};
}

Spawn worker_spawn(const SessionOptions& options, int rank, int num_ranks,
                   const topology::HostNamespaces& host, const std::string& log) {
  Spawn what{.host = host};
  what.file = options.worker;
  what.arguments = {"rhino-worker", "serve", std::to_string(rank), std::to_string(num_ranks)};
  what.environment = {{"OMP_NUM_THREADS", std::to_string(options.num_threads)},
                      {"RHINO_CELL", std::filesystem::path(options.run_dir).filename()},
                      {"UCX_HANDLE_ERRORS", "none"}};
  if (host.network >= 0) {
    what.environment["UCX_TLS"] = "tcp,sysv,cma,self";
    what.environment["UCX_NET_DEVICES"] = "eth0";
  }
  what.log = log;
  return what;
}

}  // namespace

WorkerGroup::WorkerGroup(const SessionOptions& options, int plan_fd, const ProgressPages& pages,
                         const std::vector<topology::HostNamespaces>& hosts) {
  const auto num_ranks = static_cast<int>(hosts.size());
  try {
    for (int rank = 0; rank < num_ranks; ++rank) {
      auto [ours, theirs] = socket_pair();
      Worker next{.pid = 0,
                  .channel = Channel(std::move(ours)),
                  .mailbox = make_memory_file("rhino-mailbox"),
                  .log = options.run_dir + "/rank" + std::to_string(rank) + ".log"};
      Spawn what =
          worker_spawn(options, rank, num_ranks, hosts[static_cast<std::size_t>(rank)], next.log);
      what.group = workers_.empty() ? 0 : workers_.front().pid;
      what.descriptors = {{theirs.get(), kControlFd},
                          {plan_fd, kPlanFd},
                          {pages.fd(), kProgressFd},
                          {next.mailbox.get(), kMailboxFd}};
      next.pid = spawn(what);
      workers_.push_back(std::move(next));
    }
  } catch (...) {
    kill();
    throw;
  }
}

WorkerGroup::~WorkerGroup() {
  ask_to_end();
  kill();
}

void WorkerGroup::ask_to_end() noexcept {
  for (Worker& worker : workers_) {
    try {
      worker.channel.put({.kind = MessageKind::exit, .body = {}, .error = {}});
    } catch (const std::exception&) {  // it is gone already, or killed below
    }
  }
  const auto limit = std::chrono::steady_clock::now() + kPoliteWait;
  while (!all_ended() && std::chrono::steady_clock::now() < limit) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void WorkerGroup::kill() noexcept {
  if (workers_.empty()) return;
  ::kill(-workers_.front().pid, SIGKILL);
  for (const Worker& worker : workers_) {
    while (::waitpid(worker.pid, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  workers_.clear();
}

std::optional<std::string> WorkerGroup::end_of(int rank) const {
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

bool WorkerGroup::is_stopped(int rank) const {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid(rank)), &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid != 0;
}

bool WorkerGroup::all_ended() const {
  for (int rank = 0; rank < size(); ++rank) {
    if (!end_of(rank)) return false;
  }
  return true;
}

}  // namespace rhino::runtime
