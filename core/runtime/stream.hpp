// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

namespace rhino::runtime {

/// What makes events: a stream, or a transport. It outlives its events.
class EventSource {
 public:
  virtual ~EventSource() = default;
  /// The host waits until what event `number` stands for is over. Throws Error when it failed.
  virtual void wait(std::int64_t number) = 0;
  /// Whether it is over; never waits where that can be asked. Throws Error when it failed.
  virtual bool has_ended(std::int64_t number) {
    wait(number);
    return true;
  }
};

/// A point in work under way: a value, which owns nothing. Without a source it is over already.
struct Event {
  EventSource* source = nullptr;
  std::int64_t number = 0;

  void wait() const {
    if (source) source->wait(number);
  }
  bool is_over() const { return source == nullptr || source->has_ended(number); }
};

/// What a stream was given once, to be given to it again by one call of the host. Ends before its
/// stream.
class Recording {
 public:
  virtual ~Recording() = default;
  /// Enqueues all of it. Events and marks made while it was recorded are, from now on, where this
  /// run of it comes by. Marks take the same places in each step.
  virtual void replay() = 0;
};

/// Work of one device, in order; all members are called by the one thread that enqueues it. A
/// device that computes as it is told to (CPUs) has done its work when enqueuing returns: its
/// events are over as they are recorded. Errors of work under way come out of a wait as Error.
class Stream : public EventSource {
 public:
  /// Is over when all that was enqueued so far is.
  virtual Event record() = 0;
  /// What is enqueued from now on begins when `event` is over. Streams that order themselves by
  /// events of its source return at once; for all others the host waits.
  virtual void wait_for(const Event& event) { event.wait(); }
  /// Whether wait_for(event) has the host wait until what was enqueued so far is over.
  virtual bool holds_up_host(const Event&) const { return false; }

  /// Whether work can be recorded.
  virtual bool can_record() const { return false; }
  /// What is enqueued until end_recording() is kept, and does not begin; it has been enqueued
  /// before at least once, and no event is waited for meanwhile. record() and mark() are part of
  /// it.
  virtual void begin_recording() {}
  virtual std::unique_ptr<Recording> end_recording() { return nullptr; }

  /// The moment at which what was enqueued so far ends, to be asked for by time_s() when it has:
  /// seconds of the host's monotonic clock. Moments of one step are kept until the next begins.
  virtual std::int64_t mark() = 0;
  /// Whether it has come; never waits. Throws Error when what is enqueued before it failed.
  virtual bool is_over(std::int64_t) { return true; }
  virtual double time_s(std::int64_t mark) = 0;
};

}  // namespace rhino::runtime
