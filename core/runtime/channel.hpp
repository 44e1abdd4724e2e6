// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "runtime/message.hpp"
#include "topology/file_descriptor.hpp"

namespace rhino::runtime {

/// One request or answer. `error`: instead of a body, the sentence why there is none.
struct Frame {
  MessageKind kind = MessageKind::exit;
  std::string body, error;
};

/// One end of a stream socket that carries frames.
class Channel {
 public:
  explicit Channel(topology::FileDescriptor socket) : socket_(std::move(socket)) {}

  int fd() const { return socket_.get(); }
  /// Blocks until all is handed to the kernel. Throws Error when the peer is gone or does not read
  /// within the socket's time limit.
  void put(const Frame& frame);
  /// Blocks for the next frame; nothing when the peer is gone.
  std::optional<Frame> take();
  /// The next frame if it is whole already; never blocks. `ended()` tells whether more can come.
  std::optional<Frame> poll();
  bool ended() const { return ended_; }

 private:
  bool receive(int flags);
  std::optional<Frame> first_frame();

  topology::FileDescriptor socket_;
  std::string received_;
  bool ended_ = false;
};

}  // namespace rhino::runtime
