// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/poll.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/channel.hpp"

namespace rhino::runtime {

/// The worker processes that a session has on one host, by rank. What is asked of a rank that is
/// not among them is not defined.
class HostWorkers {
 public:
  virtual ~HostWorkers() = default;

  virtual const std::vector<int>& ranks() const = 0;
  virtual pid_t pid(int rank) const = 0;
  /// Throws Error when the worker is gone or does not read.
  virtual void put(int rank, const Frame& frame) = 0;
  /// The next frame of the worker, if it is whole already; never blocks.
  virtual std::optional<Frame> poll(int rank) = 0;
  /// Where fetched tiles of the rank lie.
  virtual int mailbox(int rank) const = 0;
  virtual const std::string& log(int rank) const = 0;

  /// How the worker ended, if it has: `was killed by signal 9 (KILL)`, `exited with code 0`.
  virtual std::optional<std::string> end_of(int rank) const = 0;
  /// It ended, and its host's memory killer was at work meanwhile.
  virtual bool ended_for_memory(int rank) const = 0;
  /// Whether a signal holds it up.
  virtual bool is_stopped(int rank) const = 0;
  /// It will have ended soon, see is_exiting().
  virtual bool is_ending(int rank) const = 0;

  /// Adds what becomes readable when a rank has news; returns false where news are at hand.
  virtual bool add_files(int rank, std::vector<pollfd>& files) = 0;

  /// The host's name; empty: this one.
  virtual std::string host() const { return ""; }
  /// Why nothing more can come of this host; empty: all is well.
  virtual std::string why_lost() const { return ""; }
  /// Counts what has come of this host: while it stands still, the host is silent.
  virtual std::uint64_t num_signs() { return 0; }

  /// Asks the workers to end; all_ended() tells when they have. kill() ends all at once, also those
  /// that are stopped, and forgets them.
  virtual void ask_to_end() noexcept = 0;
  virtual bool all_ended() = 0;
  virtual void kill() noexcept = 0;
};

}  // namespace rhino::runtime
