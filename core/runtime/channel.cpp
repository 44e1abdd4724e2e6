// SPDX-License-Identifier: Apache-2.0
#include "runtime/channel.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>

namespace rhino::runtime {
namespace {

struct FrameHeader {
  MessageKind kind = MessageKind::exit;
  std::uint32_t failed = 0;
  std::uint32_t session = 0;
  std::int32_t rank = -1;
  std::uint64_t size = 0;
};

/// Both parts at once: the second never waits for the answer to the first.
void write_all(int fd, iovec* parts, std::size_t count) {
  while (count > 0) {
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = count;
    const ssize_t sent = ::sendmsg(fd, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0)
      throw PeerGone(std::string("cannot write to the control socket: ") + std::strerror(errno));
    auto left = static_cast<std::size_t>(sent);
    for (; count > 0 && left >= parts->iov_len; --count) left -= parts++->iov_len;
    if (count == 0) return;
    parts->iov_base = static_cast<char*>(parts->iov_base) + left;
    parts->iov_len -= left;
  }
}

}  // namespace

void Channel::put(const Frame& frame) {
  const bool failed = !frame.error.empty();
  const std::string& text = failed ? frame.error : frame.body;
  FrameHeader header{frame.kind, failed, frame.session, frame.rank, text.size()};
  iovec parts[] = {{&header, sizeof header}, {const_cast<char*>(text.data()), text.size()}};
  write_all(fd(), parts, text.empty() ? 1 : 2);
}

std::optional<Frame> Channel::take() {
  while (true) {
    if (std::optional<Frame> frame = first_frame()) return frame;
    if (!receive(0)) return std::nullopt;
  }
}

std::optional<Frame> Channel::poll() {
  constexpr std::uint64_t kMostAtOnce = 4 << 20;  // whoever sends without end holds nobody up
  const std::uint64_t before = num_received_;
  while (num_received_ - before < kMostAtOnce && receive(MSG_DONTWAIT)) {
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
  num_received_ += static_cast<std::uint64_t>(got > 0 ? got : 0);
  ended_ = got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK);
  return got > 0;
}

std::optional<Frame> Channel::first_frame() {
  FrameHeader header;
  if (received_.size() < sizeof(header)) return std::nullopt;
  std::memcpy(&header, received_.data(), sizeof(header));
  if (header.size > most_bytes_)
    throw Error("a message of " + std::to_string(header.size) + " bytes, where no more than " +
                std::to_string(most_bytes_) + " are taken");
  if (received_.size() - sizeof(header) < header.size) return std::nullopt;
  Frame frame{.kind = header.kind, .session = header.session, .rank = header.rank};
  (header.failed ? frame.error : frame.body) = received_.substr(sizeof(header), header.size);
  received_.erase(0, sizeof(header) + header.size);
  return frame;
}

}  // namespace rhino::runtime
