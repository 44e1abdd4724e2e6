// SPDX-License-Identifier: Apache-2.0
#include "topology/other_work.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <utility>

namespace rhino::topology {
namespace {

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// A child that computes until the end of its scope.
class BusyChild {
 public:
  BusyChild() : pid_(fork()) {
    if (pid_ > 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) getppid();
  }
  ~BusyChild() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }
  /// Lets it compute for `seconds` of its own time; returns that time.
  double work(double seconds) const {
    clockid_t clock{};
    REQUIRE(clock_getcpuclockid(pid_, &clock) == 0);
    const double begin = seconds_of(clock);
    while (seconds_of(clock) < begin + seconds) usleep(2000);
    return seconds_of(clock) - begin;
  }

 private:
  pid_t pid_;
};

constexpr double kTick = 0.03;  // ticks of two readings, and what is not yet accounted

TEST_CASE("time of children is our own, while they live and after") {
  CpuTime before = cpu_time(getpid());
  double worked = 0;
  {
    const BusyChild child;
    worked = child.work(0.2);
    CHECK(cpu_time(getpid()).own_s - before.own_s >= worked - kTick);
  }
  const CpuTime after = cpu_time(getpid());
  CHECK(after.own_s - before.own_s >= worked - kTick);
  CHECK(after.all_s - before.all_s >= worked - kTick);
}

TEST_CASE("a busy process that is not ours is other work") {
  const BusyChild idle, busy;
  kill(idle.pid(), SIGSTOP);
  const double begin = seconds_of(CLOCK_MONOTONIC);
  const OtherWork others(idle.pid());
  const double worked = busy.work(0.3);
  const double elapsed = seconds_of(CLOCK_MONOTONIC) - begin;
  CHECK(others.busy_cores() >= (worked - kTick) / elapsed * 0.9);
}

TEST_CASE("our own work is not other work") {
  const CpuTime before = cpu_time(getpid());
  const BusyChild child;
  const double worked = child.work(0.3);
  const CpuTime after = cpu_time(getpid());
  const double own = after.own_s - before.own_s;
  CHECK(own >= worked - kTick);
  CHECK(own <= seconds_of(CLOCK_PROCESS_CPUTIME_ID) + worked + 0.2);
}

}  // namespace
}  // namespace rhino::topology
