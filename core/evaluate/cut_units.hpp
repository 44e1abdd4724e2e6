// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "evaluate/tables.hpp"

namespace rhino::evaluate {

/// What one pass of one device is made of, and what waits for what, for CutWalk to play.
class CutUnits {
 public:
  /// Something that runs, or a collective, once all that it is made of is there.
  struct Unit {
    double seconds = 0;            ///< of a collective: in front of it
    double sure_s = 0;             ///< of that, whatever loops are made of it
    std::int32_t collective = -1;  ///< in the order of add(); -1: it is none
    double num_kernels = 0;        ///< that the host issues for it, those of `launch` aside
    std::int32_t launch = -1;      ///< of loops that are one kernel where they run together
    bool needs_done = false;       ///< to be part of that: what it is made of ran before
    bool is_worth = false;         ///< of use while something is under way
    bool is_heavy = false;         ///< a dot, say
    bool leaves = false;           ///< its result is one of the pass
    std::int32_t arrival = -1;     ///< that it waits for; see arriving()
    /// Of its result, for readers of its launch that run elsewhere: to write it, and to read it.
    double write_s = 0, read_s = 0;
    /// Beside `seconds`, of its launch, which computes while it reads and writes.
    double arithmetic_s = 0, stream_s = 0;
    double bytes = 0;         ///< of its result, where that lives no longer than the pass
    double left_bytes = 0;    ///< of its result, where the pass leaves that
    bool is_sum = false;      ///< to that micro-batches add what they leave
    double copied_bytes = 0;  ///< of what is copied for it, as no kernel or message takes it
    /// Of a collective, to copy what it sends where that lies in memory in another shape.
    double viewed_s = 0;
    std::int32_t shows = -1;                     ///< its result is the memory of that unit's
    std::int32_t first_read = 0, num_reads = 0;  ///< by read()
    // Of a collective that is held back, by hold_back():
    std::int32_t bucket = 0;       ///< of gathers, from 1: they start together
    std::int32_t not_before = -1;  ///< a unit that runs before
    std::int32_t drain = -1;       ///< of which results
    double held_bytes = 0;
  };

  void clear(std::int32_t num_departures);
  /// Returns its number. `needs`: earlier units; those below 0 are there from the beginning.
  std::int32_t add(const Unit& unit, std::span<const std::int32_t> needs);
  std::int32_t add(const Collective& collective, Unit unit, std::int32_t need);
  /// The unit, of a launch, reads so much memory, once with all of its launch that run with it.
  void read(std::int32_t unit, std::int32_t memory, double seconds);
  void depart(std::size_t departure, std::int32_t unit);
  /// Arrivals from this one on are collectives that began before the pass: they end before its own,
  /// and others are waited for behind both.
  void begin_before(std::int32_t first_arrival) { first_under_way_ = first_arrival; }
  bool is_under_way(std::int32_t arrival) const { return arrival >= first_under_way_; }

  /// What is added from now on runs behind all that has been.
  void begin_program() { first_of_program_.push_back(size()); }
  /// By which unit each program but the first one begins.
  std::span<const std::int32_t> further_programs() const { return first_of_program_; }

  /// A collective that has been added, and the bytes of its operand or result, which are more.
  struct HeldBack {
    std::int32_t unit = 0;
    double bytes = 0;
  };
  /// Holds back gathers of what is there all the step, each bucket under way while the one before
  /// it is used, and results that nothing here needs, each bucket waited for before the next one;
  /// either where they are more than so many bytes.
  void hold_back(std::span<const HeldBack> gathers, std::span<const HeldBack> results,
                 double least_bytes);

  std::int32_t size() const { return static_cast<std::int32_t>(units_.size()); }
  /// May be changed.
  Unit& unit(std::int32_t index) {
    change();
    return units_[static_cast<std::size_t>(index)];
  }
  const Unit& unit(std::int32_t index) const { return units_[static_cast<std::size_t>(index)]; }
  const Collective& collective(std::int32_t index) const {
    return collectives_[static_cast<std::size_t>(unit(index).collective)];
  }
  /// The units that are collectives, in order.
  std::span<const std::int32_t> collectives() const { return collective_units_; }
  bool are_alike(std::int32_t index, std::int32_t other) const {
    return collective(index).is_like(collective(other));
  }
  std::span<const std::int32_t> needs(std::int32_t index) const {
    return between(needs_, first_need_, index);
  }
  /// The unit whose memory it shows.
  std::int32_t base(std::int32_t index) const {
    while (unit(index).shows >= 0) index = unit(index).shows;
    return index;
  }
  /// Units and what of them departs.
  std::span<const std::pair<std::int32_t, std::int32_t>> departing() const { return departing_; }
  std::int32_t num_departures() const { return num_departures_; }

  struct Read {
    std::int32_t memory = 0;
    double seconds = 0;
  };
  std::span<const Read> reads(std::int32_t index) const {
    const Unit& reader = unit(index);
    return std::span(reads_).subspan(static_cast<std::size_t>(reader.first_read),
                                     static_cast<std::size_t>(reader.num_reads));
  }
  std::int32_t num_memory() const { return num_memory_; }

  /// Results that are held back and alike.
  struct Drain {
    double full_bytes = 0;  ///< of a bucket
    std::size_t num_units = 0;
  };
  std::span<const Drain> drains() const { return drains_; }

  /// Finds what is the same whenever it is played; what follows is of the last call.
  void prepare();
  /// Another number whenever that has found anything.
  std::int64_t stamp() const { return stamp_; }
  std::span<const std::int32_t> users(std::int32_t index) const {
    return between(users_, first_user_, index);
  }
  /// Arrivals and units, in the order in which they are waited for.
  std::span<const std::pair<std::int32_t, std::int32_t>> arriving() const { return arriving_; }
  /// Per unit, how much of what it is made of is not there at the beginning.
  const std::vector<std::int32_t>& missing() const { return missing_; }
  bool departs(std::int32_t index) const { return departs_[static_cast<std::size_t>(index)] != 0; }

 private:
  static std::span<const std::int32_t> between(const std::vector<std::int32_t>& all,
                                               const std::vector<std::int32_t>& first,
                                               std::int32_t index) {
    const auto begin = static_cast<std::size_t>(first[static_cast<std::size_t>(index)]),
               end = static_cast<std::size_t>(first[static_cast<std::size_t>(index) + 1]);
    return std::span(all).subspan(begin, end - begin);
  }
  template <class F>
  void for_each_before(std::int32_t unit, F&& visit) const;
  void find_users();
  void hold_gathers(std::span<const HeldBack> gathers, double least_bytes);
  void hold_results(std::span<const HeldBack> results, double least_bytes);
  void find_readers();

  std::vector<Unit> units_;
  std::vector<Collective> collectives_;
  std::vector<std::int32_t> collective_units_;  ///< of them
  std::vector<std::int32_t> needs_, first_need_;
  std::vector<std::pair<std::int32_t, std::int32_t>> departing_;
  std::vector<Read> reads_;      ///< by unit
  std::int32_t num_memory_ = 0;  ///< that is read
  std::int32_t num_departures_ = 0;
  std::int32_t first_under_way_ = 0;
  std::vector<Drain> drains_;
  std::vector<std::int32_t> first_of_program_;
  std::vector<std::int32_t>
      first_readers_;  ///< per unit: heavy ones, however light ones are between
  Flags feeds_;        ///< something heavy, a collective or a departure is made of it
  void change() { is_prepared_ = knows_users_ = false; }
  bool is_prepared_ = false, knows_users_ = false;
  std::int64_t stamp_ = 0;
  std::vector<std::int32_t> users_, first_user_, missing_;
  std::vector<std::pair<std::int32_t, std::int32_t>> arriving_;
  Flags departs_;
};

}  // namespace rhino::evaluate
