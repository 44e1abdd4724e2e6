// SPDX-License-Identifier: Apache-2.0
#include "runtime/channel.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace rhino::runtime {
namespace {

struct FrameHeader {
  MessageKind kind = MessageKind::exit;
  std::uint32_t failed = 0;
  std::uint64_t size = 0;
};

void write_all(int fd, const void* data, std::size_t size) {
  const auto* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t sent = ::send(fd, next, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0)
      throw Error(std::string("cannot write to the control socket: ") + std::strerror(errno));
    next += sent;
    size -= static_cast<std::size_t>(sent);
  }
}

}  // namespace

void Channel::put(const Frame& frame) {
  const bool failed = !frame.error.empty();
  const std::string& text = failed ? frame.error : frame.body;
  const FrameHeader header{frame.kind, failed, text.size()};
  write_all(fd(), &header, sizeof(header));
  write_all(fd(), text.data(), text.size());
}

std::optional<Frame> Channel::take() {
  while (true) {
    if (std::optional<Frame> frame = first_frame()) return frame;
    if (!receive(0)) return std::nullopt;
  }
}

std::optional<Frame> Channel::poll() {
  while (receive(MSG_DONTWAIT)) {
  }
  return first_frame();
}

/// Appends what the socket has; false when it has nothing (for now, or any more).
bool Channel::receive(int flags) {
  if (ended_) return false;
  constexpr std::size_t kRoom = 1 << 16;
  const std::size_t size = received_.size();
  received_.resize(size + kRoom);
  ssize_t got = 0;
  do {
    got = ::recv(fd(), received_.data() + size, kRoom, flags);
  } while (got < 0 && errno == EINTR);
  received_.resize(size + static_cast<std::size_t>(got > 0 ? got : 0));
  ended_ = got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK);
  return got > 0;
}

std::optional<Frame> Channel::first_frame() {
  FrameHeader header;
  if (received_.size() < sizeof(header)) return std::nullopt;
  std::memcpy(&header, received_.data(), sizeof(header));
  if (received_.size() - sizeof(header) < header.size) return std::nullopt;
  Frame frame{.kind = header.kind, .body = {}, .error = {}};
  (header.failed ? frame.error : frame.body) = received_.substr(sizeof(header), header.size);
  received_.erase(0, sizeof(header) + header.size);
  return frame;
}

}  // namespace rhino::runtime
