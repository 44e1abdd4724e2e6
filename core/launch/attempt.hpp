// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "launch/endpoint.hpp"
#include "launch/handshake.hpp"
#include "topology/file_descriptor.hpp"

namespace rhino::launch {

/// One address, while an agent looks for its controller. Nothing here blocks.
class Attempt {
 public:
  using Clock = std::chrono::steady_clock;
  enum class State {
    rests,       ///< until it tries again
    connects,    ///< writable: it is through, or has failed
    listens,     ///< for the controller's Hello
    may_answer,  ///< it has come; it is answered at one address at a time
    answered,    ///< and waits for the controller's Proof
    is_proved,
    gives_up,  ///< what is there is not the run's controller
  };

  explicit Attempt(std::string address);

  State state() const { return state_; }
  /// What it last met with: `10.0.0.1:4711: connection refused`.
  std::string outcome() const { return address_ + ": " + outcome_; }
  const std::string& address() const { return address_; }
  int fd() const { return socket_.get(); }
  /// For poll(): 0 where there is nothing to wait for.
  short events() const;

  /// Begins where its rest is over; ends what is waited for too long.
  void look(Clock::time_point now);
  /// Goes on once poll() says so.
  void go_on(const Prover& prover, Clock::time_point now);
  void answer(const Prover& prover, Clock::time_point now);
  topology::FileDescriptor release() { return std::move(socket_); }

 private:
  void begin(Clock::time_point now);
  void hear_hello(Clock::time_point now);
  void hear_proof(const Prover& prover, Clock::time_point now);
  template <typename Message>
  void receive(Arriving<Message>& message, const char* at_end, Clock::time_point now);
  void rest(const std::string& why, Clock::time_point now);
  void give_up(const std::string& why);

  std::string address_;
  Endpoint endpoint_;
  State state_ = State::rests;
  std::string outcome_ = "not tried";
  topology::FileDescriptor socket_;
  Clock::time_point until_{};  ///< of its rest, or of its patience
  Hello own_;
  Arriving<Hello> hello_;
  Arriving<Proof> proof_;
  int num_unanswered_ = 0;  ///< answers after which it hung up, or was silent
};

}  // namespace rhino::launch
