// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "evaluate/tables.hpp"

namespace rhino::evaluate {

/// When something is there at the earliest: from the begin of the pass, and from when its main
/// crossing has arrived; -1: it does not wait for that.
struct Earliest {
  double from_begin_s = 0, from_arrival_s = -1;
  std::uint32_t axes = 0;  ///< of collectives behind the arrival
  /// Loops that are launched one after another, and whether the last may be joined by its reader.
  struct Loops {
    std::int32_t num = 0;
    bool is_open = false;
    void wait_for(const Loops& other) {
      if (other.num > num) is_open = other.is_open;
      else if (other.num == num) is_open |= other.is_open;
      num = std::max(num, other.num);
    }
    void launch() { num += !std::exchange(is_open, true); }
  };
  Loops loops, loops_after;  ///< in all; behind the arrival
  void close() { loops.is_open = loops_after.is_open = false; }
  void wait_for(const Earliest& other) {
    from_begin_s = std::max(from_begin_s, other.from_begin_s);
    loops.wait_for(other.loops);
    loops_after.wait_for(other.loops_after);
    if (other.from_arrival_s <= from_arrival_s) return;
    from_arrival_s = other.from_arrival_s;
    axes = other.axes;
  }
  void take(double seconds) {
    from_begin_s += seconds;
    if (from_arrival_s >= 0) from_arrival_s += seconds;
  }
};

/// A form in which a pass has a value.
struct HeldForm {
  FormId form = -1;
  std::int32_t level = 0;
  Earliest there;
  std::int32_t arrival = -1;  ///< CutUnits::Unit
  bool lasts = false;         ///< light ops alone make it of what is there all the step
  bool is_sliced = false;     ///< by a kernel in front of who reads it
  bool is_fresh = false;      ///< a collective has made it, and nothing has read it so far
  double apart_bytes = 0;     ///< of it, in parts that a dot does not read as they lie
  bool waits = false;         ///< for an arrival, or a collective
  bool may_wait = false;      ///< the same, or for what other meshes make before all passes
  std::int32_t unit = -1;     ///< of the walk; -1: it comes from outside
  std::int32_t next = -1;     ///< further form of the same value, among those of the pass
};

/// What one stream of kernels takes, one after the other, however loops are fused.
struct SureTime {
  double kernels_s = 0, stream_s = 0, arithmetic_s = 0;
  double seconds() const { return kernels_s + std::max(stream_s, arithmetic_s); }
  double chained_s() const { return kernels_s + stream_s; }
  void add(const SureTime& other) {
    kernels_s += other.kernels_s;
    stream_s += other.stream_s;
    arithmetic_s += other.arithmetic_s;
  }
};

/// When ops run, bits: before all that a device waits for in the pass, or behind some of it.
enum Epoch : std::uint8_t { kUnknown = 0, kEarly = 1, kLate = 2 };

/// What a pass knows of a value.
struct PassValue {
  std::int32_t stamp = 0;  ///< of the pass that it is about
  HeldForm made;
  SureTime sure;
  std::uint8_t read_in = 0;    ///< Epochs in which some loop surely reads it
  ValueId read_by = kNoValue;  ///< the loop op that reads it surely
  bool is_early = false;
  bool is_written = false;  ///< surely
  bool holds = false;       ///< likewise, one whose result is read here
  std::uint32_t leads = 0;  ///< departures that need it, a bit each
};

/// Collectives that are alike and ready together.
struct ReadyTogether {
  std::int32_t level = 0;
  Collective sum;
  bool is_read = false;  ///< here: what reads it has to wait
  std::vector<ValueId> readers = {};
};

/// A value on its way to a form that is not there.
struct Move {
  ValueId id = kNoValue, reader = kNoValue;
  FormId need = -1;
  const Reshard* price = nullptr;
  HeldForm base;              ///< what it is made of
  bool is_from_made = false;  ///< that is as its op yields it, or as it came
  bool is_first = false;      ///< else something nearer might be there by then
  bool is_read = false;       ///< here
  bool lasts = false;         ///< longer than the pass
};

}  // namespace rhino::evaluate
