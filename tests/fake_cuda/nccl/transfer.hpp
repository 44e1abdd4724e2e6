// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../driver/operations.hpp"
#include "communicator.hpp"

namespace fake {

/// What stands before the bytes of each message: both sides must mean the same.
struct Header {
  std::uint64_t number, bytes;
  int kind, type, how, root;
  bool operator==(const Header&) const = default;
};

/// One direction of one call with one peer.
struct Leg {
  Communicator* comm;
  int peer;
  bool sends;
  Header header;
  char* data;
  std::size_t moved = 0;
  bool over = false;

  /// Moves what it can. True: something moved. A peer that means another call is said, and breaks
  /// the communicator.
  bool go();

 private:
  bool send();
  bool receive();
};

/// The calls of one group on one stream: they go on together, and end together.
class Transfer {
 public:
  explicit Transfer(std::vector<Call> calls) : calls_(std::move(calls)) {}
  /// The operation's action.
  bool progress(Operation& op);
  std::string name() const;

 private:
  bool begin(Operation& op);
  bool begin_call(Operation& op, std::size_t i);
  void finish_call(Operation& op, std::size_t i);
  bool move();
  void say_stuck();

  std::vector<Call> calls_;
  bool begun_ = false, said_ = false;
  std::vector<Leg> legs_;
  std::vector<std::vector<std::vector<char>>> received_;  // per call and rank
  std::chrono::steady_clock::time_point moved_at_{};
};

}  // namespace fake
