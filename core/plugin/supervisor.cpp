// SPDX-License-Identifier: Apache-2.0
#include "plugin/supervisor.hpp"

#include <linux/magic.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace rhino::plugin {
namespace {

namespace fs = std::filesystem;

using FileId = std::pair<dev_t, ino_t>;

/// Entries of a folder of /proc; none once its process is gone.
std::vector<std::string> entries(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; entry != end && !error;
       entry.increment(error))
    paths.push_back(entry->path().string());
  return paths;
}

std::vector<pid_t> children_of(const std::string& process) {
  std::vector<pid_t> children;
  for (const std::string& thread : entries("/proc/" + process + "/task")) {
    std::ifstream list(thread + "/children");
    for (pid_t child = 0; list >> child;) children.push_back(child);
  }
  return children;
}

/// Adds the files of `process` that are memory to `seen`, and gives the bytes of those that are new
/// there.
std::int64_t held_bytes(const std::string& process, std::set<FileId>& seen) {
  std::int64_t bytes = 0;
  for (const std::string& path : entries("/proc/" + process + "/fd")) {
    struct stat file {};
    struct statfs system {};
    if (stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) continue;
    if (statfs(path.c_str(), &system) != 0 || system.f_type != TMPFS_MAGIC) continue;
    if (seen.insert({file.st_dev, file.st_ino}).second) bytes += file.st_blocks * 512;
  }
  return bytes;
}

std::int64_t held_below(const std::string& process, std::set<FileId>& seen) {
  std::int64_t bytes = 0;
  for (const pid_t child : children_of(process)) {
    const std::string name = std::to_string(child);
    bytes += held_bytes(name, seen) + held_below(name, seen);
  }
  return bytes;
}

void sleep_a_millisecond() {
  const timespec time{0, 1'000'000};
  nanosleep(&time, nullptr);
}

/// Kills all below this process: whose parent ends becomes its child, so that none is missed.
void end_all(pid_t worker, int& status) {
  for (int attempt = 0; attempt < 5000; ++attempt) {
    for (const pid_t child : children_of("self")) kill(child, SIGKILL);
    int other = 0;
    pid_t ended = 0;
    while ((ended = waitpid(-1, &other, WNOHANG)) > 0) {
      if (ended == worker) status = other;
    }
    if (ended < 0) return;  // nobody is left
    sleep_a_millisecond();
  }
}

/// Until the worker ends, or has to.
Verdict watch(pid_t worker, std::int64_t memory_bytes, const std::set<FileId>& before,
              const sigset_t& signals) {
  const timespec pause{0, 100'000'000};
  Verdict verdict;
  while (sigtimedwait(&signals, nullptr, &pause) != SIGTERM) {
    siginfo_t ended{};
    waitid(P_PID, static_cast<id_t>(worker), &ended, WEXITED | WNOHANG | WNOWAIT);
    if (ended.si_pid == worker) break;
    std::set<FileId> seen = before;
    verdict.took_too_much = memory_bytes > 0 && held_below("self", seen) > memory_bytes;
    if (verdict.took_too_much) break;
  }
  return verdict;
}

/// The process that ends with the supervisor.
[[noreturn]] void become_worker(const std::function<void()>& work, pid_t supervisor,
                                const sigset_t& signals) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != supervisor) _exit(1);
  sigprocmask(SIG_UNBLOCK, &signals, nullptr);
  work();
  _exit(0);
}

}  // namespace

void supervise(const std::function<void()>& work, std::int64_t memory_bytes, int parent,
               int verdict) {
  signal(SIGCHLD, SIG_DFL);
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGCHLD, SIGTERM}) sigaddset(&signals, number);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  setpgid(0, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(1);
  std::set<FileId> before;
  held_bytes("self", before);
  const pid_t self = getpid(), worker = fork();
  if (worker == 0) become_worker(work, self, signals);
  Verdict end = watch(worker, memory_bytes, before, signals);
  end_all(worker, end.status);
  _exit(write(verdict, &end, sizeof end) == sizeof end ? 0 : 1);
}

}  // namespace rhino::plugin
