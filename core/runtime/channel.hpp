// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "rhino/error.hpp"
#include "runtime/message.hpp"
#include "topology/file_descriptor.hpp"

namespace rhino::runtime {

/// One request or answer. `error`: instead of a body, the sentence why there is none.
struct Frame {
  MessageKind kind = MessageKind::exit;
  std::string body = {}, error = {};
  // Between controller and agents: whose worker sends it or is to get it.
  std::uint32_t session = 0;
  std::int32_t rank = -1;
};

/// The peer is gone, or does not read.
struct PeerGone : Error {
  using Error::Error;
};

/// One end of a stream socket that carries frames.
class Channel {
 public:
  /// No frame is larger than `most_bytes`: poll() and take() throw Error where one says it were.
  explicit Channel(topology::FileDescriptor socket,
                   std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max())
      : socket_(std::move(socket)), most_bytes_(most_bytes) {}

  int fd() const { return socket_.get(); }
  /// From now on frames may be as large as that.
  void allow(std::uint64_t most_bytes) { most_bytes_ = most_bytes; }
  /// Blocks until all is handed to the kernel. Throws PeerGone when it is gone or does not read
  /// within the socket's time limit.
  void put(const Frame& frame);
  /// Blocks for the next frame; nothing when the peer is gone.
  std::optional<Frame> take();
  /// The next frame if it is whole already; never blocks. `ended()` tells whether more can come.
  std::optional<Frame> poll();
  bool ended() const { return ended_; }
  /// Bytes that have come so far.
  std::uint64_t num_received() const { return num_received_; }

 private:
  bool receive(int flags);
  std::optional<Frame> first_frame();

  topology::FileDescriptor socket_;
  std::uint64_t most_bytes_, num_received_ = 0;
  std::string received_;
  bool ended_ = false;
};

}  // namespace rhino::runtime
