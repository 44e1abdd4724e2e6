// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "evaluate/cut_walk.hpp"
#include "evaluate/early_sums.hpp"
#include "evaluate/frame.hpp"
#include "evaluate/pass_values.hpp"
#include "evaluate/value_forms.hpp"

namespace rhino::evaluate {

/// Of so many micro-batches plans lay passes out one by one: the first, and one that adds to its
/// sums.
constexpr std::int64_t kMostOnce = 2;

/// What one pass takes.
struct PassTime {
  PassSpan span;
  double work_s = 0;  ///< of a bound: of kernels and memory, with no message to wait for
  /// Reductions of sums over micro-batches, which an update waits for: they begin in the last pass
  /// that adds to them (plan/reductions.hpp).
  double early_s = 0;
  double last_early_s = 0;                   ///< of one bucket of them
  double after_early_s = 0;                  ///< of an update, behind the last of them: links, too
  std::array<double, 2> early_links_s = {};  ///< of them; as of LinkUse
  /// Between what runs in one go, within that, and of it what one launch makes.
  double temporary_bytes = 0, workspace_bytes = 0, launch_bytes = 0;
  double output_bytes = 0;  ///< of what is made for the end of the step
  /// Of a pass that runs once: what ends in it makes room for what it leaves; CutWalk::Memory.
  double freed_bytes = 0, freed_again_bytes = 0;
  /// Of the mesh: no arrival is of use before all devices along these have theirs; of what is
  /// expected of an update, it does not end before.
  std::uint32_t together = 0;
};

/// Prices passes of a frame. Communication inside of a mesh falls into levels: what waits for n
/// collectives one after the other. As plans do (plan/cut.hpp), what a collective needs runs first,
/// those of a level that are alike go in messages of some megabytes, and while they are under way
/// kernels and results run that do not wait for them.
class PassPricer {
 public:
  using OtherFrame = std::function<std::shared_ptr<const Frame>()>;
  /// All borrowed. `blocks`: CutWalk::make_blocking(). `without_attention`: the same frame where no
  /// attention is one kernel.
  PassPricer(Tables& tables, const Frame& frame, const Cuts& cuts, const GradientSums& sums,
             bool blocks, OtherFrame without_attention);
  PassPricer(const PassPricer&) = delete;

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
  const ValueForms& forms() const { return forms_; }

 private:
  /// Of an op; of a loop what its launch computes, and writes.
  struct Spent {
    double seconds = 0, arithmetic_s = 0, stream_s = 0;
  };
  void walk(const PassOps& pass);
  void run_programs();
  void send_sums();
  void split_launches();
  PassValue& node(ValueId id) {
    PassValue& node = nodes_[static_cast<std::size_t>(id)];
    if (node.stamp != stamp_) begin(id, node);
    return node;
  }
  void begin(ValueId id, PassValue& node) const;
  /// Valid until the next call.
  const HeldForm& fetch(ValueId id, FormId need, ValueId reader);
  const HeldForm* known(ValueId id, FormId need);
  Move move(ValueId id, FormId need, ValueId reader);
  HeldForm held_behind(const Move& move);
  CutUnits::Unit unit_before(const Move& move);
  bool is_sum(const Move& move, const Collective& collective) const;
  bool is_reduced_in_place(const Move& move) const;
  bool is_early_sum(const Move& move, const Collective& collective) const;
  void reduce_early(const Move& move, const Collective& sum, HeldForm& made);
  void send(const Move& move, const Collective& collective, CutUnits::Unit& unit, HeldForm& made);
  void take_sure(const Move& move, const Collective& collective, HeldForm& made);
  void write_sent(const Move& move);
  void collect(const Collective& collective, const HeldForm& ready, bool is_read, ValueId reader);
  bool is_read_here(ValueId id) const;
  void run(ValueId id);
  void wait_for_reads(ValueId id, OpWork work, HeldForm& made);
  FormId whole(ValueId id);
  void add_unit(ValueId id, OpWork work, const SureTime& sure, FormId out, HeldForm& made);
  Spent loop(ValueId id, double more_bytes) const;
  double written_s(ValueId id, double more_bytes) const;
  bool is_worth(ValueId id, FormId out) const;
  /// An earlier pass has made it, too.
  bool is_anew(ValueId id) const {
    const std::int32_t home = frame_.made_in[static_cast<std::size_t>(id)];
    return home >= 0 && &frame_.passes[static_cast<std::size_t>(home)] != pass_;
  }
  double sure_copied_bytes(const PassRead& read, FormId need);
  double sure_read_bytes(ValueId id, const PassRead& read, FormId need);
  bool shows(ValueId view, ValueId base);
  double stream_s(double bytes) const;
  double least_stream_s(double bytes) const;
  double kernels_of(ValueId id);
  Spent spent(ValueId id, const OpPrice& op);
  double copied_s(ValueId id, const Reshard& price, ValueId reader);
  bool is_gathered(ValueId id, const Reshard& price) const;
  bool adds_scattered(ValueId id) const;
  void add_scattered(const HeldForm& scattered);
  void depart(ValueId id, const HeldForm& value);
  FormId form_out(ValueId id, FormId made) const;
  /// What a kernel of attention comes to, as the pass is cut.
  struct AttentionPrice {
    bool is_whole = false;     ///< nothing is resharded inside: it is one kernel
    ValueId apart = kNoValue;  ///< but for PassAttention::apart: then it is PassAttention::parts
    struct Result {
      double seconds = 0, sure_s = 0;  ///< of its kernel, at the first one of that; for sure
    };
    std::vector<Result> results = {};
  };
  void find_attentions();
  /// Of an attention that is not one kernel, as of any other ops.
  const LoopTraffic& traffic_of(ValueId id) const {
    return apart_ == nullptr ? pass_->traffic_of(id) : traffic_apart(id);
  }
  const LoopTraffic& traffic_apart(ValueId id) const;
  AttentionPrice priced(const PassAttention& attention) const;
  void price(const PassAttention& kernel, const std::vector<ValueId>& results,
             AttentionPrice& price) const;
  bool is_whole(const PassAttention& attention, ValueId but_for) const;
  lower::Attention local(const PassAttention& attention) const;
  /// Null: the op is of none that is one kernel.
  const AttentionPrice* attention_of(ValueId id) const {
    if (!pass_->facts_of(id).attends) return nullptr;
    const std::int32_t index = pass_->attention_of[at_place(id)];
    if (index < 0) return nullptr;
    const AttentionPrice& attention = attentions_[static_cast<std::size_t>(index)];
    return attention.is_whole && attention.apart != id ? &attention : nullptr;
  }
  /// It is made inside of kernels alone.
  bool is_inside(ValueId id) const {
    return pass_->facts_of(id).attends && pass_->is_inside[at_place(id)] &&
           (pass_->attention_of[at_place(id)] < 0 || attention_of(id) != nullptr);
  }
  std::size_t at_place(ValueId id) const {
    return static_cast<std::size_t>(pass_->place[static_cast<std::size_t>(id)]);
  }
  /// Of the results of its attention, the how manieth it is.
  std::size_t result_number(ValueId id) const;
  void hand_out(ValueId id, FormId out);
  bool runs_once() const;
  void leave(ValueId id, std::int32_t unit);
  double left_bytes(ValueId id) const;
  bool stays(ValueId id) const;
  std::vector<CutWalk::Ending> endings() const;
  void walk_back();
  PassTime expected();
  void add_one_by_one(const CutWalk::Result& played, PassSpan& span);
  SureTime sure_of(ValueId id, const OpPrice& op);
  Epoch epoch(const PassValue& node) const;
  void add_between_epochs();
  void add_between_epochs(ValueId id);
  /// Devices of a mesh that wait for others get their parts at times of their own, and keep apart.
  Tables::Bound least_of(const Collective& collective) {
    return tables_.bound(collective, kind_, !has_several_meshes_);
  }
  double windows_s();
  PassTime bound();
  bool is_order_sure() const { return !may_be_nearer_ && pass_->repeats(); }
  void play_sure(PassTime& time);
  std::uint32_t axes_together() const;
  std::uint32_t axes_behind_arrivals() const;

  Tables& tables_;
  const Frame& frame_;
  const Cuts& cuts_;
  const sharding::OpGraph& graph_;
  const ValueForms forms_;
  const double least_bucket_bytes_;
  const OtherFrame without_attention_;
  const PassOps* pass_ = nullptr;
  /// The same, where some attention of it is not one kernel; all of them.
  std::shared_ptr<const Frame> apart_frame_;
  const PassOps* apart_ = nullptr;
  bool is_all_apart_ = false;
  std::int32_t stamp_ = 0, kind_ = 0, model_ = 0;
  /// Of what memory and launches take, all that bounds count: from mesh to mesh a micro-batch may
  /// meet the quickest device of each.
  double least_share_ = 1;
  double loop_latency_s_ = 0;  ///< on such devices
  bool has_several_meshes_ = false;
  std::vector<PassValue> nodes_;
  std::vector<AttentionPrice> attentions_;  ///< of the pass
  std::vector<HeldForm> others_;
  std::vector<ReadyTogether> buckets_;
  std::vector<CutUnits::HeldBack> gathers_, results_;
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
  EarlySums early_sums_;
  std::int32_t last_early_ = -1;            ///< the arrival of the last of them
  std::set<std::int32_t> split_nests_;      ///< LoopTraffic::nest
  std::set<std::int32_t> adding_launches_;  ///< that leave adding to sums to a loop behind them
  double num_copies_ = 0;  ///< loops that belong to the op or reshard that is added next
  CutUnits units_;
  CutWalk cut_{units_};
  std::int32_t heavy_unit_ = -1;
  bool heavy_waits_ = false, heavy_may_wait_ = false;
  double copies_s_ = 0;              ///< for the op that is about to run
  double copied_bytes_ = 0;          ///< likewise
  double adding_s_ = 0;              ///< of all of them, to add to sums
  std::vector<std::int32_t> needs_;  ///< of the op that runs
  std::int32_t arrival_ = -1;        ///< that it waits for
  std::int32_t shown_ = -1;          ///< the unit of its last operand
  std::vector<std::pair<ValueId, std::int32_t>> outside_reads_;  ///< by units, as they were before
};

}  // namespace rhino::evaluate
