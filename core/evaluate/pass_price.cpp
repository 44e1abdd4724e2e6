// SPDX-License-Identifier: Apache-2.0
#include "evaluate/pass_price.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "ir/op_traits.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {

constexpr double kMostEarlyBuckets = 32;  // as plan/reductions.cpp has it
PassPricer::PassPricer(Tables& tables, const Frame& frame, const Cuts& cuts,
                       const GradientSums& sums, OtherFrame without_attention)
    : tables_(tables),
      frame_(frame),
      cuts_(cuts),
      graph_(tables.graph()),
      forms_(tables, frame, cuts, sums),
      least_bucket_bytes_(static_cast<double>(sums.bucket_bytes)),
      without_attention_(std::move(without_attention)),
      nodes_(at(tables.graph().size())) {}

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
  for (const ValueId id : pass.ops) {
    run(id);
    hand_out(id);
  }
  if (!pass.repeats()) send_sums();
  early_sums_.close();
  split_launches();
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
  for (const ValueId id : pass_->ops) {
    const LoopTraffic& traffic = traffic_of(id);
    if (traffic.launch >= 0 && split_nests_.contains(traffic.nest))
      units_.unit(nodes_[at(id)].made.unit).launch = traffic.nest;
  }
}

double PassPricer::stream_s(double bytes) const { return tables_.loop_stream_s(bytes, kind_); }
double PassPricer::least_stream_s(double bytes) const {
  return least_share_ * tables_.least_loop_stream_s(bytes, kind_);
}

PassValue& PassPricer::node(ValueId id) {
  PassValue& node = nodes_[at(id)];
  if (node.stamp == stamp_) return node;
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
  return node;
}

void PassPricer::run(ValueId id) {
  const OpPrice& op = *cuts_.ops[at(id)];
  const std::vector<ValueId>& operands = graph_.op(id).operands;
  const LoopTraffic& traffic = traffic_of(id);
  const bool is_heavy = ir::traits(graph_.op(id).kind).heavy;
  HeldForm made{.form = op.result, .lasts = !is_heavy};
  const double latency_s = least_share_ * tables_.cost().loop_latency_s(model_);
  const bool is_inside = this->is_inside(id);
  const OpWork work = is_inside ? OpWork::none : frame_.work[at(id)];
  const bool is_anew = this->is_anew(id);
  if (is_anew) {
    made.there = heavy_;
    made.waits = heavy_waits_;
    made.may_wait = heavy_may_wait_;
  }
  needs_.clear();
  std::int32_t arrival = -1;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (frame_.is_copied[at(operands[i])]) continue;
    HeldForm read = fetch(operands[i], op.needs[i], id);
    // Behind a kernel, a collective or memory comes another loop than those before it.
    if (work == OpWork::loop) {
      if (!read.there.loops.is_open) read.there.take(latency_s);
      read.there.loops.launch();
      if (read.there.from_arrival_s >= 0) read.there.loops_after.launch();
    }
    if (read.is_sliced) split_nests_.insert(traffic.nest);
    made.level = std::max(made.level, read.level);
    made.there.wait_for(read.there);
    made.lasts &= read.lasts;
    made.waits |= read.waits;
    made.may_wait |= read.may_wait;
    needs_.push_back(read.unit);
    if (read.unit < 0) arrival = std::max(arrival, read.arrival);
  }
  // A view may be copied in a loop of its own.
  const bool is_loop = traffic.launch >= 0;
  const SureTime sure = sure_of(id, op);
  if (work == OpWork::loop && frame_.is_accumulated[at(id)] && pass_->repeats())
    sure_sums_s_ += least_stream_s(tables_.tile_bytes(forms_.summed(id)));
  if (work == OpWork::kernel) made.there.close();
  made.there.take(sure.chained_s());
  latest_.wait_for(made.there);
  Spent spent = this->spent(id, op);
  spent.seconds += std::exchange(copies_s_, 0);
  if (traffic.launch < 0)
    spent.seconds +=
        std::max(std::exchange(spent.arithmetic_s, 0), std::exchange(spent.stream_s, 0));
  const double tile_s = stream_s(tables_.tile_bytes(op.result));
  const bool writes = is_loop && traffic.writes, is_shown = !is_inside && !writes;
  const bool is_memory = (work != OpWork::none || writes) && !leaves(id);
  made.unit =
      units_.add({.seconds = spent.seconds,
                  .sure_s = sure.chained_s(),
                  .num_kernels = kernels_of(id),
                  .launch = traffic.launch,
                  .is_worth = is_worth(id),
                  .is_heavy = !is_inside && is_heavy,
                  .leaves = leaves(id) && form_out(id, op.result) == op.result,
                  .arrival = arrival,
                  .write_s = is_shown ? tile_s : 0,
                  .read_s = is_inside ? 0 : tile_s,
                  .arithmetic_s = spent.arithmetic_s,
                  .stream_s = spent.stream_s,
                  .bytes = is_memory ? tables_.memory_bytes(op.result) : 0,
                  .copied_bytes = std::exchange(copied_bytes_, 0),
                  .shows = work == OpWork::none && is_shown && !needs_.empty() ? needs_.back() : -1,
                  .not_before = is_anew ? heavy_unit_ : -1},
                 needs_);
  for (const ValueId operand : operands) {
    if (!frame_.is_copied[at(operand)] && nodes_[at(operand)].made.unit < 0)
      outside_reads_.emplace_back(operand, made.unit);
  }
  for (const ValueId read : traffic.inputs)
    units_.read(made.unit, read, stream_s(tables_.tile_bytes(cuts_.forms[at(read)])));
  depart(id, made);
  if (work == OpWork::kernel && !is_anew && is_heavy) {
    heavy_ = made.there;
    heavy_unit_ = made.unit;
    heavy_waits_ = made.waits;
    heavy_may_wait_ = made.may_wait;
  }
  const bool is_written = work == OpWork::loop && traffic.surely_writes;
  nodes_[at(id)] = {.stamp = stamp_, .made = made, .sure = sure, .is_written = is_written};
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
  return tables_.form(made).is_partial() ? forms_.held(*pass_, id) : forms_.kept(id);
}

void PassPricer::hand_out(ValueId id) {
  PassValue& node = nodes_[at(id)];
  const auto departing = pass_->departing.find(id);
  if (departing != pass_->departing.end()) node.leads = departing->second;
  if (!leaves(id)) return;
  if (!pass_->repeats() && frame_.is_output[at(id)])
    output_bytes_ += tables_.memory_bytes(tables_.resolved(node.made.form));
  const FormId leaves_as = form_out(id, node.made.form);
  if (leaves_as == node.made.form) {
    leave(id, node.made.unit);
    return;
  }
  const HeldForm out = fetch(id, leaves_as, id);
  leave(id, out.unit);
  latest_.wait_for(out.there);
  depart(id, out);
  if (adds_scattered(id)) add_scattered(out);
}

/// Micro-batches add what collectives have scattered to what others have left, but for the first.
void PassPricer::add_scattered(const HeldForm& scattered) {
  const auto count = static_cast<double>(tables_.form(scattered.form).num_micro_batches);
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
    const ValueId id = pass_->ops[i];
    const PassValue& node = nodes_[at(id)];
    for (const ValueId operand : graph_.op(id).operands) {
      if (frame_.is_copied[at(operand)]) continue;
      PassValue& read = nodes_[at(operand)];
      read.holds |= node.holds && read.made.level == node.made.level;
      read.leads |= node.leads;
      read.is_early |= node.is_early;
    }
  }
}

}  // namespace rhino::evaluate
