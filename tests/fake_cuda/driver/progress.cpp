// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <unistd.h>

#include <thread>

#include "memory.hpp"
#include "operations.hpp"

namespace fake {
namespace {

constexpr unsigned kPauseUs = 300;

[[noreturn]] void run() {
  for (;;) {
    bool moved = false;
    {
      const Lock lock;
      moved = step_crossing();
      memory().close();
    }
    if (!moved) usleep(kPauseUs);
  }
}

}  // namespace

void start_progress() {
  static pid_t started = 0;  // a fork loses the thread
  if (started == getpid()) return;
  started = getpid();
  std::thread(run).detach();
}

}  // namespace fake
