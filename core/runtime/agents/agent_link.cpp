// SPDX-License-Identifier: Apache-2.0
#include "runtime/agents/agent_link.hpp"

#include <poll.h>

#include <chrono>

#include "runtime/agents/agent_message.hpp"

namespace rhino::runtime {
namespace {

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr int kClockQuestions = 8;
constexpr double kClockDeadline_s = 3;

}  // namespace

AgentLink::AgentLink(Channel channel, topology::HostReport report)
    : channel_(std::move(channel)), report_(std::move(report)) {}

void AgentLink::lose(const std::string& why) {
  if (why_lost_.empty()) why_lost_ = why;
}

void AgentLink::pump() noexcept {
  if (!why_lost_.empty()) return;
  try {
    while (std::optional<Frame> frame = channel_.poll()) {
      if (frame->kind == MessageKind::clock) {
        clock_answer_s_ = decode_message<ClockReply>(frame->body).now_s;
        continue;
      }
      const auto listener = listeners_.find(frame->session);
      if (listener != listeners_.end()) listener->second->hear(std::move(*frame));
    }
    if (channel_.ended()) lose("the connection to its agent has ended");
  } catch (const std::exception& error) {
    lose(std::string("its agent says what cannot be understood: ") + error.what());
  }
}

void AgentLink::put(const Frame& frame) {
  if (!why_lost_.empty()) throw PeerGone("host " + report_.name + " is lost: " + why_lost_);
  try {
    channel_.put(frame);
  } catch (const PeerGone& error) {
    pump();  // what it said before it went
    lose(error.what());
    throw;
  }
}

std::uint32_t AgentLink::listen(Listener& listener) {
  listeners_[++last_session_] = &listener;
  return last_session_;
}

ClockOffset AgentLink::measure_clock() {
  ClockOffset best{.offset_s = 0, .error_s = kClockDeadline_s};
  for (int question = 0; question < kClockQuestions; ++question) {
    clock_answer_s_.reset();
    const double asked_s = now_s();
    put({.kind = MessageKind::clock});
    double answered_s = asked_s;
    while (!clock_answer_s_ && why_lost_.empty() && answered_s - asked_s < kClockDeadline_s) {
      pollfd file{fd(), POLLIN, 0};
      ::poll(&file, 1, 100);
      answered_s = now_s();
      pump();
    }
    if (!clock_answer_s_)
      throw Error("host " + report_.name + (why_lost_.empty() ? " is silent" : " is lost: ") +
                  why_lost_);
    const double error_s = (answered_s - asked_s) / 2;
    if (error_s < best.error_s) best = {*clock_answer_s_ - (asked_s + answered_s) / 2, error_s};
  }
  return best;
}

void AgentLink::leave() noexcept {
  try {
    put({.kind = MessageKind::leave});
  } catch (const std::exception&) {  // it is gone
  }
}

}  // namespace rhino::runtime
