// SPDX-License-Identifier: Apache-2.0
#include "runtime/controller/spawn.hpp"

#include <fcntl.h>
#include <spawn.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "rhino/error.hpp"
#include "runtime/file_descriptor.hpp"

extern char** environ;

namespace rhino {
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

struct SpawnActions {
  SpawnActions() { posix_spawn_file_actions_init(&value); }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&value); }
  posix_spawn_file_actions_t value;
};

struct SpawnAttributes {
  explicit SpawnAttributes(pid_t group) {
    posix_spawnattr_init(&value);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setflags(
        &value, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&value, group);
    posix_spawnattr_setsigmask(&value, &none);
    posix_spawnattr_setsigdefault(&value, &all);
  }
  ~SpawnAttributes() { posix_spawnattr_destroy(&value); }
  posix_spawnattr_t value;
};

/// A copy whose number is out of the way of the child's fixed ones.
FileDescriptor high_copy(int fd) { return FileDescriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 64)); }

[[noreturn]] void fail(const Spawn& what, int error) {
  throw Error("cannot start " + what.file + ": " + std::strerror(error));
}

}  // namespace

pid_t spawn(const Spawn& what) {
  const FileDescriptor opened(::open(what.file.c_str(), O_PATH | O_CLOEXEC));
  if (!opened.is_open()) fail(what, errno);
  const FileDescriptor program = high_copy(opened.get());
  const FileDescriptor log(
      ::open(what.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!log.is_open()) throw Error("cannot write " + what.log + ": " + std::strerror(errno));
  SpawnActions actions;
  posix_spawn_file_actions_addopen(&actions.value, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions.value, log.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions.value, log.get(), STDERR_FILENO);
  std::vector<FileDescriptor> copies;
  for (const auto& [here, there] : what.descriptors) {
    copies.push_back(high_copy(here));
    posix_spawn_file_actions_adddup2(&actions.value, copies.back().get(), there);
  }
  const SpawnAttributes attributes(what.group);
  std::vector<std::string> arguments = what.arguments;
  std::vector<std::string> environment = merged_environment(what.environment);
  pid_t pid = 0;
  const std::string file = "/proc/self/fd/" + std::to_string(program.get());
  const int error = posix_spawn(&pid, file.c_str(), &actions.value, &attributes.value,
                                pointers(arguments).data(), pointers(environment).data());
  if (error != 0) fail(what, error);
  return pid;
}

}  // namespace rhino
