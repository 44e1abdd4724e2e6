// SPDX-License-Identifier: Apache-2.0
#include "evaluate/pass_price.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "rhino/index.hpp"

namespace rhino::evaluate {

constexpr double kMostEarlyBuckets = 32;  // as plan/reductions.cpp has it
PassPricer::PassPricer(Tables& tables, const Frame& frame, const Cuts& cuts,
                       const GradientSums& sums, bool blocks, OtherFrame without_attention)
    : tables_(tables),
      frame_(frame),
      cuts_(cuts),
      graph_(tables.graph()),
      forms_(tables, frame, cuts, sums),
      least_bucket_bytes_(static_cast<double>(sums.bucket_bytes)),
      without_attention_(std::move(without_attention)),
      nodes_(at(tables.graph().size())) {
  cut_.make_blocking(blocks);
}

PassPricer::Price PassPricer::price(const PassOps& pass) {
  walk(pass);
  units_.hold_back(gathers_, results_, least_bucket_bytes_);
  walk_back();
  return {expected(), bound()};
}

void PassPricer::walk(const PassOps& pass) {
  pass_ = &pass;
  ++stamp_;
  kind_ = cuts_.kind_of_chunk[at(pass.chunk)];
  model_ = tables_.model_of(kind_);
  has_several_meshes_ = std::ranges::any_of(
      cuts_.mesh_of_chunk, [&](std::int32_t mesh) { return mesh != cuts_.mesh_of_chunk.front(); });
  least_share_ = has_several_meshes_ ? tables_.least_share(kind_) : 1;
  loop_latency_s_ = least_share_ * tables_.cost().loop_latency_s(model_);
  others_.clear();
  buckets_.clear();
  busy_s_.clear();
  gathers_.clear(), results_.clear(), early_.clear(), outside_reads_.clear();
  units_.clear(pass.num_departures);
  units_.begin_before(pass.num_arrivals);
  cut_.make_late(pass.main_arrival);
  heavy_ = latest_ = {};
  heavy_unit_ = -1;
  heavy_waits_ = heavy_may_wait_ = false;
  copies_s_ = copied_bytes_ = adding_s_ = 0;
  departed_.assign(at(pass.num_departures), {});
  const double sum_bytes = forms_.early_sum_bytes(pass);
  reduces_early_ = sum_bytes > least_bucket_bytes_;
  early_sums_.clear(tables_, kind_, std::max(least_bucket_bytes_, sum_bytes / kMostEarlyBuckets));
  may_be_nearer_ = false;
  last_early_ = -1;
  num_copies_ = output_bytes_ = sure_sums_s_ = 0;
  split_nests_.clear(), adding_launches_.clear();
  find_attentions();
  run_programs();
  early_sums_.close();
  split_launches();
}

/// One after the other; what others wait for of an update leaves the first.
void PassPricer::run_programs() {
  std::size_t first = 0;
  for (std::size_t program = 0; program <= pass_->further.size(); ++program) {
    const bool is_last = program == pass_->further.size();
    const std::size_t end = is_last ? pass_->ops.size() : pass_->further[program];
    if (program > 0) units_.begin_program();
    for (; first < end; ++first) run(pass_->ops[first]);
    if (program == 0 && pass_->phase == sharding::ChunkPhase::update) send_sums();
  }
}

/// Sums that updates of other chunks read, on whatever mesh: whole, once, by the chunk that makes
/// them.
void PassPricer::send_sums() {
  for (const ValueId id : frame_.sums) {
    if (frame_.chunk_of[at(id)] == pass_->chunk && forms_.is_read_elsewhere(id))
      depart(id, fetch(id, forms_.handed_on(id), id));
  }
}

/// A loop that reads what is cut out here runs behind the kernel that does so, which others of its
/// launch ran in front of.
void PassPricer::split_launches() {
  if (split_nests_.empty()) return;
  for (const ValueId id : pass_->ops) {
    const LoopTraffic& traffic = traffic_of(id);
    if (traffic.launch >= 0 && split_nests_.contains(traffic.nest))
      units_.unit(nodes_[at(id)].made.unit).launch = traffic.nest;
  }
}

double PassPricer::stream_s(double bytes) const {
  return bytes == 0 ? 0 : tables_.loop_stream_s(bytes, kind_);
}
double PassPricer::least_stream_s(double bytes) const {
  if (bytes == 0) return 0;
  return least_share_ * tables_.least_loop_stream_s(bytes, kind_);
}

/// Of a value that the pass has not asked for so far.
void PassPricer::begin(ValueId id, PassValue& node) const {
  node = {.stamp = stamp_, .made = {.form = forms_.held(*pass_, id)}};
  node.made.arrival = pass_->arrival_of(id);
  node.made.waits = node.made.arrival >= 0;
  const std::int32_t chunk = frame_.chunk_of[at(id)];
  node.made.may_wait =
      node.made.waits || (chunk >= 0 && forms_.mesh_of(chunk) != forms_.mesh_of(pass_->chunk));
  const std::int32_t home = frame_.made_in[at(id)];
  node.made.lasts = home < 0 ? !frame_.is_per_micro_batch[at(id)]
                             : frame_.passes[at(home)].phase == sharding::ChunkPhase::prologue;
  if (node.made.waits && node.made.arrival == pass_->main_arrival)
    node.made.there.from_arrival_s = 0;
}

void PassPricer::run(ValueId id) {
  const OpPrice& op = *cuts_.ops[at(id)];
  const PassOp& own = pass_->facts_of(id);
  HeldForm made{.form = op.result, .lasts = !own.is_heavy};
  const OpWork work = is_inside(id) ? OpWork::none : own.work;
  if (own.is_anew) {
    made.there = heavy_;
    made.waits = heavy_waits_;
    made.may_wait = heavy_may_wait_;
  }
  wait_for_reads(id, work, made);
  const SureTime sure = sure_of(id, op);
  if (work == OpWork::loop && own.is_accumulated && pass_->repeats())
    sure_sums_s_ += least_stream_s(tables_.tile_bytes(forms_.summed(id)));
  if (work == OpWork::kernel) made.there.close();
  made.there.take(sure.chained_s());
  latest_.wait_for(made.there);
  const FormId out = own.leaves ? form_out(id, op.result) : op.result;
  add_unit(id, work, sure, out, made);
  if (own.departing != 0) depart(id, made);
  if (work == OpWork::kernel && !own.is_anew && own.is_heavy) {
    heavy_ = made.there;
    heavy_unit_ = made.unit;
    heavy_waits_ = made.waits;
    heavy_may_wait_ = made.may_wait;
  }
  const bool is_written = work == OpWork::loop && traffic_of(id).surely_writes;
  nodes_[at(id)] = {.stamp = stamp_,
                    .made = made,
                    .sure = sure,
                    .is_written = is_written,
                    .leads = own.departing};
  if (own.leaves) hand_out(id, out);
}

void PassPricer::wait_for_reads(ValueId id, OpWork work, HeldForm& made) {
  const std::vector<FormId>& forms = cuts_.ops[at(id)]->needs;
  needs_.clear();
  arrival_ = shown_ = -1;
  for (const PassRead& operand : pass_->reads_of(pass_->facts_of(id))) {
    const bool is_copied = operand.operand < 0;
    const HeldForm& read =
        fetch(operand.value, is_copied ? whole(operand.value) : forms[at(operand.operand)], id);
    Earliest there = read.there;
    // Behind a kernel, a collective or memory comes another loop than those before it.
    if (work == OpWork::loop && !is_copied) {
      if (!there.loops.is_open) there.take(loop_latency_s_);
      there.loops.launch();
      if (there.from_arrival_s >= 0) there.loops_after.launch();
    }
    if (read.is_sliced) split_nests_.insert(traffic_of(id).nest);
    made.level = std::max(made.level, read.level);
    made.there.wait_for(there);
    made.lasts &= read.lasts;
    made.waits |= read.waits;
    made.may_wait |= read.may_wait;
    if (!is_copied) shown_ = read.unit;
    needs_.push_back(read.unit);
    if (read.unit < 0) arrival_ = std::max(arrival_, read.arrival);
  }
}

/// As copies of a value are made of it.
FormId PassPricer::whole(ValueId id) { return tables_.resolved(node(id).made.form); }

/// `out`: as form_out() has it.
void PassPricer::add_unit(ValueId id, OpWork work, const SureTime& sure, FormId out,
                          HeldForm& made) {
  const PassOp& own = pass_->facts_of(id);
  const LoopTraffic& traffic = traffic_of(id);
  const bool is_inside = this->is_inside(id);
  Spent spent = this->spent(id, *cuts_.ops[at(id)]);
  spent.seconds += std::exchange(copies_s_, 0);
  // A view may be copied in a loop of its own.
  const bool is_loop = traffic.launch >= 0;
  if (!is_loop)
    spent.seconds +=
        std::max(std::exchange(spent.arithmetic_s, 0), std::exchange(spent.stream_s, 0));
  const double tile_s = tables_.tile_stream_s(made.form, kind_);
  const bool writes = is_loop && traffic.writes, is_shown = !is_inside && !writes;
  const bool is_memory = (work != OpWork::none || writes) && !own.leaves;
  made.unit = units_.add({.seconds = spent.seconds,
                          .sure_s = sure.chained_s(),
                          .num_kernels = kernels_of(id),
                          .launch = traffic.launch,
                          .is_worth = is_worth(id, out),
                          .is_heavy = !is_inside && own.is_heavy,
                          .leaves = own.leaves && out == made.form,
                          .arrival = arrival_,
                          .write_s = is_shown ? tile_s : 0,
                          .read_s = is_inside ? 0 : tile_s,
                          .arithmetic_s = spent.arithmetic_s,
                          .stream_s = spent.stream_s,
                          .bytes = is_memory ? tables_.memory_bytes(made.form) : 0,
                          .copied_bytes = std::exchange(copied_bytes_, 0),
                          .shows = work == OpWork::none && is_shown ? shown_ : -1,
                          .not_before = own.is_anew ? heavy_unit_ : -1},
                         needs_);
  for (const PassRead& read : pass_->reads_of(own)) {
    if (nodes_[at(read.value)].made.unit < 0) outside_reads_.emplace_back(read.value, made.unit);
  }
  for (const ValueId read : traffic.inputs)
    units_.read(made.unit, read, tables_.tile_stream_s(cuts_.forms[at(read)], kind_));
}

void PassPricer::depart(ValueId id, const HeldForm& value) {
  const auto found = pass_->departing.find(id);
  if (found == pass_->departing.end()) return;
  for (std::size_t d = 0; d < departed_.size(); ++d) {
    if ((found->second >> d & 1) == 0) continue;
    departed_[d].wait_for(value.there);
    units_.depart(d, value.unit);
  }
}

/// Of what this pass makes, and leaves it: what leaves partial is made whole here, and what all
/// passes behind read in one other way is moved. A new state is as the old one was.
FormId PassPricer::form_out(ValueId id, FormId made) const {
  if (frame_.is_accumulated[at(id)] && pass_->repeats()) return forms_.summed(id);
  if (const ValueId old = frame_.renews[at(id)]; old != kNoValue) return cuts_.forms[at(old)];
  return tables_.facts(made).is_partial ? forms_.held(*pass_, id) : forms_.kept(id);
}

void PassPricer::hand_out(ValueId id, FormId out) {
  const HeldForm& made = nodes_[at(id)].made;
  if (!pass_->repeats() && frame_.is_output[at(id)])
    output_bytes_ += tables_.memory_bytes(tables_.resolved(made.form));
  if (out == made.form) {
    leave(id, made.unit);
    return;
  }
  const HeldForm handed = fetch(id, out, id);
  leave(id, handed.unit);
  latest_.wait_for(handed.there);
  depart(id, handed);
  if (adds_scattered(id)) add_scattered(handed);
}

/// Micro-batches add what collectives have scattered to what others have left, but for the first.
void PassPricer::add_scattered(const HeldForm& scattered) {
  const double count = tables_.facts(scattered.form).count;
  if (count < 2) return;
  const double bytes = 3 * tables_.tile_bytes(scattered.form) * (count - 1) / count;
  units_.add({.seconds = stream_s(bytes), .launch = kSumLaunch, .is_worth = true, .leaves = true},
             std::span(&scattered.unit, 1));
}

/// Backwards: what feeds collectives and departures.
void PassPricer::walk_back() {
  for (const auto& [id, unit] : early_)
    node(id).is_early |= std::as_const(units_).unit(unit).drain < 0;
  for (std::size_t i = pass_->ops.size(); i-- > 0;) {
    const PassValue& node = nodes_[at(pass_->ops[i])];
    for (const PassRead& operand : pass_->reads_of(pass_->facts[i])) {
      PassValue& read = nodes_[at(operand.value)];
      read.holds |= node.holds && read.made.level == node.made.level;
      read.leads |= node.leads;
      read.is_early |= node.is_early;
    }
  }
}

}  // namespace rhino::evaluate
