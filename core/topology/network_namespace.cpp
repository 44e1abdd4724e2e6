// SPDX-License-Identifier: Apache-2.0
#include "topology/network_namespace.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "rhino/error.hpp"

namespace rhino::topology {
namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
      throw Error(std::string("cannot make a pipe: ") + std::strerror(errno));
    read = FileDescriptor(ends[0]);
    write = FileDescriptor(ends[1]);
  }
  FileDescriptor read, write;
};

/// All that comes until the last writer is gone.
std::string drain(int fd) {
  std::string text;
  char buffer[4096];
  while (true) {
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return status;
}

pid_t fork_child() {
  const pid_t child = ::fork();
  if (child < 0) throw Error(std::string("cannot start a process: ") + std::strerror(errno));
  return child;
}

/// The file behind a program's name. ip and tc live where only root's PATH leads.
std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  const std::string folders = std::string(path ? path : "") + ":/usr/sbin:/sbin:/usr/bin:/bin";
  for (std::size_t begin = 0; begin < folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string file = folders.substr(begin, end - begin) + "/" + name;
    if (end > begin && ::access(file.c_str(), X_OK) == 0) return file;
    begin = end + 1;
  }
  throw Error(name + " is not installed (Debian package iproute2)");
}

/// The errno that a child writes; EIO when it could not.
int receive_error(int fd) {
  const std::string bytes = drain(fd);
  int error = EIO;
  if (bytes.size() == sizeof error) std::memcpy(&error, bytes.data(), sizeof error);
  return error;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// In the child: never returns.
[[noreturn]] void become(const NamespaceCommand& command, const char* file, char* const* arguments,
                         int input, int output, int complaint) {
  for (const int fd : command.inherited) ::fcntl(fd, F_SETFD, 0);
  const bool inside = ::setns(command.network, CLONE_NEWNET) == 0;
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(complaint, STDERR_FILENO);
  if (inside) ::execv(file, arguments);
  const char* why = std::strerror(errno);
  ::_exit(::write(complaint, why, std::strlen(why)) > 0 ? 126 : 127);
}

}  // namespace

OwnedNamespaces make_namespaces() {
  Pipe outcome, hold;
  const pid_t child = fork_child();
  if (child == 0) {
    const int error = ::unshare(CLONE_NEWNET | CLONE_NEWIPC) == 0 ? 0 : errno;
    char byte = 0;
    hold.write.close();
    const bool told = ::write(outcome.write.get(), &error, sizeof error) == sizeof error;
    outcome.write.close();
    // The namespaces live in this process until the parent has opened them.
    ::_exit(told && ::read(hold.read.get(), &byte, 1) == 0 ? 0 : 1);
  }
  outcome.write.close();
  OwnedNamespaces made;
  int error = receive_error(outcome.read.get());
  if (error == 0) {
    const std::string folder = "/proc/" + std::to_string(child) + "/ns/";
    made.network = FileDescriptor(::open((folder + "net").c_str(), O_RDONLY | O_CLOEXEC));
    made.ipc = FileDescriptor(::open((folder + "ipc").c_str(), O_RDONLY | O_CLOEXEC));
    if (!made.network.is_open() || !made.ipc.is_open()) error = errno;
  }
  hold.write.close();
  wait_for(child);
  if (error == EPERM) throw Error("it takes root (CAP_SYS_ADMIN and CAP_NET_ADMIN)");
  if (error != 0) throw Error(std::string("cannot make namespaces: ") + std::strerror(error));
  return made;
}

std::string run_inside(const NamespaceCommand& command) {
  const std::string file = find_program(command.arguments.front());
  std::vector<std::string> arguments = command.arguments;
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  Pipe input, output, complaint;
  if (::write(input.write.get(), command.input.data(), command.input.size()) !=
      static_cast<ssize_t>(command.input.size()))
    throw Error("cannot hand over commands to " + file);
  input.write.close();
  const pid_t child = fork_child();
  if (child == 0)
    become(command, file.c_str(), argv.data(), input.read.get(), output.write.get(),
           complaint.write.get());
  output.write.close();
  complaint.write.close();
  const std::string text = drain(output.read.get()), why = drain(complaint.read.get());
  const int status = wait_for(child);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Error(command.arguments.front() + ": " +
                (why.empty() ? "it ended with status " + std::to_string(status) : first_line(why)));
  return text;
}

}  // namespace rhino::topology
