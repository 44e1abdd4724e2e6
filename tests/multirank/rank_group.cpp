// SPDX-License-Identifier: Apache-2.0
#include "rank_group.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "rhino/error.hpp"

extern "C" void __lsan_do_leak_check() __attribute__((weak));

namespace rhino {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kGrace{10};

using Address = std::vector<std::byte>;

void write_all(int socket, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t done = ::send(socket, bytes, size, MSG_NOSIGNAL);
    if (done <= 0) throw Error("the other end of the test's socket is gone");
    bytes += done;
    size -= static_cast<std::size_t>(done);
  }
}

void read_all(int socket, void* data, std::size_t size) {
  auto* bytes = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t done = ::read(socket, bytes, size);
    if (done <= 0) throw Error("the other end of the test's socket is gone");
    bytes += done;
    size -= static_cast<std::size_t>(done);
  }
}

void write_address(int socket, const Address& address) {
  const std::uint64_t size = address.size();
  write_all(socket, &size, sizeof(size));
  write_all(socket, address.data(), size);
}

Address read_address(int socket) {
  std::uint64_t size = 0;
  read_all(socket, &size, sizeof(size));
  Address address(size);
  read_all(socket, address.data(), size);
  return address;
}

struct Child {
  pid_t pid = -1;
  int socket = -1;   // the parent's end
  int failure = -1;  // read end of the pipe for the failure text
};

void run_rank(const RankGroupOptions& options, std::int32_t rank, int socket,
              const std::function<void(RankContext&)>& body) {
  runtime::TransportOptions transport_options;
  transport_options.rank = rank;
  transport_options.num_ranks = options.num_ranks;
  for (std::int32_t r = 0; r < options.num_ranks; ++r)
    transport_options.devices.push_back(RankContext::kFirstDevice + r);
  transport_options.oversubscribed = options.oversubscribed;
  transport_options.window_chunks = options.window_chunks;
  transport_options.chunk_bytes = options.chunk_bytes;
  RankContext context;
  context.rank = rank;
  context.num_ranks = options.num_ranks;
  context.barrier_fds = {socket};
  if (options.shared_bytes > 0) {
    context.shared = std::make_unique<runtime::SharedMemory>(options.shared_bytes);
    transport_options.shared = context.shared.get();
  }
  context.transport = runtime::make_ucx_transport(transport_options);
  write_address(socket, context.transport->address());
  std::vector<Address> addresses;
  for (std::int32_t r = 0; r < options.num_ranks; ++r) addresses.push_back(read_address(socket));
  context.transport->connect(addresses, options.deadline_s);
  body(context);
  context.barrier();
}

[[noreturn]] void be_rank(const RankGroupOptions& options, std::int32_t rank, int socket,
                          int failure, const std::function<void(RankContext&)>& body) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (!options.tls.empty()) setenv("UCX_TLS", options.tls.c_str(), 1);
  int code = 0;
  try {
    run_rank(options, rank, socket, body);
  } catch (const std::exception& error) {
    code = 1;
    if (::write(failure, error.what(), std::strlen(error.what())) < 0) code = 2;
  }
  if (code == 0 && options.check_leaks && __lsan_do_leak_check) __lsan_do_leak_check();
  std::fflush(nullptr);
  _exit(code);
}

std::vector<Child> fork_ranks(const RankGroupOptions& options,
                              const std::function<void(RankContext&)>& body) {
  std::fflush(nullptr);
  std::vector<Child> children;
  for (std::int32_t rank = 0; rank < options.num_ranks; ++rank) {
    int sockets[2], failure[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) || pipe2(failure, O_CLOEXEC))
      throw Error("cannot make sockets");
    const pid_t pid = fork();
    if (pid < 0) throw Error("cannot fork");
    if (pid == 0) {
      for (const Child& sibling : children) {
        close(sibling.socket);
        close(sibling.failure);
      }
      close(sockets[0]);
      be_rank(options, rank, sockets[1], failure[1], body);
    }
    close(sockets[1]);
    close(failure[1]);
    children.push_back({pid, sockets[0], failure[0]});
  }
  return children;
}

// Serves addresses and barriers until every child has closed its socket or the deadline is over.
class Server {
 public:
  explicit Server(const std::vector<Child>& children)
      : children_(children), open_(children.size(), true), waiting_(children.size()) {}

  /// Returns false at the deadline.
  bool serve(Clock::time_point end) {
    try {
      if (!share_addresses(end)) return false;
      while (num_open() > 0) {
        const int rank = next_readable(end);
        if (rank == -1) return false;
        char byte = 0;
        const auto r = static_cast<std::size_t>(rank);
        if (::read(children_[r].socket, &byte, 1) == 1) waiting_[r] = true;
        else leave(r, end);
        release_barrier();
      }
    } catch (const Error&) {  // a rank died: its outcome says how
      return wait_closed(end);
    }
    return true;
  }

 private:
  bool share_addresses(Clock::time_point end) {
    std::vector<Address> addresses;
    for (const Child& child : children_) {
      if (!readable(child.socket, end)) return false;
      addresses.push_back(read_address(child.socket));
    }
    for (const Child& child : children_) {
      for (const Address& address : addresses) write_address(child.socket, address);
    }
    return true;
  }

  // Only when all ranks wait; a rank that left for good ends the others' waiting.
  void release_barrier() {
    for (std::size_t r = 0; r < open_.size(); ++r) {
      if (open_[r] && !waiting_[r]) return;
    }
    for (std::size_t r = 0; r < open_.size(); ++r) {
      if (open_[r]) write_all(children_[r].socket, "g", 1);
      waiting_[r] = false;
    }
  }

  // When one leaves early, those that wait for it get a grace only.
  void leave(std::size_t rank, Clock::time_point& end) {
    open_[rank] = false;
    end = std::min(end, Clock::now() + kGrace);
  }

  bool wait_closed(Clock::time_point end) {
    while (num_open() > 0) {
      const int rank = next_readable(end);
      if (rank == -1) return false;
      char bytes[256];
      const auto r = static_cast<std::size_t>(rank);
      if (::read(children_[r].socket, bytes, sizeof(bytes)) <= 0) open_[r] = false;
      shutdown(children_[r].socket, SHUT_WR);
    }
    return true;
  }

  static int milliseconds_until(Clock::time_point end) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    return left > 0 ? static_cast<int>(left) : 0;
  }
  static bool readable(int socket, Clock::time_point end) {
    pollfd entry{socket, POLLIN, 0};
    return poll(&entry, 1, milliseconds_until(end)) > 0;
  }
  int next_readable(Clock::time_point end) const {
    std::vector<pollfd> entries;
    for (std::size_t r = 0; r < open_.size(); ++r)
      entries.push_back({open_[r] ? children_[r].socket : -1, POLLIN, 0});
    if (poll(entries.data(), entries.size(), milliseconds_until(end)) <= 0) return -1;
    for (std::size_t r = 0; r < entries.size(); ++r) {
      if (entries[r].revents) return static_cast<int>(r);
    }
    return -1;
  }
  int num_open() const {
    int count = 0;
    for (bool open : open_) count += open;
    return count;
  }

  const std::vector<Child>& children_;
  std::vector<bool> open_, waiting_;
};

std::string read_text(int file) {
  std::string text;
  char bytes[512];
  for (ssize_t size; (size = ::read(file, bytes, sizeof(bytes))) > 0;)
    text.append(bytes, static_cast<std::size_t>(size));
  return text;
}

RankOutcome reap(const Child& child, bool in_time) {
  if (!in_time) kill(child.pid, SIGKILL);
  int status = 0;
  waitpid(child.pid, &status, 0);
  RankOutcome outcome;
  outcome.failure = read_text(child.failure);
  outcome.killed = !in_time && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  if (outcome.killed) outcome.failure += " did not end in time";
  else if (WIFSIGNALED(status))
    outcome.failure += " ended by signal " + std::to_string(WTERMSIG(status));
  else if (WEXITSTATUS(status) && outcome.failure.empty())
    outcome.failure = "exit code " + std::to_string(WEXITSTATUS(status));
  close(child.socket);
  close(child.failure);
  return outcome;
}

}  // namespace

void RankContext::barrier() {
  char byte = 'b';
  write_all(barrier_fds[0], &byte, 1);
  read_all(barrier_fds[0], &byte, 1);
}

std::vector<RankOutcome> run_ranks(const RankGroupOptions& options,
                                   const std::function<void(RankContext&)>& body) {
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(options.deadline_s));
  const std::vector<Child> children = fork_ranks(options, body);
  const bool served = Server(children).serve(end);
  std::vector<RankOutcome> outcomes;
  for (const Child& child : children) outcomes.push_back(reap(child, served));
  return outcomes;
}

std::string failures(const std::vector<RankOutcome>& outcomes) {
  std::string text;
  for (std::size_t r = 0; r < outcomes.size(); ++r) {
    if (!outcomes[r].failure.empty())
      text += "rank " + std::to_string(r) + ": " + outcomes[r].failure + "\n";
  }
  return text;
}

}  // namespace rhino
