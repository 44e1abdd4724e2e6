// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/door.hpp"
#include "launch/endpoint.hpp"
#include "launch/handshake.hpp"
#include "launch/knock.hpp"

namespace rhino::launch {

inline const std::string kToken = "a token of this run alone";

using TestClock = std::chrono::steady_clock;

inline double seconds_since(TestClock::time_point begin) {
  return std::chrono::duration<double>(TestClock::now() - begin).count();
}

int num_open_descriptors();

std::string bytes_of(const void* data, std::size_t size);
template <typename Message>
std::string bytes_of(const Message& message) {
  return bytes_of(&message, sizeof message);
}

/// A connection of somebody, blocking; reads end after 5 s.
class Stranger {
 public:
  explicit Stranger(const std::string& address);
  explicit Stranger(topology::FileDescriptor socket);

  void say(std::string_view bytes) const;
  /// Less than `size` where the other end hung up, or is silent.
  std::string hear(std::size_t size) const;
  Hello hear_hello() const;
  void hang_up() { socket_.close(); }
  int fd() const { return socket_.get(); }

 private:
  topology::FileDescriptor socket_;
};

/// What an agent that knows `token` says.
Answer answer_to(const Hello& controller, const std::string& token = kToken);

/// A door at the loopback interface, and what came of it.
struct House {
  explicit House(const std::string& token = kToken);

  Door door;
  std::string address;  ///< 127.0.0.1
  std::vector<std::string> lines;
  std::vector<topology::FileDescriptor> admitted;

  /// Until `is_done`, or `limit_s` is over: then false.
  bool open_until(const std::function<bool()>& is_done, double limit_s = 5);
  void open_for(double seconds);
  Meeting meeting() const { return {{address}, kToken, 2}; }
};

/// A socket that listens at 127.0.0.1, and its address; port 0: any.
struct Listener {
  explicit Listener(std::uint16_t port = 0);
  topology::FileDescriptor socket;
  std::string address;
  std::uint16_t port = 0;
  Stranger take() const;
};

}  // namespace rhino::launch
