// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "evaluate/cut_units.hpp"
#include "evaluate/shared_links.hpp"
#include "plan/cut.hpp"

namespace rhino::evaluate {

/// Plays one pass of one device through as plans order it (plan/cut.hpp): what a collective or
/// departure needs runs first, it starts at once, heavy ops and results that wait for nothing run
/// meanwhile, and it is waited for only when nothing of that kind is left, in the order in which
/// they began; arrivals after that. What is held back goes in buckets. The order is found once, for
/// all runs: no times change it.
class CutWalk {
 public:
  /// Borrowed.
  explicit CutWalk(CutUnits& pass) : units_(pass), pass_(pass) {}

  struct Result {
    double end_s = 0;
    std::vector<double> departs_s;
    double num_launches = 0, num_messages = 0;
    double issued_s = 0;                 ///< in which the host issues all of it
    std::array<double, 2> busy_s = {};   ///< of links, as of LinkUse: of all messages
    double waited_s = 0;                 ///< for messages
    double heavy_before_s = 0;           ///< of heavy units that run before all has departed
    std::vector<double> arrives_s = {};  ///< per arrival, when it is waited for
    /// Per departure the arrivals before it, which are waited for in order.
    std::vector<std::int32_t> num_before = {};
  };
  /// Units that run in one go, start as one message or are waited for, a departure, or an arrival.
  struct Item {
    plan::CutItem::Kind kind = plan::CutItem::Kind::run;
    std::int32_t number = 0;  ///< of the message, departure or arrival
    std::vector<std::int32_t> units = {};
  };
  /// What one pass comes to as plans cut it, in order; of the last run() or run_sure() while
  /// `items` is there. Null: nobody asks.
  void record(std::vector<Item>* items) {
    items_ = items;
    played_ = -1;
  }
  /// Whether collectives of activations are waited for where they start (plan::CutProblem).
  void make_blocking(bool blocks) {
    blocks_ = blocks;
    played_ = -1;
  }
  using Price = std::function<LinkUse(const Collective&)>;
  /// Of a launch, and of each kernel and message that the host issues.
  struct Costs {
    double latency_s = 0, issue_s = 0;
    double kernels_per_launch = 1;
    const Software* software = nullptr;  ///< that issues messages; null: as it does kernels

    double message_s(OpKind kind) const { return software ? software->issue_s(kind) : issue_s; }
  };
  /// One arrival comes at `arrival_s`, all others are there. The host begins with the device, runs
  /// ahead of it where it can, and waits for arrivals.
  Result run(double arrival_s, const Costs& costs, const Price& seconds);
  /// Links inside hosts and between them.
  using Links = std::array<bool, 2>;
  /// Which arrival run() tells the time of; at first 0. Until then it keeps links busy.
  void make_late(std::int32_t arrival, Links links = {}) {
    late_arrival_ = arrival;
    late_links_ = links;
  }
  /// The same where units take what is sure, and nothing is launched or issued.
  Result run_sure(double arrival_s, const Price& seconds);

  /// The most bytes that results take at a time: those that outlive what runs in one go, those
  /// within that, and those that one launch makes of it. `freed`: by how much less than all of it
  /// what ends here, what the pass leaves, and the most that it has between that take together;
  /// `freed_again`: the same of a later micro-batch, which adds to sums that are there.
  struct Memory {
    double between = 0, within = 0, at_once = 0, freed = 0, freed_again = 0;
  };
  /// What is there at the beginning, and gone when these units have run.
  struct Ending {
    double bytes = 0;
    std::vector<std::int32_t> units;
  };
  /// As it was played last; without `freed` and `freed_again`, and with.
  Memory memory();
  Memory memory(std::span<const Ending> endings);

 private:
  struct Message {
    std::vector<std::int32_t> units;
    std::int32_t number = -1;
    bool has_ended = false;  ///< where it started
  };
  /// Something that takes time, in order.
  struct Step {
    enum class Kind : std::uint8_t { unit, launch, more, end, start, wait, depart, arrive };
    Kind kind = Kind::unit;
    std::int32_t number = 0;  ///< of the message, departure or arrival
    bool is_heavy = false;    ///< of a unit
    double seconds = 0;       ///< of a unit; by which a launch takes longer
    double sure_s = 0;
    double num_kernels = 0;
  };
  /// Results that are alike, of CutUnits::Drain.
  struct Draining {
    std::size_t num_left = 0;
    std::set<std::int32_t> ready;
  };
  /// What a launch computes, and reads and writes, in a run.
  struct Launched {
    std::int32_t run = 0;
    double arithmetic_s = 0, stream_s = 0;
    /// How much longer it takes with that.
    double add(double more_arithmetic_s, double more_stream_s);
  };
  void play();
  Result timed(double arrival_s, const Costs& costs, const Price& price, bool is_sure);
  bool is_held_up(const LinkUse& use) const;
  void begin();
  void complete_departures(std::int32_t unit);
  void release(std::int32_t unit);
  void note_free(std::int32_t unit);
  bool depart_next();
  bool start_next();
  std::vector<std::int32_t> full_bucket(std::size_t drain) const;
  bool start_results();
  void send(std::vector<std::int32_t> units, std::vector<Message>& list);
  void end(const Message& message);
  void wait_for(const Message& message);
  std::vector<std::int32_t> drain();
  bool run_worth(bool all);
  bool wait_next();
  bool is_idle() const;
  bool begin_program();
  std::int32_t end_of_program() const;
  void arrive();
  void execute(std::span<const std::int32_t> units);
  void view(const CutUnits::Unit& unit);
  void take_more(double seconds);
  void use(std::int32_t unit);
  bool is_made_in_this_run(std::int32_t unit) const;
  void note(plan::CutItem::Kind kind, std::int32_t number, std::vector<std::int32_t> units = {});
  double read_s(std::int32_t unit);
  std::int32_t made_in_place(std::int32_t unit) const;
  void note_between(Memory& memory);
  void note_freed(std::span<const Ending> endings, Memory& memory) const;
  std::int32_t end_of(std::int32_t unit) const;
  void find_copied();
  void look_within(std::span<const std::int32_t> ran, Memory& memory);

  CutUnits& units_;
  const CutUnits& pass_;      ///< the same
  std::int64_t played_ = -1;  ///< CutUnits::stamp()
  std::vector<Step> steps_;
  std::vector<Collective> messages_;
  bool blocks_ = false;
  std::int32_t late_arrival_ = 0;
  Links late_links_ = {};
  /// Per memory the launch and run that read it last.
  std::vector<std::pair<std::int32_t, std::int32_t>> last_read_;
  std::vector<std::int32_t> missing_, departure_missing_, ran_in_, read_in_;
  std::vector<Launched> launched_;  ///< per launch, as it ran last
  Flags is_done_, has_left_;
  std::set<std::int32_t> ready_;             ///< collectives
  std::vector<std::int32_t> worth_, light_;  ///< that nothing blocks and have not been looked at
  std::vector<std::int32_t> stack_;          ///< to be looked at now
  std::vector<Message> under_way_, draining_;
  std::vector<Draining> drains_;  ///< as those of the pass
  SharedLinks links_;
  std::size_t next_arriving_ = 0;  ///< the first of arriving_ that is still to come
  std::size_t program_ = 0;        ///< which of the pass; see CutUnits::begin_program()
  std::int32_t num_left_ = 0;      ///< units of it that have not run
  std::int32_t run_ = 0;
  std::int32_t event_ = 0;                 ///< runs, starts and waits
  std::vector<std::int32_t> made_, used_;  ///< per unit: by which event, by which run last
  std::vector<std::int32_t> sent_until_;   ///< likewise: when a message of it was waited for
  std::vector<std::int32_t> ended_;        ///< of a collective: when it was waited for
  /// By event, what runs in it; per unit, how many are still to read it.
  std::vector<std::int32_t> first_made_, by_run_, num_readers_;
  std::vector<std::int32_t> num_sent_;  ///< per unit: by how many collectives
  Flags is_copied_;                     ///< see find_copied()
  std::vector<double> change_;          ///< by event: bytes between the first and the last
  /// What units of a run read of what it makes, in memory, and where that of each unit begins.
  std::vector<std::int32_t> within_, first_within_;
  std::vector<std::int32_t> heads_;           ///< of a run: the first unit of each launch
  std::vector<std::int32_t> next_of_launch_;  ///< per unit, in the same run
  std::vector<std::pair<std::int32_t, std::int32_t>> last_of_launch_;  ///< an event, a unit
  std::vector<Item>* items_ = nullptr;
};

}  // namespace rhino::evaluate
