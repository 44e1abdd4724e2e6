// SPDX-License-Identifier: Apache-2.0
/// How values come into the forms in which ops of a pass need them.
#include <algorithm>
#include <span>
#include <utility>

#include "evaluate/pass_price.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

bool is_reduction(OpKind kind) {
  return kind == OpKind::all_reduce || kind == OpKind::reduce_scatter;
}

bool changes_size(OpKind kind) {
  return kind == OpKind::all_gather || kind == OpKind::reduce_scatter;
}

}  // namespace

/// A value in the form in which `reader` needs it; resharded once for all that need the same.
const HeldForm& PassPricer::fetch(ValueId id, FormId need, ValueId reader) {
  if (const HeldForm* const known = this->known(id, need)) return *known;
  // Others may read the tile without its halos.
  if (const FormId tile = tables_.tile(need); tile != need) fetch(id, tile, reader);
  const Move move = this->move(id, need, reader);
  HeldForm made = held_behind(move);
  CutUnits::Unit unit = unit_before(move);
  for (const Collective& collective : move.price->collectives) {
    if (is_early_sum(move, collective)) reduce_early(move, collective, made);
    else send(move, collective, unit, made);
  }
  if (move.price->collectives.empty()) {
    unit.arrival = made.unit < 0 ? made.arrival : -1;
    unit.is_worth = unit.leaves = reader == id;
    if (move.price->num_kernels == 0) unit.shows = made.unit;  // what lies so anyway
    else if (!move.lasts) unit.bytes = tables_.memory_bytes(need);
    const bool is_outside = made.unit < 0;
    made.unit = units_.add(unit, std::span(&made.unit, 1));
    if (is_outside) outside_reads_.emplace_back(id, made.unit);
  }
  write_sent(move);
  node(id).made.next = static_cast<std::int32_t>(others_.size());
  others_.push_back(made);
  return others_.back();
}

/// Null: it is not there in that form.
const HeldForm* PassPricer::known(ValueId id, FormId need) {
  const HeldForm& made = node(id).made;
  if (made.form == need) return &made;
  for (std::int32_t other = made.next; other >= 0; other = others_[at(other)].next) {
    if (others_[at(other)].form == need) return &others_[at(other)];
  }
  return nullptr;
}

/// From the nearest form that there is.
Move PassPricer::move(ValueId id, FormId need, ValueId reader) {
  const auto cost_s = [&](const Reshard& price) {
    double seconds = price.kernels_s;
    for (const Collective& collective : price.collectives)
      seconds += tables_.seconds(collective, kind_);
    return seconds;
  };
  const HeldForm& made = node(id).made;
  Move move{.id = id, .reader = reader, .need = need, .base = made};
  move.price = &tables_.reshard(made.form, need);
  for (std::int32_t other = made.next; other >= 0; other = others_[at(other)].next) {
    if (tables_.facts(others_[at(other)].form).has_halos) continue;
    const Reshard* own = &tables_.reshard(others_[at(other)].form, need);
    if (cost_s(*own) < cost_s(*move.price)) move.base = others_[at(other)], move.price = own;
  }
  move.is_from_made = move.base.form == made.form;
  move.is_first = made.next < 0;
  move.is_read = reader != id || is_read_here(id);
  move.lasts = reader == id || (frame_.is_output[at(id)] && !pass_->repeats());
  may_be_nearer_ |= !move.is_first && !move.price->collectives.empty();
  return move;
}

/// Before anything is sent.
HeldForm PassPricer::held_behind(const Move& move) {
  const HeldForm &made = node(move.id).made, &base = move.base;
  const bool is_sent = !move.price->collectives.empty();
  return {.form = move.need,
          .level = base.level,
          .there = made.there,
          .arrival = made.arrival,
          .lasts = made.lasts && !is_sent,
          .is_sliced = !is_sent && move.price->num_kernels > 0,
          .is_fresh = is_sent,
          .apart_bytes = move.is_first ? move.price->surely_scattered_bytes : 0,
          .waits = base.waits || is_sent,
          .may_wait = base.may_wait || is_sent,
          .unit = base.unit,
          .next = made.next};
}

/// Kernels in front of what is sent, or alone.
CutUnits::Unit PassPricer::unit_before(const Move& move) {
  const Reshard& price = *move.price;
  CutUnits::Unit unit{.seconds = price.kernels_s + copied_s(move.id, price, move.reader) +
                                 price.num_kernels * tables_.cost().kernel_latency_s(model_)};
  unit.num_kernels = kernels_of(kNoValue) + price.num_kernels;
  if (is_anew(move.reader)) unit.not_before = heavy_unit_;
  if (is_gathered(move.id, price)) {
    unit.launch = kGatherLaunch;
    unit.needs_done = true;
  }
  // A loop, too, makes its result as it is, and copies it in front of what is sent.
  if (!price.collectives.empty()) unit.copied_bytes = Tables::memory_bytes(price.gathered_bytes);
  if (price.num_kernels > 0) unit.launch = kPlaceLaunch;
  const bool is_made = !price.collectives.empty() && !is_reduced_in_place(move);
  if (move.lasts && move.reader != move.id && !reduces_early_ && is_made)
    output_bytes_ += tables_.memory_bytes(move.need);
  return unit;
}

/// Of micro-batches, in their update.
bool PassPricer::is_sum(const Move& move, const Collective& collective) const {
  return frame_.is_accumulated[at(move.id)] && !pass_->repeats() && is_reduction(collective.kind) &&
         move.is_from_made;
}

/// Where it is, but for one that others get, too (plan/block_layout.cpp).
bool PassPricer::is_reduced_in_place(const Move& move) const {
  const std::vector<Collective>& sent = move.price->collectives;
  return sent.size() == 1 && sent.front().kind == OpKind::all_reduce &&
         is_sum(move, sent.front()) && move.base.unit < 0 && !forms_.is_read_elsewhere(move.id);
}

/// What comes behind the first reads that, in the update.
bool PassPricer::is_early_sum(const Move& move, const Collective& collective) const {
  const bool is_first = &collective == &move.price->collectives.front();
  return is_first && is_sum(move, collective) && reduces_early_ && !forms_.is_reduced_late(move.id);
}

/// The update waits for its bucket as for something that arrives.
void PassPricer::reduce_early(const Move& move, const Collective& sum, HeldForm& made) {
  made.arrival = pass_->num_arrivals + early_sums_.add(sum);
  last_early_ = std::max(last_early_, made.arrival);
  if (sum.kind != OpKind::all_reduce) output_bytes_ += tables_.memory_bytes(move.need);
}

/// A collective in the midst of the pass.
void PassPricer::send(const Move& move, const Collective& collective, CutUnits::Unit& unit,
                      HeldForm& made) {
  const Reshard& price = *move.price;
  const bool is_result = move.reader == move.id && !is_read_here(move.id) &&
                         !pass_->departing.contains(move.id) &&
                         &collective == &price.collectives.back() && changes_size(collective.kind);
  const bool is_gather = &collective == &price.collectives.front() &&
                         collective.kind == OpKind::all_gather && move.base.lasts &&
                         pass_->repeats();
  // Those that are held back wait for each other, and so for nothing that is sure.
  if (!is_result && !is_gather) {
    if (move.is_from_made) node(move.id).holds |= move.is_read;
    collect(collective, made, move.is_read, move.reader);
    ++made.level;
  }
  if (is_gather && price.gathers_view && is_anew(move.reader))
    made.unit = units_.add({.shows = made.unit, .not_before = heavy_unit_}, {&made.unit, 1});
  unit.arrival = made.unit < 0 ? made.arrival : -1;
  const bool is_last = &collective == &price.collectives.back();
  if (!is_last) unit.bytes = Tables::memory_bytes((&collective + 1)->bytes);
  else if (!move.lasts || is_result) unit.bytes = tables_.memory_bytes(move.need);
  // What comes from others is brought into the order in which it is needed.
  if (is_last && collective.kind == OpKind::all_to_all)
    unit.bytes = std::max(unit.bytes, Tables::memory_bytes(collective.bytes));
  if (is_reduced_in_place(move)) unit.bytes = 0;
  if (is_result && made.unit >= 0 && units_.unit(made.unit).collective < 0)
    units_.unit(made.unit).bytes = collective.bytes;
  const auto number = static_cast<std::size_t>(&collective - price.collectives.data());
  unit.viewed_s = (price.views >> number & 1) != 0 ? stream_s(2 * collective.bytes) : 0;
  const bool is_outside = made.unit < 0;
  made.unit = units_.add(collective, unit, made.unit);
  if (is_outside) outside_reads_.emplace_back(move.id, made.unit);
  unit.seconds = unit.bytes = unit.num_kernels = unit.copied_bytes = 0;
  unit.launch = -1;
  const CutUnits::HeldBack held{made.unit,
                                std::max(tables_.tile_bytes(move.need), collective.bytes)};
  if (is_gather) gathers_.push_back(held);
  if (changes_size(collective.kind)) results_.push_back(held);  // see hold_back()
  const bool is_early =
      !is_result && !is_gather && move.is_first && move.is_read && pass_->repeats();
  if (is_early && !node(move.id).made.may_wait) early_.emplace_back(move.id, made.unit);
  take_sure(move, collective, made);
}

/// What bounds know of it.
void PassPricer::take_sure(const Move& move, const Collective& collective, HeldForm& made) {
  const bool may_be_early = is_sum(move, collective) && forms_.has_others(pass_->chunk);
  may_be_nearer_ |= may_be_early;
  if (!move.is_first || may_be_early) return;
  const Tables::Bound bound = least_of(collective);
  made.there.take(bound.seconds);
  made.there.close();
  if (made.there.from_arrival_s >= 0) made.there.axes |= collective.axes;
  busy_s_[collective.axes] += bound.busy_s;
}

/// What a loop makes for others is written.
void PassPricer::write_sent(const Move& move) {
  const std::vector<Collective>& sent = move.price->collectives;
  const bool is_loop = frame_.work[at(move.id)] == OpWork::loop && pass_->makes(move.id);
  if (!is_loop || !move.is_first || sent.empty() || sent.front().kind == OpKind::halo_exchange)
    return;
  PassValue& from = node(move.id);
  if (!std::exchange(from.is_written, true))
    from.sure.stream_s += least_stream_s(sent.front().bytes);
}

bool PassPricer::is_read_here(ValueId id) const {
  return frame_.is_read(graph_, id, [&](ValueId user) { return pass_->makes(user); });
}

void PassPricer::collect(const Collective& collective, const HeldForm& ready, bool is_read,
                         ValueId reader) {
  const auto found = std::ranges::find_if(buckets_, [&](const ReadyTogether& bucket) {
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

}  // namespace rhino::evaluate
