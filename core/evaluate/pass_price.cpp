// SPDX-License-Identifier: Apache-2.0
#include "evaluate/pass_price.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "ir/op_traits.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

bool is_reduction(OpKind kind) {
  return kind == OpKind::all_reduce || kind == OpKind::reduce_scatter;
}

}  // namespace

PassPricer::PassPricer(Tables& tables, const Frame& frame, const Cuts& cuts,
                       const GradientSums& sums)
    : tables_(tables),
      frame_(frame),
      cuts_(cuts),
      graph_(tables.graph()),
      sums_(sums),
      least_bucket_bytes_(static_cast<double>(sums.bucket_bytes)),
      nodes_(at(tables.graph().size())) {}

void PassPricer::Earliest::Loops::wait_for(const Loops& other) {
  if (other.num > num) is_open = other.is_open;
  else if (other.num == num) is_open |= other.is_open;
  num = std::max(num, other.num);
}

void PassPricer::Earliest::wait_for(const Earliest& other) {
  from_begin_s = std::max(from_begin_s, other.from_begin_s);
  loops.wait_for(other.loops);
  loops_after.wait_for(other.loops_after);
  if (other.from_arrival_s <= from_arrival_s) return;
  from_arrival_s = other.from_arrival_s;
  axes = other.axes;
}

void PassPricer::Earliest::take(double seconds) {
  from_begin_s += seconds;
  if (from_arrival_s >= 0) from_arrival_s += seconds;
}

PassPricer::Price PassPricer::price(const PassOps& pass) {
  walk(pass);
  cut_.hold_back(gathers_, results_, least_bucket_bytes_);
  walk_back();
  return {expected(), bound()};
}

void PassPricer::walk(const PassOps& pass) {
  pass_ = &pass;
  ++stamp_;
  kind_ = cuts_.kind_of_chunk[at(pass.chunk)];
  model_ = tables_.model_of(kind_);
  others_.clear();
  buckets_.clear();
  busy_s_.clear();
  gathers_.clear(), results_.clear(), early_.clear();
  cut_.clear(pass.num_departures, pass.main_arrival);
  heavy_ = latest_ = {};
  heavy_unit_ = -1;
  heavy_waits_ = heavy_may_wait_ = false;
  copies_s_ = 0;
  departed_.assign(at(pass.num_departures), {});
  reduces_early_ = has_early_sums(pass);
  may_be_nearer_ = false;
  early_links_s_ = {};
  num_early_ = 0;
  last_early_ = -1;
  early_s_ = early_busy_s_ = early_bytes_ = num_copies_ = 0;
  output_bytes_ = sure_sums_s_ = 0;
  split_nests_.clear(), adding_launches_.clear();
  for (const ValueId id : pass.ops) {
    run(id);
    hand_out(id);
  }
  if (!pass.repeats()) send_sums();
  for (const Collective& bucket : std::exchange(early_buckets_, {})) start_early(bucket);
  split_launches();
}

/// A loop that reads what is cut out here runs behind the kernel that does so, which others of its
/// launch ran in front of.
void PassPricer::split_launches() {
  for (const ValueId id : pass_->ops) {
    const LoopTraffic& traffic = pass_->traffic_of(id);
    if (traffic.launch >= 0 && split_nests_.contains(traffic.nest))
      cut_.unit(nodes_[at(id)].made.unit).launch = traffic.nest;
  }
}

double PassPricer::stream_s(double bytes) const { return tables_.loop_stream_s(bytes, kind_); }

PassPricer::Node& PassPricer::node(ValueId id) {
  Node& node = nodes_[at(id)];
  if (node.stamp == stamp_) return node;
  node = {.stamp = stamp_, .made = {.form = held(*pass_, id)}};
  node.made.arrival = pass_->arrival_of(id);
  node.made.waits = node.made.arrival >= 0;
  const std::int32_t chunk = frame_.chunk_of[at(id)];
  node.made.may_wait = node.made.waits || (chunk >= 0 && mesh_of(chunk) != mesh_of(pass_->chunk));
  const std::int32_t home = frame_.made_in[at(id)];
  node.made.lasts = home < 0 ? !frame_.is_per_micro_batch[at(id)]
                             : frame_.passes[at(home)].phase == sharding::ChunkPhase::prologue;
  if (node.made.waits && node.made.arrival == pass_->main_arrival)
    node.made.there.from_arrival_s = 0;
  return node;
}

/// A value in the form in which `reader` needs it; resharded once for all that need the same.
PassPricer::Held PassPricer::fetch(ValueId id, FormId need, ValueId reader) {
  Node& from = node(id);
  if (from.made.form == need) return from.made;
  for (std::int32_t other = from.made.next; other >= 0; other = others_[at(other)].next) {
    if (others_[at(other)].form == need) return others_[at(other)];
  }
  // Others may read the tile without its halos.
  if (const FormId tile = tables_.tile(need); tile != need) fetch(id, tile, reader);
  // From the nearest form that there is.
  const auto cost_s = [&](const Reshard& price) {
    double seconds = price.kernels_s;
    for (const Collective& collective : price.collectives)
      seconds += tables_.seconds(collective, kind_);
    return seconds;
  };
  Held base = from.made;
  const Reshard* price = &tables_.reshard(base.form, need);
  for (std::int32_t other = from.made.next; other >= 0; other = others_[at(other)].next) {
    if (!tables_.form(others_[at(other)].form).view.halos.empty()) continue;
    const Reshard* own = &tables_.reshard(others_[at(other)].form, need);
    if (cost_s(*own) < cost_s(*price)) base = others_[at(other)], price = own;
  }
  Held made{.form = need,
            .level = base.level,
            .there = from.made.there,
            .arrival = from.made.arrival,
            .lasts = from.made.lasts && price->collectives.empty(),
            .waits = base.waits || !price->collectives.empty(),
            .may_wait = base.may_wait || !price->collectives.empty(),
            .unit = base.unit,
            .next = from.made.next};
  CutWalk::Unit unit{.seconds = price->kernels_s + copied_s(id, *price, reader) +
                                price->num_kernels * tables_.cost().kernel_latency_s(model_)};
  unit.num_kernels = kernels_of(kNoValue) + price->num_kernels;
  if (is_anew(reader)) unit.not_before = heavy_unit_;
  if (is_gathered(id, *price)) unit.launch = kGatherLaunch, unit.needs_done = true;
  if (price->num_kernels > 0) unit.launch = kPlaceLaunch;
  const bool lasts = reader == id || (frame_.is_output[at(id)] && !pass_->repeats());
  if (lasts && reader != id && !reduces_early_ && !price->collectives.empty())
    output_bytes_ += tables_.memory_bytes(need);
  const bool is_first = from.made.next < 0;  // else something nearer might be there by then
  const bool is_read = reader != id || is_read_here(id);
  may_be_nearer_ |= !is_first && !price->collectives.empty();
  for (const Collective& collective : price->collectives) {
    const bool is_sum = frame_.is_accumulated[at(id)] && !pass_->repeats() &&
                        is_reduction(collective.kind) && base.form == from.made.form;
    if (is_sum && reduces_early_ && !is_reduced_late(id)) {
      add_early(collective);
      made.arrival =
          pass_->num_arrivals + static_cast<std::int32_t>(early_bytes_ / early_bucket_bytes_);
      last_early_ = std::max(last_early_, made.arrival);
      early_bytes_ += collective.bytes;
      if (collective.kind != OpKind::all_reduce) output_bytes_ += tables_.memory_bytes(need);
      early_busy_s_ += tables_.bound(collective, kind_).busy_s;
      continue;
    }
    // They wait for each other, and so for nothing that is sure.
    const bool changes_size =
        collective.kind == OpKind::all_gather || collective.kind == OpKind::reduce_scatter;
    const bool is_result = reader == id && !is_read_here(id) && !pass_->departing.contains(id) &&
                           &collective == &price->collectives.back() && changes_size;
    const bool is_gather = &collective == &price->collectives.front() &&
                           collective.kind == OpKind::all_gather && base.lasts && pass_->repeats();
    if (!is_result && !is_gather) {
      if (base.form == from.made.form) from.holds |= is_read;
      collect(collective, made, is_read, reader);
      ++made.level;
    }
    if (is_gather && price->gathers_view && is_anew(reader))
      made.unit = cut_.add({.shows = made.unit, .not_before = heavy_unit_}, {&made.unit, 1});
    unit.arrival = made.unit < 0 ? made.arrival : -1;
    if (!lasts || is_result) unit.bytes = tables_.memory_bytes(need);
    if (is_result && made.unit >= 0 && cut_.unit(made.unit).collective < 0)
      cut_.unit(made.unit).bytes = collective.bytes;
    made.unit = cut_.add(collective, unit, made.unit);
    unit.seconds = unit.bytes = unit.num_kernels = 0;
    unit.launch = -1;
    const CutWalk::HeldBack held{made.unit, std::max(tables_.tile_bytes(need), collective.bytes)};
    const bool is_early = !is_result && !is_gather && is_first && is_read && pass_->repeats();
    if (is_early && !from.made.may_wait) early_.emplace_back(id, made.unit);
    if (is_gather) gathers_.push_back(held);
    if (changes_size) results_.push_back(held);  // where nothing is made of it: hold_back()
    const bool may_be_early = is_sum && has_others(pass_->chunk);
    may_be_nearer_ |= may_be_early;
    if (!is_first || may_be_early) continue;
    const Tables::Bound bound = tables_.bound(collective, kind_);
    made.there.take(bound.seconds);
    made.there.close();
    if (made.there.from_arrival_s >= 0) made.there.axes |= collective.axes;
    busy_s_[collective.axes] += bound.busy_s;
  }
  made.is_fresh = !price->collectives.empty();
  made.is_sliced = price->collectives.empty() && price->num_kernels > 0;
  if (is_first) made.apart_bytes = price->surely_scattered_bytes;
  const bool is_loop = frame_.work[at(id)] == OpWork::loop && pass_->makes(id);
  const bool is_sent = made.is_fresh && price->collectives.front().kind != OpKind::halo_exchange;
  if (is_loop && is_sent && is_first && !std::exchange(from.is_written, true))
    from.sure.stream_s += stream_s(price->collectives.front().bytes);
  if (price->collectives.empty()) {
    unit.arrival = made.unit < 0 ? made.arrival : -1;
    unit.is_worth = unit.leaves = reader == id;
    if (!lasts) unit.bytes = tables_.memory_bytes(need);
    made.unit = cut_.add(unit, std::span(&made.unit, 1));
  }
  from.made.next = static_cast<std::int32_t>(others_.size());
  others_.push_back(made);
  return made;
}

bool PassPricer::is_read_here(ValueId id) const {
  return std::ranges::any_of(graph_.uses(id),
                             [&](const sharding::Use& use) { return pass_->makes(use.user); });
}

void PassPricer::collect(const Collective& collective, const Held& ready, bool is_read,
                         ValueId reader) {
  const auto found = std::ranges::find_if(buckets_, [&](const Bucket& bucket) {
    return bucket.level == ready.level && bucket.sum.is_like(collective);
  });
  if (found == buckets_.end()) {
    buckets_.push_back({ready.level, collective, is_read, {reader}});
    return;
  }
  found->sum.join(collective);
  found->is_read |= is_read;
  found->readers.push_back(reader);
}

void PassPricer::run(ValueId id) {
  const OpPrice& op = *cuts_.ops[at(id)];
  const std::vector<ValueId>& operands = graph_.op(id).operands;
  Held made{.form = op.result, .lasts = !ir::traits(graph_.op(id).kind).heavy};
  const double latency_s = tables_.cost().loop_latency_s(model_);
  const OpWork work = frame_.work[at(id)];
  const bool is_anew = this->is_anew(id);
  if (is_anew) {
    made.there = heavy_;
    made.waits = heavy_waits_;
    made.may_wait = heavy_may_wait_;
  }
  needs_.assign(1, is_anew ? heavy_unit_ : -1);
  std::int32_t arrival = -1;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (frame_.is_copied[at(operands[i])]) continue;
    Held read = fetch(operands[i], op.needs[i], id);
    // Behind a kernel, a collective or memory comes another loop than those before it.
    if (work == OpWork::loop) {
      if (!read.there.loops.is_open) read.there.take(latency_s);
      read.there.loops.launch();
      if (read.there.from_arrival_s >= 0) read.there.loops_after.launch();
    }
    if (read.is_sliced) split_nests_.insert(pass_->traffic_of(id).nest);
    made.level = std::max(made.level, read.level);
    made.there.wait_for(read.there);
    made.lasts &= read.lasts;
    made.waits |= read.waits;
    made.may_wait |= read.may_wait;
    needs_.push_back(read.unit);
    if (read.unit < 0) arrival = std::max(arrival, read.arrival);
  }
  // A view may be copied in a loop of its own.
  const bool is_loop = pass_->traffic_of(id).launch >= 0;
  const Sure sure = sure_of(id, op);
  if (work == OpWork::loop && frame_.is_accumulated[at(id)] && pass_->repeats())
    sure_sums_s_ += stream_s(tables_.tile_bytes(summed(id)));
  if (work == OpWork::kernel) made.there.close();
  made.there.take(sure.chained_s());
  latest_.wait_for(made.there);
  const double seconds = this->seconds(id, op) + std::exchange(copies_s_, 0),
               tile_s = stream_s(tables_.tile_bytes(op.result));
  const bool writes = is_loop && pass_->traffic_of(id).writes;
  const bool is_memory = (work != OpWork::none || writes) && !leaves(id);
  made.unit = cut_.add({.seconds = seconds,
                        .sure_s = sure.chained_s(),
                        .num_kernels = kernels_of(id),
                        .launch = pass_->traffic_of(id).launch,
                        .is_worth = is_worth(id),
                        .is_heavy = ir::traits(graph_.op(id).kind).heavy,
                        .leaves = leaves(id) && form_out(id, op.result) == op.result,
                        .arrival = arrival,
                        .write_s = writes ? 0 : tile_s,
                        .read_s = tile_s,
                        .spare_s = is_loop ? loop_s(id, 0) - written_s(id, 0) : 0,
                        .bytes = is_memory ? tables_.memory_bytes(op.result) : 0,
                        .shows = work == OpWork::none && !writes ? needs_.back() : -1},
                       needs_);
  for (const ValueId read : pass_->traffic_of(id).inputs)
    cut_.read(made.unit, read, stream_s(tables_.tile_bytes(cuts_.forms[at(read)])));
  depart(id, made);
  if (work == OpWork::kernel && !is_anew && ir::traits(graph_.op(id).kind).heavy) {
    heavy_ = made.there;
    heavy_unit_ = made.unit;
    heavy_waits_ = made.waits;
    heavy_may_wait_ = made.may_wait;
  }
  const bool is_written = work == OpWork::loop && pass_->traffic_of(id).surely_writes;
  nodes_[at(id)] = {.stamp = stamp_, .made = made, .sure = sure, .is_written = is_written};
}

void PassPricer::depart(ValueId id, const Held& value) {
  const auto found = pass_->departing.find(id);
  if (found == pass_->departing.end()) return;
  for (std::size_t d = 0; d < departed_.size(); ++d) {
    if ((found->second >> d & 1) == 0) continue;
    departed_[d].wait_for(value.there);
    cut_.depart(d, value.unit);
  }
}

/// Of what this pass makes, and leaves it: what leaves partial is made whole here, and what all
/// passes behind read in one other way is moved. A new state is as the old one was.
FormId PassPricer::form_out(ValueId id, FormId made) const {
  if (frame_.is_accumulated[at(id)] && pass_->repeats()) return summed(id);
  if (const ValueId old = frame_.renews[at(id)]; old != kNoValue) return cuts_.forms[at(old)];
  return tables_.form(made).is_partial() ? held(*pass_, id) : kept(id);
}

void PassPricer::hand_out(ValueId id) {
  Node& node = nodes_[at(id)];
  const auto departing = pass_->departing.find(id);
  if (departing != pass_->departing.end()) node.leads = departing->second;
  if (!leaves(id)) return;
  if (!pass_->repeats() && frame_.is_output[at(id)])
    output_bytes_ += tables_.memory_bytes(tables_.resolved(node.made.form));
  const FormId leaves_as = form_out(id, node.made.form);
  if (leaves_as == node.made.form) return;
  const Held out = fetch(id, leaves_as, id);
  latest_.wait_for(out.there);
  depart(id, out);
  if (adds_scattered(id)) add_scattered(out);
}

/// Micro-batches add what collectives have scattered to what others have left, but for the first.
void PassPricer::add_scattered(const Held& scattered) {
  const auto count = static_cast<double>(tables_.form(scattered.form).num_micro_batches);
  if (count < 2) return;
  const double bytes = 3 * tables_.tile_bytes(scattered.form) * (count - 1) / count;
  cut_.add({.seconds = stream_s(bytes), .launch = kSumLaunch, .is_worth = true, .leaves = true},
           std::span(&scattered.unit, 1));
}

/// Backwards: what feeds collectives and departures.
void PassPricer::walk_back() {
  for (const auto& [id, unit] : early_) node(id).is_early |= cut_.unit(unit).drain < 0;
  for (std::size_t i = pass_->ops.size(); i-- > 0;) {
    const ValueId id = pass_->ops[i];
    const Node& node = nodes_[at(id)];
    for (const ValueId operand : graph_.op(id).operands) {
      if (frame_.is_copied[at(operand)]) continue;
      Node& read = nodes_[at(operand)];
      read.holds |= node.holds && read.made.level == node.made.level;
      read.leads |= node.leads;
      read.is_early |= node.is_early;
    }
  }
}

}  // namespace rhino::evaluate
