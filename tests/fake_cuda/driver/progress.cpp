// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <thread>

#include "memory.hpp"
#include "operations.hpp"

namespace fake {
namespace {

constexpr unsigned kLeastPauseUs = 100, kMostPauseUs = 2000;

[[noreturn]] void run() {
  unsigned pause_us = kLeastPauseUs;
  for (;;) {
    bool moved = false;
    {
      const Lock lock;
      moved = step_crossing();
      memory().close();
    }
    pause_us = moved ? kLeastPauseUs : std::min(kMostPauseUs, pause_us * 2);
    if (!moved) usleep(pause_us);
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
