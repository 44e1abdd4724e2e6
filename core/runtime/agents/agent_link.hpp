// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/channel.hpp"
#include "topology/host_report.hpp"

namespace rhino::runtime {

/// How far the monotonic clock of a host is ahead of this one's, give or take.
struct ClockOffset {
  double offset_s = 0, error_s = 0;
};

/// The controller's end of the connection to the agent of another host. Sessions that have workers
/// there listen to it.
class AgentLink {
 public:
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void hear(Frame frame) = 0;
  };

  AgentLink(Channel channel, topology::HostReport report);

  const topology::HostReport& report() const { return report_; }
  int fd() const { return channel_.fd(); }
  /// Why nothing more can come; empty: all is well.
  const std::string& why_lost() const { return why_lost_; }
  /// Bytes that have come so far.
  std::uint64_t num_received() const { return channel_.num_received(); }

  /// Takes what has come and gives it to the listeners. A peer that says what no agent of this
  /// build says is lost.
  void pump() noexcept;
  /// Throws Error where the agent is lost.
  void put(const Frame& frame);

  /// Until forget(); each session has a number of its own.
  std::uint32_t listen(Listener& listener);
  void forget(std::uint32_t session) { listeners_.erase(session); }

  /// By the quickest of some questions and answers. Throws Error where the agent is lost, or
  /// silent.
  ClockOffset measure_clock();
  /// Nothing more is heard of it.
  void give_up(const std::string& why) { lose(why); }
  /// The end of the run, as far as the agent is concerned.
  void leave() noexcept;

 private:
  void lose(const std::string& why);

  Channel channel_;
  topology::HostReport report_;
  std::string why_lost_;
  std::map<std::uint32_t, Listener*> listeners_;
  std::uint32_t last_session_ = 0;
  std::optional<double> clock_answer_s_;
};

}  // namespace rhino::runtime
