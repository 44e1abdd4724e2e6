// SPDX-License-Identifier: Apache-2.0
#include "topology/child_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <filesystem>

namespace rhino::topology {
namespace {

constexpr std::size_t kMostInput = 1 << 16;

/// Both ends are closed on exec, and with it.
struct ChildPipe {
  std::array<int, 2> ends{-1, -1};
  ChildPipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
  }
  ~ChildPipe() {
    close_end(0);
    close_end(1);
  }
  ChildPipe(const ChildPipe&) = delete;
  ChildPipe& operator=(const ChildPipe&) = delete;
  void close_end(std::size_t end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
};

/// What a pipe holds (64 KiB) needs nobody who reads it yet.
bool fill(ChildPipe& pipe, const std::string& text) {
  const ssize_t written = ::write(pipe.ends[1], text.data(), text.size());
  pipe.close_end(1);
  return written == static_cast<ssize_t>(text.size());
}

/// 0 where it started, else an errno.
int start(const std::vector<std::string>& command, const ChildPipe& input, const ChildPipe& output,
          const ChildPipe& errors, pid_t& child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.ends[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.ends[1], STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int error =
      ::posix_spawn(&child, command.front().c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// False: there is no more.
bool read_some(int from, std::string& to) {
  std::array<char, 4096> buffer;
  const ssize_t count = ::read(from, buffer.data(), buffer.size());
  if (count > 0) to.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0;
}

/// False: nothing was heard for too long.
bool read_all(ChildPipe& output, ChildPipe& errors, ChildOutput& to, double deadline_s) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point heard = Clock::now();
  while (output.ends[0] >= 0 || errors.ends[0] >= 0) {
    std::array<pollfd, 2> fds{pollfd{output.ends[0], POLLIN, 0}, pollfd{errors.ends[0], POLLIN, 0}};
    const double left_s = deadline_s - std::chrono::duration<double>(Clock::now() - heard).count();
    if (left_s <= 0) return false;
    if (::poll(fds.data(), fds.size(), static_cast<int>(left_s * 1000) + 1) < 0 && errno != EINTR)
      return false;
    if (fds[0].revents != 0 || fds[1].revents != 0) heard = Clock::now();
    if (fds[0].revents != 0 && !read_some(output.ends[0], to.output)) output.close_end(0);
    if (fds[1].revents != 0 && !read_some(errors.ends[0], to.errors)) errors.close_end(0);
  }
  return true;
}

}  // namespace

ChildOutput output_of(const std::vector<std::string>& command, double deadline_s,
                      const std::string& text) {
  ChildPipe input, output, errors;
  if (text.size() > kMostInput || !fill(input, text))
    return {{}, {}, -1, "does not start: its input is not passed on"};
  pid_t child = -1;
  if (const int error = start(command, input, output, errors, child))
    return {{}, {}, -1, std::string("does not start: ") + std::strerror(error)};
  output.close_end(1);
  errors.close_end(1);
  ChildOutput result;
  const bool in_time = read_all(output, errors, result, deadline_s);
  if (!in_time) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time) {
    result.how_it_ended = "said nothing for " + std::to_string(static_cast<int>(deadline_s)) + " s";
  } else if (WIFSIGNALED(status)) {
    result.how_it_ended = "ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
                          ::strsignal(WTERMSIG(status)) + ")";
  } else {
    result.exit_code = WEXITSTATUS(status);
    if (result.exit_code != 0)
      result.how_it_ended = "ended with exit code " + std::to_string(result.exit_code);
  }
  return result;
}

std::string end_of(const ChildOutput& child) {
  std::string last = child.errors;
  while (!last.empty() && last.back() == '\n') last.pop_back();
  last.erase(0, last.rfind('\n') + 1);
  return child.how_it_ended + (last.empty() ? "" : ": " + last);
}

std::string program_beside(const std::string& name) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return (self.parent_path() / name).string();
}

}  // namespace rhino::topology
