// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "plan/execution_plan.hpp"
#include "plan/step_trace.hpp"

namespace rhino::simulate {

/// Rounds durations to multiples of a unit, of which sums are exact up to 128 times some seconds:
/// so nothing depends on when it happens.
class Grid {
 public:
  /// 0: nothing is rounded.
  explicit Grid(double seconds)
      : rounds_(seconds > 0 ? 1.5 * std::exp2(6 + std::ceil(std::log2(seconds))) : 0) {}
  double operator()(double seconds) const { return (seconds + rounds_) - rounds_; }

 private:
  double rounds_ = 0;  ///< its last bit is the unit
};

/// All that decides what a simulation does from now on, in numbers that do not depend on when that
/// is.
class State {
 public:
  explicit State(double now_s) : now_s_(now_s) {}
  void add(double value) { values_.push_back(value); }
  void add(std::int64_t value) { values_.push_back(static_cast<double>(value)); }
  void add_time(double time_s) { values_.push_back(time_s - now_s_); }
  double now_s() const { return now_s_; }
  /// At whatever times.
  bool is_same(const State& other) const { return values_ == other.values_; }

 private:
  double now_s_ = 0;
  std::vector<double> values_;
};

/// How often a period comes again.
struct Repeats {
  std::int64_t count = 0;
  double period_s = 0;
};

/// A moment of a simulation. Micro-batches count from `micro_batch` in its state.
struct Moment {
  /// Of a processor: where in its role's list it stands, and what it has gathered until then.
  struct Place {
    std::int32_t role = 0;
    std::int64_t instruction = 0;
    std::size_t num_events = 0;
    double compute_s = 0, communication_s = 0, exposed_communication_s = 0;
  };
  std::int32_t micro_batch = 0;
  State state;
  std::vector<Place> places;  ///< of all processors
};

/// Adds what a trace has gathered since then so many times more, each time a period later and as
/// many instructions further on.
void repeat(plan::DeviceTrace& trace, const Moment::Place& since, std::int64_t num_instructions,
            const Repeats& repeats);

/// Counts how often lists go on alike.
class RepeatCounter {
 public:
  explicit RepeatCounter(const plan::ExecutionPlan& plan) : plan_(plan) {}

  /// How often what happened from one moment to another of the same state will happen again, with
  /// micro-batches that are as much further: as often as all lists go on alike.
  std::int64_t operator()(const Moment& from, const Moment& to);

 private:
  /// A period of a role's list.
  struct Period {
    std::int32_t role = 0, num_micro_batches = 0;
    std::int64_t size = 0;
    auto operator<=>(const Period&) const = default;
  };
  /// Instructions that are as those a period further on; the one at `end` is not.
  struct Alike {
    std::int64_t begin = 0, end = -1;
  };

  std::int64_t count(const Period& period, std::int64_t first);

  const plan::ExecutionPlan& plan_;
  std::map<Period, Alike> known_;  ///< what was found last
};

/// The last moments of a step.
class Moments {
 public:
  /// The latest of the same state; nullptr: none.
  const Moment* find(const State& state) const;
  void add(Moment moment);
  void clear() { list_.clear(); }

 private:
  std::deque<Moment> list_;
};

}  // namespace rhino::simulate
