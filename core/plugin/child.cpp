// SPDX-License-Identifier: Apache-2.0
#include "plugin/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <new>

#include "plugin/one_line.hpp"
#include "plugin/scope.hpp"
#include "plugin/supervisor.hpp"
#include "rhino/error.hpp"

namespace rhino::plugin {
namespace {

/// What travels back: a status letter, the length, the text; what there is so far any number of
/// times, the end once. A shorter message is that of a child that ended early.
constexpr char kOk = 'r', kError = 'e', kSoFar = 's';
constexpr std::size_t kHeaderBytes = 1 + sizeof(std::uint64_t);
constexpr std::int64_t kOutputBytes = 4096;

void write_all(int fd, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = write(fd, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

void send_back(int fd, char status, const std::string& text) {
  const std::uint64_t size = text.size();
  std::array<char, kHeaderBytes> header{status};
  std::memcpy(header.data() + 1, &size, sizeof size);
  write_all(fd, header.data(), header.size());
  write_all(fd, text.data(), text.size());
}

std::int64_t address_space_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::int64_t pages = 0;
  statm >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}

void confine(const ChildLimits& limits, int output) {
  for (const int signal_number : {SIGHUP, SIGINT, SIGTERM, SIGPIPE}) signal(signal_number, SIG_DFL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (limits.memory_bytes > 0) {
    const auto bytes = static_cast<rlim_t>(address_space_bytes() + limits.memory_bytes);
    const rlimit memory{bytes, bytes};
    setrlimit(RLIMIT_AS, &memory);
  }
  dup2(output, STDOUT_FILENO);
}

using Work = std::function<std::string(const HandOver&)>;

void child_main(const Work& work, const ChildLimits& limits, int output, int back) {
  confine(limits, output);
  try {
    const std::string text =
        work([&](const std::string& so_far) { send_back(back, kSoFar, so_far); });
    std::fflush(stdout);
    send_back(back, kOk, text);
  } catch (const std::bad_alloc&) {
    const std::string plugin = running_plugin();
    send_back(
        back, kError,
        (plugin.empty() ? "planning" : "plugin '" + plugin + "'") + " ran out of its memory limit");
  } catch (const std::exception& error) {
    send_back(back, kError, one_line(error.what()));
  }
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What the child has sent.
struct Received {
  std::string message;  ///< the last one, which may not be whole yet
  std::string so_far;

  void add(const char* data, std::size_t size) {
    message.append(data, size);
    while (is_whole() && message[0] == kSoFar) {
      so_far = text();
      message.erase(0, kHeaderBytes + so_far.size());
    }
  }
  bool is_whole() const {
    return message.size() >= kHeaderBytes && message.size() - kHeaderBytes >= text_bytes();
  }
  std::string text() const { return message.substr(kHeaderBytes, text_bytes()); }

 private:
  std::uint64_t text_bytes() const {
    std::uint64_t size = 0;
    std::memcpy(&size, message.data() + 1, sizeof size);
    return size;
  }
};

/// What the child sends, until its end is there or the child closes, the deadline comes or a signal
/// that interrupts: how it ended.
enum class Ending : std::uint8_t { by_itself, late, interrupted };

Ending receive(int fd, const ChildLimits& limits, Received& received) {
  const auto start = std::chrono::steady_clock::now();
  std::array<char, 65536> buffer;
  while (true) {
    if (limits.is_interrupted && limits.is_interrupted()) return Ending::interrupted;
    const double left_s = limits.deadline_s > 0 ? limits.deadline_s - seconds_since(start) : 1e6;
    if (left_s <= 0) return Ending::late;
    const double wait_s = limits.is_interrupted ? std::min(left_s, 0.1) : left_s;
    pollfd readable{fd, POLLIN, 0};
    const int ready = poll(&readable, 1, static_cast<int>(std::min(std::ceil(wait_s * 1e3), 1e9)));
    if (ready <= 0) continue;
    const ssize_t count = read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Ending::by_itself;
    received.add(buffer.data(), static_cast<std::size_t>(count));
    if (received.is_whole()) return Ending::by_itself;
  }
}

std::string culprit() {
  const std::string plugin = running_plugin();
  return plugin.empty() ? "planning" : "plugin '" + plugin + "'";
}

/// How a process ended, in words.
std::string in_words(int status) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    return "was killed by signal " + std::to_string(number) + " (" + strsignal(number) + ")";
  }
  return "exited with code " + std::to_string(WEXITSTATUS(status)) + " instead of returning";
}

/// Forks with SIGTERM blocked: sent to the child before it listens, it waits there, in place of
/// being spent on a handler of this process.
pid_t fork_deaf() {
  sigset_t terminate, before;
  sigemptyset(&terminate);
  sigaddset(&terminate, SIGTERM);
  sigprocmask(SIG_BLOCK, &terminate, &before);
  const pid_t child = fork();
  if (child != 0) sigprocmask(SIG_SETMASK, &before, nullptr);
  return child;
}

/// Has the supervisor end what is left, and waits for it. It has no verdict where somebody killed
/// it.
Verdict end_of(pid_t supervisor, int verdicts) {
  kill(supervisor, SIGTERM);
  Verdict verdict;
  while (waitpid(supervisor, &verdict.status, 0) < 0 && errno == EINTR) {
  }
  Verdict told;
  return read(verdicts, &told, sizeof told) == sizeof told ? told : verdict;
}

/// A file of one page that cannot grow: what standard output says beyond it takes no memory.
int output_file() {
  const int fd = memfd_create("plugin stdout", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0 || ftruncate(fd, kOutputBytes) != 0 || fcntl(fd, F_ADD_SEALS, F_SEAL_GROW) != 0)
    throw Error(std::string("cannot make a file for planning: ") + std::strerror(errno));
  return fd;
}

std::string first_line(int fd) {
  std::array<char, 80> text{};
  const ssize_t count = pread(fd, text.data(), text.size() - 1, 0);
  const std::string all(text.data(), count > 0 ? strnlen(text.data(), text.size()) : 0);
  return all.substr(0, all.find('\n'));
}

ChildResult judge(Ending how, const Received& received, const Verdict& verdict, int output,
                  const ChildLimits& limits) {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%g", limits.deadline_s);
  if (how == Ending::interrupted) return {ChildOutcome::interrupted, "interrupted"};
  if (verdict.took_too_much)
    return {ChildOutcome::error, culprit() + " ran out of its memory limit, with files in memory"};
  const std::string late = culprit() + " did not end within " + seconds + " s";
  if (how == Ending::late && received.so_far.empty()) return {ChildOutcome::deadline, late};
  if (how != Ending::late && !received.is_whole())
    return {ChildOutcome::crashed, culprit() + " " + in_words(verdict.status)};
  if (how != Ending::late && received.message[0] == kError)
    return {ChildOutcome::error, received.text()};
  const std::string written = first_line(output);
  if (!written.empty()) {
    return {ChildOutcome::wrote_to_stdout, "a plugin of this cell wrote to standard output ('" +
                                               written + "'), which belongs to the results"};
  }
  if (how == Ending::late) return {ChildOutcome::deadline, late, received.so_far};
  return {ChildOutcome::ok, received.text()};
}

}  // namespace

ChildResult run_in_child(const Work& work, const ChildLimits& limits) {
  clear_running_plugin();
  std::fflush(nullptr);
  int back[2], verdicts[2];
  if (pipe2(back, O_CLOEXEC) != 0 || pipe2(verdicts, O_CLOEXEC | O_NONBLOCK) != 0)
    throw Error(std::string("cannot make a pipe for planning: ") + std::strerror(errno));
  const int output = output_file();
  const pid_t self = getpid(), supervisor = fork_deaf();
  if (supervisor < 0) throw Error(std::string("cannot fork for planning: ") + std::strerror(errno));
  if (supervisor == 0) {
    close(back[0]);
    supervise([&] { child_main(work, limits, output, back[1]); }, limits.memory_bytes, self,
              verdicts[1]);
  }
  setpgid(supervisor, supervisor);
  close(back[1]);
  close(verdicts[1]);
  Received received;
  const Ending how = receive(back[0], limits, received);
  const Verdict verdict = end_of(supervisor, verdicts[0]);
  ChildResult result = judge(how, received, verdict, output, limits);
  for (const int fd : {back[0], verdicts[0], output}) close(fd);
  return result;
}

}  // namespace rhino::plugin
