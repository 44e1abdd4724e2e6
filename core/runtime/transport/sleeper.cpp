// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/sleeper.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <string>

#include "rhino/error.hpp"

namespace rhino::runtime {
namespace {
constexpr std::size_t kMaxWatched = 4;
}  // namespace

Sleeper::Sleeper() : event_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (event_ < 0)
    throw Error(std::string("cannot make an event descriptor: ") + std::strerror(errno));
}

Sleeper::~Sleeper() { close(event_); }

void Sleeper::watch(std::span<const int> file_descriptors) {
  assert(file_descriptors.size() <= kMaxWatched);
  watched_.assign(file_descriptors.begin(), file_descriptors.end());
}

void Sleeper::sleep(std::uint64_t version, bool with_watched, int timeout_ms) noexcept {
  std::array<pollfd, kMaxWatched + 1> descriptors{};
  nfds_t count = 0;
  descriptors[count++] = {event_, POLLIN, 0};
  if (with_watched) {
    for (int watched : watched_) descriptors[count++] = {watched, POLLIN, 0};
  }
  asleep_.store(true);
  if (version_.load() == version) poll(descriptors.data(), count, timeout_ms);
  asleep_.store(false);
  eventfd_t ignored;
  if (descriptors[0].revents) eventfd_read(event_, &ignored);
}

void Sleeper::wake() noexcept {
  version_.fetch_add(1);
  if (asleep_.load()) eventfd_write(event_, 1);
}

}  // namespace rhino::runtime
