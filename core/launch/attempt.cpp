// SPDX-License-Identifier: Apache-2.0
#include "launch/attempt.hpp"

#include <poll.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "rhino/error.hpp"

namespace rhino::launch {
namespace {

constexpr std::chrono::milliseconds kRest{200};
constexpr std::chrono::seconds kProofTime{3};
/// A controller that has others to look at may hang up once or twice; one of another run always
/// does.
constexpr int kMaxUnanswered = 3;

int pending_error(int socket) {
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

/// Where nobody listens on a port of this host, the kernel may give that very port to who knocks.
bool is_joined_to_itself(int socket) { return own_end(socket).text() == far_end(socket).text(); }

}  // namespace

Attempt::Attempt(std::string address) : address_(std::move(address)) {
  try {
    endpoint_ = parse_endpoint(address_);
  } catch (const Error&) {
    give_up("no address of a network of this host");
  }
}

short Attempt::events() const {
  if (state_ == State::connects) return POLLOUT;
  return state_ == State::listens || state_ == State::answered ? POLLIN : 0;
}

void Attempt::look(Clock::time_point now) {
  if (state_ == State::rests && now >= until_) begin(now);
  if (state_ == State::answered && now >= until_) rest("it did not prove itself within 3 s", now);
}

void Attempt::begin(Clock::time_point now) {
  socket_ = topology::FileDescriptor(
      ::socket(endpoint_.address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket_.is_open()) return rest(std::strerror(errno), now);
  tune_connection(socket_.get(), false);
  hello_ = {};
  proof_ = {};
  state_ = State::connects;
  if (::connect(socket_.get(), endpoint_.get(), endpoint_.size) != 0 && errno != EINPROGRESS)
    rest(std::strerror(errno), now);
}

void Attempt::go_on(const Prover& prover, Clock::time_point now) {
  if (state_ == State::connects) {
    if (const int error = pending_error(socket_.get())) return rest(std::strerror(error), now);
    if (is_joined_to_itself(socket_.get())) return rest("nobody listens there", now);
    outcome_ = "it says nothing";
    state_ = State::listens;
  } else if (state_ == State::listens) {
    hear_hello(now);
  } else if (state_ == State::answered) {
    hear_proof(prover, now);
  }
}

template <typename Message>
void Attempt::receive(Arriving<Message>& message, const char* at_end, Clock::time_point now) {
  const ssize_t got = ::recv(socket_.get(), message.next(), message.missing(), MSG_DONTWAIT);
  if (got > 0) return message.add(static_cast<std::size_t>(got));
  if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) rest(at_end, now);
}

void Attempt::hear_hello(Clock::time_point now) {
  receive(hello_, "it hung up before it said anything", now);
  if (state_ != State::listens || hello_.missing() > 0) return;
  state_ = State::may_answer;
  const std::string fault = fault_of(hello_.get());
  if (fault.empty()) return;
  // A controller of another version prints whom it turned away.
  own_ = new_hello();
  const Answer answer{own_, {}};
  ::send(socket_.get(), &answer, sizeof answer, MSG_NOSIGNAL);
  give_up(fault);
}

void Attempt::answer(const Prover& prover, Clock::time_point now) {
  own_ = new_hello();
  const Answer answer{own_, prover.mac(Side::agent, hello_.get(), own_)};
  if (::send(socket_.get(), &answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer)
    return rest("it hung up", now);
  state_ = State::answered;
  until_ = now + kProofTime;
  ++num_unanswered_;
}

void Attempt::hear_proof(const Prover& prover, Clock::time_point now) {
  receive(proof_, "it hung up on us: is its token another?", now);
  if (state_ != State::answered || proof_.missing() > 0) return;
  if (!prover.accepts(proof_.get().mac, Side::controller, hello_.get(), own_))
    return give_up("it does not know the run's token");
  tune_connection(socket_.get(), true);
  state_ = State::is_proved;
}

void Attempt::rest(const std::string& why, Clock::time_point now) {
  const bool was_answered = state_ == State::answered;
  if (was_answered && num_unanswered_ >= kMaxUnanswered) return give_up(why);
  socket_.close();
  outcome_ = why;
  until_ = now + kRest;
  state_ = State::rests;
}

void Attempt::give_up(const std::string& why) {
  socket_.close();
  outcome_ = why;
  state_ = State::gives_up;
}

}  // namespace rhino::launch
