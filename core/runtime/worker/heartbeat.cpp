// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/heartbeat.hpp"

#include <poll.h>
#include <sys/eventfd.h>

#include <csignal>

namespace rhino::runtime {
namespace {

constexpr int kBeatMilliseconds = 100;

}  // namespace

Heartbeat::Heartbeat(ProgressPage& page, int control_fd) : stop_(::eventfd(0, EFD_CLOEXEC)) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals go to the thread that computes
  thread_ = std::thread([this, &page, control_fd] { beat(page, control_fd); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Heartbeat::~Heartbeat() {
  ::eventfd_write(stop_.get(), 1);
  thread_.join();
}

void Heartbeat::beat(ProgressPage& page, int control_fd) const {
  pollfd files[2] = {{stop_.get(), POLLIN, 0}, {control_fd, POLLRDHUP, 0}};
  while (true) {
    page.heartbeats.fetch_add(1, std::memory_order_relaxed);
    ::poll(files, 2, kBeatMilliseconds);
    if (files[0].revents != 0) return;
    if (files[1].revents != 0) ::_exit(1);  // nobody is left to tell
  }
}

}  // namespace rhino::runtime
