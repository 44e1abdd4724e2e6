// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <vector>

#include "launch/endpoint.hpp"
#include "launch/handshake.hpp"
#include "launch/rationed_lines.hpp"
#include "topology/file_descriptor.hpp"

namespace rhino::launch {

struct DoorOptions {
  std::string interface;   ///< listens at its addresses alone; empty: at those of all that are up
  std::uint16_t port = 0;  ///< 0: any, another at each address
  std::string token;
  bool loopback = false;  ///< there, too; it always is where nothing else is up
};

/// Where rank 0 lets in the connections of the other ranks, and nobody else's
/// (launch/handshake.hpp). It listens at addresses of interfaces, never at all of a host. Where
/// more come than are looked at at once, who has kept it waiting makes room.
class Door {
 public:
  /// Throws Error: no such interface, no address, a port that is taken.
  explicit Door(const DoorOptions& options);

  /// `10.0.0.1:4711`, `[fe80::1%eth0]:4711`.
  std::vector<std::string> addresses() const;

  /// Of these poll() tells when to call admit(): others after each call of it. It is to be called
  /// once a second beside, since handshakes have an end that nothing tells of.
  std::vector<int> file_descriptors() const;

  /// Moves accepts and handshakes on, never blocks, and returns connections that are through, tuned
  /// (launch/endpoint.hpp) and blocking. `refused` is told a line for each stranger: `refused a
  /// connection from 10.0.0.9:5123: its token is another`; of a flood the first, and a count. Who
  /// hangs up without a word gets none.
  std::vector<topology::FileDescriptor> admit(
      const std::function<void(const std::string&)>& refused);

 private:
  using Clock = std::chrono::steady_clock;
  struct Guest {
    topology::FileDescriptor socket;
    std::string from;
    Hello hello;  ///< what it was sent
    Arriving<Answer> answer;
    Clock::time_point since;
    /// Why it has to leave; it does so in silence where this is empty.
    std::string fault = {};
  };
  enum class Turn { waits, leaves, is_through };

  void listen_at(Endpoint endpoint, std::uint16_t port);
  Turn look_at(Guest& guest, Clock::time_point now) const;
  Turn hear(Guest& guest) const;
  Turn judge(Guest& guest) const;
  bool has_room(Clock::time_point now) const;
  bool take_from(const topology::FileDescriptor& listening);
  void make_room();
  void turn_away(const Guest& guest);

  Prover prover_;
  std::vector<topology::FileDescriptor> listening_;
  std::list<Guest> guests_;               ///< who came first stands first
  std::vector<std::string> turned_away_;  ///< lines that are not told yet
  Clock::time_point resumes_{};           ///< nobody is taken until then: descriptors ran out
  RationedLines lines_;
};

}  // namespace rhino::launch
