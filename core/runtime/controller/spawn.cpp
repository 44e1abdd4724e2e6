// SPDX-License-Identifier: Apache-2.0
#include "runtime/controller/spawn.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>

#include "rhino/error.hpp"

namespace rhino::runtime {
namespace {

std::vector<std::string> merged_environment(std::map<std::string, std::string> values) {
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos)
      values.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  std::vector<std::string> entries;
  for (const auto& [key, value] : values) entries.push_back(key + "=" + value);
  return entries;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// A copy whose number is out of the way of the child's fixed ones.
topology::FileDescriptor high_copy(int fd) {
  return topology::FileDescriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 64));
}

/// What the child works from: all of it made before the fork.
struct Plan {
  const char* file = nullptr;
  char* const* arguments = nullptr;
  char* const* environment = nullptr;
  std::vector<std::pair<int, int>> descriptors;  ///< (high copy here, there)
  pid_t group = 0;
  topology::HostNamespaces host;
};

/// A step of the child that failed, sent to the parent.
struct Failure {
  char what[40] = {};
  int error = 0;
};

[[noreturn]] void give_up(int outcome, const char* what) {
  Failure failure{.error = errno};
  std::strncpy(failure.what, what, sizeof failure.what - 1);
  ::_exit(::write(outcome, &failure, sizeof failure) == sizeof failure ? 126 : 127);
}

void reset_signals() {
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void enter(const topology::HostNamespaces& host, int outcome) {
  if (::setns(host.network, CLONE_NEWNET) != 0) give_up(outcome, "enter its network");
  if (::setns(host.ipc, CLONE_NEWIPC) != 0) give_up(outcome, "enter its IPC namespace");
  // Interfaces are listed below /sys/class/net, as they were when /sys was mounted. A new one goes
  // on top, seen here alone: in a chroot there is no mount at /, only at /sys.
  const auto make_private = [](const char* path) {
    return ::mount("none", path, nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  };
  if (::unshare(CLONE_NEWNS) != 0 || !(make_private("/") || make_private("/sys")))
    give_up(outcome, "have its own mounts");
  if (::mount("sysfs", "/sys", "sysfs", 0, nullptr) != 0) give_up(outcome, "mount its /sys");
}

/// In the child, where only calls that are safe after a fork may be made.
[[noreturn]] void become(const Plan& plan, int outcome) {
  reset_signals();
  if (::setpgid(0, plan.group) != 0) give_up(outcome, "join its process group");
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0) give_up(outcome, "open /dev/null");
  if (nothing != STDIN_FILENO) ::close(nothing);
  for (const auto& [here, there] : plan.descriptors) {
    if (::dup2(here, there) < 0) give_up(outcome, "pass on descriptors");
  }
  if (plan.host.network >= 0) enter(plan.host, outcome);
  ::execve(plan.file, plan.arguments, plan.environment);
  give_up(outcome, "run");
}

/// What the child says about itself: nothing once it runs the program, which closes the pipe.
Failure failure_of(int outcome) {
  Failure failure;
  ssize_t count = 0;
  do {
    count = ::read(outcome, &failure, sizeof failure);
  } while (count < 0 && errno == EINTR);
  return count == sizeof failure ? failure : Failure{};
}

/// Forks with all signals blocked: no handler of this process may run in the child.
pid_t fork_quietly() {
  sigset_t all, before;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, &before);
  const pid_t child = ::fork();
  if (child != 0) ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return child;
}

pid_t start(const Plan& plan, const std::string& file) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw Error("cannot start " + file + ": " + std::strerror(errno));
  const topology::FileDescriptor ours(ends[0]);
  topology::FileDescriptor low(ends[1]), theirs = high_copy(low.get());
  low.close();
  const pid_t child = fork_quietly();
  if (child == 0) become(plan, theirs.get());
  if (child < 0) throw Error("cannot start " + file + ": " + std::strerror(errno));
  theirs.close();
  const Failure failure = failure_of(ours.get());
  if (failure.error == 0) return child;
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  throw Error("cannot start " + file + ": it cannot " + failure.what + ": " +
              std::strerror(failure.error));
}

}  // namespace

pid_t spawn(const Spawn& what) {
  const topology::FileDescriptor opened(::open(what.file.c_str(), O_PATH | O_CLOEXEC));
  if (!opened.is_open()) throw Error("cannot start " + what.file + ": " + std::strerror(errno));
  const topology::FileDescriptor program = high_copy(opened.get());
  const topology::FileDescriptor log(
      ::open(what.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!log.is_open()) throw Error("cannot write " + what.log + ": " + std::strerror(errno));
  std::vector<topology::FileDescriptor> copies;
  Plan plan{.group = what.group};
  const auto pass = [&](int here, int there) {
    copies.push_back(high_copy(here));
    plan.descriptors.emplace_back(copies.back().get(), there);
  };
  pass(log.get(), STDOUT_FILENO);
  pass(log.get(), STDERR_FILENO);
  for (const auto& [here, there] : what.descriptors) pass(here, there);
  const topology::FileDescriptor network = high_copy(what.host.network),
                                 ipc = high_copy(what.host.ipc);
  plan.host = {network.get(), ipc.get()};
  std::vector<std::string> arguments = what.arguments;
  std::vector<std::string> environment = merged_environment(what.environment);
  const std::vector<char*> argv = pointers(arguments), envp = pointers(environment);
  const std::string file = "/proc/self/fd/" + std::to_string(program.get());
  plan.file = file.c_str();
  plan.arguments = argv.data();
  plan.environment = envp.data();
  return start(plan, what.file);
}

bool is_exiting(pid_t pid) {
  constexpr unsigned long kExiting = 4;  // PF_EXITING of the kernel's flags
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return false;
  const std::size_t name_end = line.rfind(')');  // a name may hold anything
  if (name_end == std::string::npos) return false;
  std::istringstream fields(line.substr(name_end + 1));
  std::string state, skipped;
  fields >> state;
  for (int field = 0; field < 5; ++field) fields >> skipped;
  unsigned long flags = 0;
  fields >> flags;
  return state != "Z" && (flags & kExiting) != 0;
}

}  // namespace rhino::runtime
