// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstring>

#include "runtime/controller/spawn.hpp"

using namespace rhino;

namespace {

/// A process of so many bytes of memory that waits to be killed.
pid_t child_of(std::size_t bytes) {
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    void* memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) {
      ::madvise(memory, bytes, MADV_NOHUGEPAGE);  // pages that take a while to give back
      std::memset(memory, 1, bytes);
    }
    char sign = memory != MAP_FAILED ? 1 : 0;
    if (::write(ready[1], &sign, 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }
  char sign = 0;
  CHECK(::read(ready[0], &sign, 1) == 1);
  CHECK(sign == 1);
  ::close(ready[0]);
  ::close(ready[1]);
  return child;
}

}  // namespace

TEST_CASE("a process whose memory is given back is exiting, before it has ended and not after") {
  const pid_t child = child_of(std::size_t{512} << 20);
  CHECK_FALSE(runtime::is_exiting(child));
  ::kill(child, SIGKILL);
  bool was_exiting = false;
  siginfo_t info{};
  while (info.si_pid == 0) {
    was_exiting = was_exiting || runtime::is_exiting(child);
    REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0);
  }
  CHECK(was_exiting);
  CHECK_FALSE(runtime::is_exiting(child));
  ::waitpid(child, nullptr, 0);
  CHECK_FALSE(runtime::is_exiting(child));
  CHECK_FALSE(runtime::is_exiting(::getpid()));
}
