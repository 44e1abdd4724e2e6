// SPDX-License-Identifier: Apache-2.0
#include "launch/knock.hpp"

#include <poll.h>

#include <algorithm>
#include <chrono>

#include "launch/attempt.hpp"
#include "rhino/error.hpp"

namespace rhino::launch {
namespace {

using Clock = Attempt::Clock;
using State = Attempt::State;

constexpr int kLongestPollMs = 50;

bool any_is(const std::vector<Attempt>& attempts, State state) {
  return std::any_of(attempts.begin(), attempts.end(),
                     [&](const Attempt& one) { return one.state() == state; });
}

/// Waits until something happens, and lets it.
void go_on_with(std::vector<Attempt>& attempts, const Prover& prover) {
  std::vector<pollfd> fds;
  for (const Attempt& one : attempts)
    fds.push_back({one.events() == 0 ? -1 : one.fd(), one.events(), 0});
  ::poll(fds.data(), fds.size(), kLongestPollMs);
  const Clock::time_point now = Clock::now();
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    if (fds[i].revents != 0) attempts[i].go_on(prover, now);
    attempts[i].look(now);
  }
}

/// Whoever is answered may let this agent in: so nobody else is, until it has said whether it is
/// the controller.
void answer_one(std::vector<Attempt>& attempts, const Prover& prover) {
  if (any_is(attempts, State::answered)) return;
  for (Attempt& one : attempts) {
    if (one.state() == State::may_answer) return one.answer(prover, Clock::now());
  }
}

Knocked knocked_at(Attempt& attempt) {
  Knocked knocked{.socket = attempt.release(), .address = attempt.address(), .interface = {}};
  knocked.interface = interface_with(own_end(knocked.socket.get()));
  return knocked;
}

[[noreturn]] void fail(const std::vector<Attempt>& attempts) {
  std::string sentence = "found no controller of this run";
  for (const Attempt& one : attempts)
    sentence += (&one == &attempts.front() ? " at " : "; at ") + one.outcome();
  throw Error(sentence);
}

}  // namespace

Knocked knock(const Meeting& meeting, double deadline_s) {
  const Clock::time_point deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                        std::chrono::duration<double>(deadline_s));
  const Prover prover(meeting.token);
  std::vector<Attempt> attempts;
  for (const std::string& address : meeting.addresses) attempts.emplace_back(address);
  while (Clock::now() < deadline) {
    go_on_with(attempts, prover);
    for (Attempt& one : attempts) {
      if (one.state() == State::is_proved) return knocked_at(one);
    }
    answer_one(attempts, prover);
    const bool is_over = std::all_of(attempts.begin(), attempts.end(), [](const Attempt& one) {
      return one.state() == State::gives_up;
    });
    if (is_over) break;
  }
  fail(attempts);
}

}  // namespace rhino::launch
