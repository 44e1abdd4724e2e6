// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "evaluate/shared_links.hpp"
#include "evaluate/tables.hpp"
#include "plan/cut.hpp"

namespace rhino::evaluate {

/// Plays one pass of one device through as plans order it (plan/cut.hpp): what a collective or
/// departure needs runs first, it starts at once, heavy ops and results that wait for nothing run
/// meanwhile, and it is waited for only when nothing of that kind is left; arrivals after that.
/// What is held back goes in buckets.
class CutWalk {
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
    std::int32_t arrival = -1;     ///< that it waits for; they are waited for in order
    /// Of its result, for readers of its launch that run elsewhere: to write it, and to read it.
    double write_s = 0, read_s = 0;
    double spare_s = 0;       ///< that it computes longer than it writes
    double bytes = 0;         ///< of its result, where that lives no longer than the pass
    std::int32_t shows = -1;  ///< its result is the memory of that unit's
    std::int32_t first_read = 0, num_reads = 0;  ///< by read()
    // Of a collective that is held back, by hold_back():
    std::int32_t bucket = 0;       ///< of gathers, from 1: they start together
    std::int32_t not_before = -1;  ///< a unit that runs before
    std::int32_t drain = -1;       ///< of which results
    double held_bytes = 0;
  };

  /// `late_arrival`: which one run() tells the time of.
  void clear(std::int32_t num_departures, std::int32_t late_arrival = 0);
  /// Returns its number. `needs`: earlier units; those below 0 are there from the beginning.
  std::int32_t add(const Unit& unit, std::span<const std::int32_t> needs);
  std::int32_t add(const Collective& collective, Unit unit, std::int32_t need);
  /// The unit, of a launch, reads so much memory, once with all of its launch that run with it.
  void read(std::int32_t unit, std::int32_t memory, double seconds);
  void depart(std::size_t departure, std::int32_t unit);
  Unit& unit(std::int32_t index) { return units_[static_cast<std::size_t>(index)]; }

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

  struct Result {
    double end_s = 0;
    std::vector<double> departs_s;
    double num_launches = 0, num_messages = 0;
    double issued_s = 0;                ///< in which the host issues all of it
    std::array<double, 2> busy_s = {};  ///< of links, as of LinkUse: of all messages
  };
  /// Units that run in one go, start as one message or are waited for, a departure, or an arrival.
  struct Item {
    plan::CutItem::Kind kind = plan::CutItem::Kind::run;
    std::int32_t number = 0;  ///< of the message, departure or arrival
    std::vector<std::int32_t> units = {};
  };
  /// What one pass comes to as plans cut it, in order; of the last run() or run_sure() while
  /// `items` is there. Null: nobody asks.
  void record(std::vector<Item>* items) { items_ = items; }
  const Collective& collective(std::int32_t unit) const {
    return collectives_[static_cast<std::size_t>(
        units_[static_cast<std::size_t>(unit)].collective)];
  }

  using Price = std::function<LinkUse(const Collective&)>;
  /// Of a launch, and of each kernel and message that the host issues.
  struct Costs {
    double latency_s = 0, issue_s = 0;
    double kernels_per_launch = 1;
  };
  /// One arrival comes at `arrival_s`, all others are there. The host begins with the device, runs
  /// ahead of it where it can, and waits for arrivals.
  Result run(double arrival_s, const Costs& costs, const Price& seconds);
  /// Another one than clear() said.
  void make_late(std::int32_t arrival) { late_arrival_ = arrival; }
  /// The same where units take what is sure, and nothing is launched or issued.
  Result run_sure(double arrival_s, const Price& seconds);

  /// The most bytes that results take at a time: those that outlive what runs in one go, and those
  /// within that.
  struct Memory {
    double between = 0, within = 0;
  };
  /// As it was played last.
  Memory memory();

 private:
  struct Message {
    std::vector<std::int32_t> units;
    std::int32_t flow = -1;  ///< of links_, and its number
  };
  /// Results that are alike.
  struct Drain {
    double full_bytes = 0;  ///< of a bucket
    std::size_t num_units = 0, num_left = 0;
    std::set<std::int32_t> ready;
  };
  std::span<const std::int32_t> needs(std::int32_t unit) const;
  template <class F>
  void for_each_before(std::int32_t unit, F&& visit) const;
  void prepare();
  void find_users();
  void hold_gathers(std::span<const HeldBack> gathers, double least_bytes);
  void hold_results(std::span<const HeldBack> results, double least_bytes);
  void find_readers();
  bool is_alike(std::int32_t unit, std::int32_t other) const;
  void begin();
  void complete_departures(std::int32_t unit);
  void release(std::int32_t unit);
  void note_free(std::int32_t unit);
  void issue(double count);
  void issue_kernels(double count);
  bool depart_next();
  bool start_next();
  bool start_results();
  void send(std::vector<std::int32_t> units, std::vector<Message>& list);
  void wait_for(const Message& message);
  std::vector<std::int32_t> drain();
  bool run_worth(bool all);
  bool wait_next();
  void arrive();
  void execute(std::span<const std::int32_t> units);
  void use(std::int32_t unit);
  std::int32_t base(std::int32_t unit) const;
  bool is_made_in_this_run(std::int32_t unit) const;
  void note(plan::CutItem::Kind kind, std::int32_t number, std::vector<std::int32_t> units = {});
  double read_s(std::int32_t unit);
  double most_between() const;
  double most_within(std::span<const std::int32_t> ran);

  std::vector<Unit> units_;
  std::vector<Collective> collectives_;
  std::vector<std::int32_t> needs_, first_need_;
  std::vector<std::pair<std::int32_t, std::int32_t>> departing_;  ///< unit and departure
  struct Read {
    std::int32_t memory = 0;
    double seconds = 0;
  };
  std::vector<Read> reads_;      ///< by unit
  std::int32_t num_memory_ = 0;  ///< that is read
  std::int32_t num_departures_ = 0, late_arrival_ = 0;
  std::vector<std::int32_t>
      first_readers_;        ///< per unit: heavy ones, however light ones are between
  std::vector<bool> feeds_;  ///< something heavy, a collective or a departure is made of it
  // By prepare():
  bool is_prepared_ = false;
  std::vector<std::int32_t> users_, first_user_, missing_at_first_;
  std::vector<std::pair<std::int32_t, std::int32_t>> arriving_;  ///< arrival and unit, sorted
  std::vector<bool> departs_;                                    ///< per unit
  // While it is played:
  /// Per memory the launch and run that read it last.
  std::vector<std::pair<std::int32_t, std::int32_t>> last_read_;
  std::vector<std::int32_t> missing_, departure_missing_, launched_in_, ran_in_, read_in_;
  std::vector<bool> is_done_, has_left_;
  std::set<std::int32_t> ready_;             ///< collectives
  std::vector<std::int32_t> worth_, light_;  ///< that nothing blocks and have not been looked at
  std::vector<std::int32_t> stack_;          ///< to be looked at now
  std::vector<Message> under_way_, draining_;
  std::vector<Drain> drains_;
  SharedLinks links_;
  std::size_t next_arriving_ = 0;  ///< the first of arriving_ that is still to come
  std::int32_t run_ = 0;
  std::int32_t event_ = 0;                 ///< runs, starts and waits
  std::vector<std::int32_t> made_, used_;  ///< per unit: by which event, by which last
  /// By event, what runs in it; per unit, how many are still to read it.
  std::vector<std::int32_t> first_made_, by_run_, num_readers_;
  bool is_sure_ = false;  ///< of what is sure alone
  double now_s_ = 0, host_s_ = 0, arrival_s_ = 0;
  double issued_s_ = 0;  ///< when the last kernel was
  Costs costs_;
  const Price* price_ = nullptr;
  std::vector<Item>* items_ = nullptr;
  Result result_;
};

}  // namespace rhino::evaluate
