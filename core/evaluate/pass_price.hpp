// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "evaluate/cut_walk.hpp"
#include "evaluate/frame.hpp"

namespace rhino::evaluate {

/// How every value of a strategy is cut, by the tables.
struct Cuts {
  std::vector<std::int32_t> kind_of_chunk;  ///< of meshes
  std::vector<std::int32_t> mesh_of_chunk;  ///< equal for chunks on one mesh
  std::vector<FormId> forms;                ///< per value; as its op yields it
  std::vector<const OpPrice*> ops;          ///< per value; null: an input, or copied to its users
};

/// What one pass takes.
struct PassTime {
  PassSpan span;
  /// Reductions of sums over micro-batches, which an update waits for: they begin in the last pass
  /// that adds to them (plan/reductions.hpp).
  double early_s = 0;
  double last_early_s = 0;                   ///< of one bucket of them
  double after_early_s = 0;                  ///< of an update, behind the last of them
  std::array<double, 2> early_links_s = {};  ///< of them; as of LinkUse
  /// Between what runs in one go, and within that.
  double temporary_bytes = 0, workspace_bytes = 0;
  double output_bytes = 0;  ///< of what is made for the end of the step
  /// Of the mesh: no arrival is of use before all devices along these have theirs.
  std::uint32_t together = 0;
};

/// Prices passes of a frame. Communication inside of a mesh falls into levels: what waits for n
/// collectives one after the other. As plans do (plan/cut.hpp), what a collective needs runs first,
/// those of a level that are alike go in messages of some megabytes, and while they are under way
/// kernels and results run that do not wait for them.
class PassPricer {
 public:
  /// All borrowed.
  PassPricer(Tables& tables, const Frame& frame, const Cuts& cuts, const GradientSums& sums);

  /// What the simulation is expected to find, and what it cannot be below of.
  struct Price {
    PassTime expected, bound;
  };
  Price price(const PassOps& pass);
  /// Part of how plans cut a pass: ops that run in one go, a message, or its number alone where it
  /// is waited for, a departure, an arrival.
  struct Item {
    plan::CutItem::Kind kind = plan::CutItem::Kind::run;
    std::int32_t number = 0;        ///< of the message, departure or arrival
    std::vector<ValueId> ops = {};  ///< increasing
    Collective message = {};
  };
  /// All of them, in order, as far as they are sure; none where reshards may be spared.
  std::vector<Item> items(const PassOps& pass);
  /// The form in which a pass gets a value that it does not make.
  FormId held(const PassOps& pass, ValueId id) const;
  /// The form, without partial sums, in which a value leaves the passes that make it.
  FormId handed_on(ValueId id) const;
  /// The form in which micro-batches are summed up.
  FormId summed(ValueId id) const;

 private:
  /// When something is there at the earliest: from the begin of the pass, and from when its main
  /// crossing has arrived; -1: it does not wait for that.
  struct Earliest {
    double from_begin_s = 0, from_arrival_s = -1;
    std::uint32_t axes = 0;  ///< of collectives behind the arrival
    /// Loops that are launched one after another, and whether the last may be joined by its reader.
    struct Loops {
      std::int32_t num = 0;
      bool is_open = false;
      void wait_for(const Loops& other);
      void launch() { num += !std::exchange(is_open, true); }
    };
    Loops loops, loops_after;  ///< in all; behind the arrival
    void close() { loops.is_open = loops_after.is_open = false; }
    void wait_for(const Earliest& other);
    void take(double seconds);
  };
  /// A form in which the pass has a value.
  struct Held {
    FormId form = -1;
    std::int32_t level = 0;
    Earliest there;
    std::int32_t arrival = -1;  ///< CutWalk::Unit
    bool lasts = false;         ///< light ops alone make it of what is there all the step
    bool is_sliced = false;     ///< by a kernel in front of who reads it
    bool is_fresh = false;      ///< a collective has made it, and nothing has read it so far
    double apart_bytes = 0;     ///< of it, in parts that a dot does not read as they lie
    bool waits = false;         ///< for an arrival, or a collective
    bool may_wait = false;      ///< the same, or for what other meshes make before all passes
    std::int32_t unit = -1;     ///< of the walk; -1: it comes from outside
    std::int32_t next = -1;     ///< further form of the same value, in others_
  };
  /// What one stream of kernels takes, one after the other, however loops are fused.
  struct Sure {
    double kernels_s = 0, stream_s = 0, arithmetic_s = 0;
    double seconds() const { return kernels_s + std::max(stream_s, arithmetic_s); }
    double chained_s() const { return kernels_s + stream_s; }
    void add(const Sure& other);
  };
  /// When ops run, bits: before all that a device waits for in the pass, or behind some of it.
  enum Epoch : std::uint8_t { kUnknown = 0, kEarly = 1, kLate = 2 };
  struct Node {
    std::int32_t stamp = 0;  ///< of the pass that it is about
    Held made;
    Sure sure;
    std::uint8_t read_in = 0;    ///< Epochs in which some loop surely reads it
    ValueId read_by = kNoValue;  ///< the loop op that reads it surely
    bool is_early = false;
    bool is_written = false;  ///< surely
    bool holds = false;       ///< likewise, one whose result is read here
    std::uint32_t leads = 0;  ///< departures that need it, a bit each
  };
  /// Collectives that are alike and ready together.
  struct Bucket {
    std::int32_t level = 0;
    Collective sum;
    bool is_read = false;  ///< here: what reads it has to wait
    std::vector<ValueId> readers = {};
  };

  void walk(const PassOps& pass);
  void send_sums();
  bool is_read_elsewhere(ValueId sum) const;
  void split_launches();
  Node& node(ValueId id);
  Held fetch(ValueId id, FormId need, ValueId reader);
  void collect(const Collective& collective, const Held& ready, bool is_read, ValueId reader);
  bool is_read_here(ValueId id) const;
  void run(ValueId id);
  double loop_s(ValueId id, double more_bytes) const;
  double written_s(ValueId id, double more_bytes) const;
  bool is_worth(ValueId id) const;
  /// An earlier pass has made it, too.
  bool is_anew(ValueId id) const {
    const std::int32_t home = frame_.made_in[static_cast<std::size_t>(id)];
    return home >= 0 && &frame_.passes[static_cast<std::size_t>(home)] != pass_;
  }
  double sure_copied_bytes(ValueId id, std::size_t operand, const OpPrice& op);
  double sure_read_bytes(ValueId id, std::size_t operand, const OpPrice& op);
  bool shows(ValueId view, ValueId base);
  double stream_s(double bytes) const;
  bool has_early_sums(const PassOps& pass);
  void add_early(const Collective& sum);
  void start_early(const Collective& bucket);
  bool is_reduced_late(ValueId id) const;
  bool has_others(std::int32_t chunk) const;
  std::int32_t mesh_of(std::int32_t chunk) const {
    return cuts_.mesh_of_chunk[static_cast<std::size_t>(chunk)];
  }
  double kernels_of(ValueId id);
  double seconds(ValueId id, const OpPrice& op);
  double copied_s(ValueId id, const Reshard& price, ValueId reader);
  bool is_gathered(ValueId id, const Reshard& price) const;
  bool adds_scattered(ValueId id) const;
  void add_scattered(const Held& scattered);
  void depart(ValueId id, const Held& value);
  bool leaves(ValueId id) const {
    const bool is_backward = pass_->phase == sharding::ChunkPhase::backward;
    return is_anew(id) ? is_backward && frame_.leaves_anew[static_cast<std::size_t>(id)]
                       : frame_.leaves[static_cast<std::size_t>(id)];
  }
  FormId form_out(ValueId id, FormId made) const;
  void hand_out(ValueId id);
  void walk_back();
  PassTime expected();
  Sure sure_of(ValueId id, const OpPrice& op);
  Epoch epoch(const Node& node) const;
  void add_between_epochs();
  void add_between_epochs(ValueId id);
  double windows_s();
  PassTime bound();
  bool is_order_sure() const { return !may_be_nearer_ && pass_->repeats(); }
  void play_sure(PassTime& time);
  std::uint32_t axes_together() const;
  FormId first_need(std::int32_t chunk, ValueId id) const;
  FormId kept(ValueId id) const;

  Tables& tables_;
  const Frame& frame_;
  const Cuts& cuts_;
  const sharding::OpGraph& graph_;
  const GradientSums& sums_;
  const double least_bucket_bytes_;
  const PassOps* pass_ = nullptr;
  std::int32_t stamp_ = 0, kind_ = 0, model_ = 0;
  std::vector<Node> nodes_;
  std::vector<Held> others_;
  std::vector<Bucket> buckets_;
  std::vector<CutWalk::HeldBack> gathers_, results_;
  /// Values that nothing has to be waited for, and units of their collectives.
  std::vector<std::pair<ValueId, std::int32_t>> early_;
  std::map<std::uint32_t, double> busy_s_;  ///< of the links of collectives over the same axes
  Earliest heavy_;                          ///< the last kernel that is not made anew
  Earliest latest_;
  std::vector<Earliest> departed_;  ///< per departure, when all of it is made
  double output_bytes_ = 0;
  double sure_sums_s_ = 0;  ///< of what loops add to, to read it; not for the first micro-batch
  bool reduces_early_ = false;
  bool may_be_nearer_ = false;  ///< some reshard might be spared: then levels are not sure
  std::array<double, 2> early_links_s_ = {};
  double early_s_ = 0, early_busy_s_ = 0, early_bytes_ = 0;
  double early_bucket_bytes_ = 0;
  std::vector<Collective> early_buckets_;  ///< that are not full, one of each kind
  std::int32_t num_early_ = 0;
  std::int32_t last_early_ = -1;            ///< the arrival of the last of them
  std::set<std::int32_t> split_nests_;      ///< LoopTraffic::nest
  std::set<std::int32_t> adding_launches_;  ///< that leave adding to sums to a loop behind them
  double num_copies_ = 0;  ///< loops that belong to the op or reshard that is added next
  CutWalk cut_;
  std::int32_t heavy_unit_ = -1;
  bool heavy_waits_ = false, heavy_may_wait_ = false;
  double copies_s_ = 0;  ///< for the op that is about to run
  std::vector<std::int32_t> needs_;
};

}  // namespace rhino::evaluate
