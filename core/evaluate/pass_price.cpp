// SPDX-License-Identifier: Apache-2.0
#include "evaluate/pass_price.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "ir/op_traits.hpp"
#include "plan/cut.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

constexpr std::int32_t kLast = std::numeric_limits<std::int32_t>::max();

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

void PassPricer::Earliest::wait_for(const Earliest& other) {
  from_begin_s = std::max(from_begin_s, other.from_begin_s);
  if (other.from_arrival_s <= from_arrival_s) return;
  from_arrival_s = other.from_arrival_s;
  axes = other.axes;
}

void PassPricer::Earliest::take(double seconds) {
  from_begin_s += seconds;
  if (from_arrival_s >= 0) from_arrival_s += seconds;
}

/// What is held back is so where it is many bytes.
PassPricer::Price PassPricer::price(const PassOps& pass) {
  gathers_.is_on = results_.is_on = true;
  walk(pass);
  bool is_little = false;
  for (HeldBack* held : {&gathers_, &results_}) {
    if (held->sums.empty() || held->bytes > least_bucket_bytes_) continue;
    held->is_on = false;
    is_little = true;
  }
  if (is_little) walk(pass);
  walk_back();
  launch();
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
  for (HeldBack* held : {&gathers_, &results_}) *held = {.is_on = held->is_on};
  heavy_ = latest_ = {};
  departed_.assign(at(pass.num_departures), {});
  reduces_early_ = has_early_sums(pass);
  may_be_nearer_ = false;
  early_s_ = early_busy_s_ = early_bytes_ = num_early_ = num_launches_ = 0;
  sure_s_ = broken_s_ = peak_bytes_ = 0;
  for (const ValueId id : pass.ops) {
    run(id);
    hand_out(id);
  }
}

bool PassPricer::is_held_back(const Collective& collective, const Held& ready,
                              bool is_result) const {
  if (is_result)
    return results_.is_on &&
           (collective.kind == OpKind::all_gather || collective.kind == OpKind::reduce_scatter);
  return gathers_.is_on && collective.kind == OpKind::all_gather && ready.lasts && pass_->repeats();
}

void PassPricer::hold_back(const Collective& collective, double bytes, HeldBack& held) const {
  held.bytes += std::max(bytes, collective.bytes);
  ++held.num_tensors;
  const auto found = std::ranges::find_if(held.sums, [&](const Collective& sum) {
    return sum.kind == collective.kind && sum.axes == collective.axes;
  });
  if (found == held.sums.end()) held.sums.push_back(collective);
  else found->bytes += collective.bytes;
}

PassPricer::HeldTime PassPricer::time(const HeldBack& held) {
  constexpr double kMostBuckets = 128;
  if (held.sums.empty()) return {};
  const double full = std::max(least_bucket_bytes_, held.bytes / kMostBuckets);
  const double count = std::min(held.num_tensors, std::ceil(held.bytes / full));
  HeldTime time{.num_buckets = count};
  for (Collective sum : held.sums) {
    sum.bytes /= count;
    time.one_s = std::max(time.one_s, tables_.seconds(sum, kind_));
    time.all_s += count * tables_.seconds(sum, kind_);
  }
  return time;
}

double PassPricer::stream_s(double bytes) const { return tables_.loop_stream_s(bytes, kind_); }

/// As plan/reductions.cpp does: where they are many bytes, and no other mesh waits for what the
/// pass sends.
bool PassPricer::has_early_sums(const PassOps& pass) const {
  if (pass.repeats() || !sums_.overlap) return false;
  double bytes = 0;
  for (ValueId id = 0; id < graph_.size(); ++id) {
    if (!frame_.is_accumulated[at(id)] || frame_.chunk_of[at(id)] != pass.chunk) continue;
    if (sends(id)) continue;
    const FormId sum = summed(id);
    if (tables_.form(sum).is_partial()) bytes += tables_.tile_bytes(sum);
  }
  return bytes > least_bucket_bytes_;
}

/// Whether the pass that makes a value sends anything to others.
bool PassPricer::sends(ValueId id) const {
  return frame_.passes[at(frame_.made_in[at(id)])].num_departures > 0;
}

/// In which the host issues kernels, messages and collectives.
double PassPricer::issue_s(double num_messages) const {
  const Software& software = tables_.cost().cluster().software;
  double count = num_messages + software.kernels_per_loop * num_launches_;
  for (const ValueId id : pass_->ops) {
    if (frame_.work[at(id)] == OpWork::kernel) ++count;
  }
  return count * software.kernel_issue_s;
}

/// The form in which ops of `chunk` first need a value; its own without partial sums where none do.
FormId PassPricer::first_need(std::int32_t chunk, ValueId id) const {
  FormId first = -1;
  sharding::ChunkPhase phase{};
  for (const sharding::Use& use : graph_.uses(id)) {
    const std::int32_t home = frame_.made_in[at(use.user)];
    if (home < 0 || frame_.passes[at(home)].chunk != chunk) continue;
    const FormId need = cuts_.ops[at(use.user)]->needs[at(use.operand)];
    if (tables_.form(need).is_partial()) continue;
    if (first < 0 || frame_.passes[at(home)].phase < phase)
      first = need, phase = frame_.passes[at(home)].phase;
  }
  return first;
}

/// As it is made; where the update reads it in parts along all axes along which that is partial,
/// and micro-batches scatter their terms, in those parts (partition.hpp).
FormId PassPricer::summed(ValueId id) const {
  const FormId made = cuts_.forms[at(id)];
  const std::vector<Partial>& partial = tables_.form(made).view.spec.partial;
  const bool scatters = sums_.scatter_each || tables_.form(made).num_micro_batches == 1;
  const FormId need = partial.empty() || !scatters ? -1 : first_need(frame_.chunk_of[at(id)], id);
  if (need < 0) return made;
  const auto splits = [&](const Partial& term) {
    return term.reduction == Reduction::sum &&
           std::ranges::any_of(tables_.form(need).view.spec.dims, [&](const DimSharding& dim) {
             return std::ranges::count(dim.splits, term.axis, &AxisSplit::axis) > 0;
           });
  };
  return std::ranges::all_of(partial, splits) ? need : made;
}

FormId PassPricer::held(const PassOps& pass, ValueId id) const {
  if (frame_.is_accumulated[at(id)] && !pass.repeats()) return summed(id);
  const FormId made = cuts_.forms[at(id)];
  const std::int32_t home = frame_.chunk_of[at(id)];
  const bool is_near = home < 0 || home == pass.chunk ||
                       cuts_.mesh_of_chunk[at(home)] == cuts_.mesh_of_chunk[at(pass.chunk)];
  if (is_near && !tables_.form(made).is_partial()) return made;
  const FormId need = first_need(is_near ? home : pass.chunk, id);
  return need >= 0 ? need : tables_.resolved(made);
}

PassPricer::Node& PassPricer::node(ValueId id) {
  Node& node = nodes_[at(id)];
  if (node.stamp == stamp_) return node;
  node = {.stamp = stamp_, .made = {.form = held(*pass_, id)}};
  node.made.waits = std::ranges::binary_search(pass_->arriving, id);
  const std::int32_t home = frame_.made_in[at(id)];
  node.made.lasts = home < 0 ? !frame_.is_per_micro_batch[at(id)]
                             : frame_.passes[at(home)].phase == sharding::ChunkPhase::prologue;
  if (std::ranges::binary_search(pass_->in_main, id)) node.made.there.from_arrival_s = 0;
  return node;
}

/// A value in the form in which `reader` needs it; resharded once for all that need the same.
PassPricer::Held PassPricer::fetch(ValueId id, FormId need, ValueId reader) {
  Node& from = node(id);
  if (from.made.form == need) return from.made;
  for (std::int32_t other = from.made.next; other >= 0; other = others_[at(other)].next) {
    if (others_[at(other)].form == need) return others_[at(other)];
  }
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
    const Reshard* own = &tables_.reshard(others_[at(other)].form, need);
    if (cost_s(*own) < cost_s(*price)) base = others_[at(other)], price = own;
  }
  Held made{.form = need,
            .level = base.level,
            .there = from.made.there,
            .waits = from.made.waits,
            .lasts = from.made.lasts && price->collectives.empty(),
            .next = from.made.next};
  broken_s_ += price->kernels_s;
  if (base.form == from.made.form && !price->collectives.empty()) {
    from.feeds = true;
    from.holds |= reader != id;
  }
  const bool is_first = from.made.next < 0;  // else something nearer might be there by then
  may_be_nearer_ |= !is_first && !price->collectives.empty();
  for (const Collective& collective : price->collectives) {
    const bool is_early = reduces_early_ && frame_.is_accumulated[at(id)] && !sends(id) &&
                          is_reduction(collective.kind) && base.form == from.made.form;
    if (is_early) {
      early_s_ += tables_.seconds(collective, kind_);
      early_bytes_ += collective.bytes;
      ++num_early_;
      early_busy_s_ += tables_.bound(collective, kind_).busy_s;
      continue;
    }
    if (is_held_back(collective, from.made, reader == id)) {
      hold_back(collective, tables_.tile_bytes(need), reader == id ? results_ : gathers_);
    } else {
      collect(collective, made, id, reader);
      ++made.level;
    }
    const Tables::Bound bound = tables_.bound(collective, kind_);
    if (!is_first) continue;
    made.there.take(bound.seconds);
    if (made.there.from_arrival_s >= 0) made.there.axes |= collective.axes;
    busy_s_[collective.axes] += bound.busy_s;
  }
  const bool is_loop = frame_.work[at(id)] == OpWork::loop && pass_->makes(id);
  if (is_loop && !price->collectives.empty()) {
    if (!pass_->traffic_of(id).writes) broken_s_ += stream_s(tables_.tile_bytes(from.made.form));
    if (frame_.work[at(reader)] == OpWork::loop && reader != id)
      broken_s_ += stream_s(tables_.tile_bytes(need));
  }
  from.made.next = static_cast<std::int32_t>(others_.size());
  others_.push_back(made);
  return made;
}

void PassPricer::collect(const Collective& collective, const Held& ready, ValueId id,
                         ValueId reader) {
  const bool waits = ready.waits;
  const auto found = std::ranges::find_if(buckets_, [&](const Bucket& bucket) {
    return bucket.level == ready.level && bucket.sum.kind == collective.kind &&
           bucket.sum.axes == collective.axes;
  });
  if (found == buckets_.end()) {
    buckets_.push_back({ready.level, collective, waits, reader != id, {reader}});
    return;
  }
  found->sum.bytes += collective.bytes;
  found->waits |= waits;
  found->is_read |= reader != id;
  found->readers.push_back(reader);
}

double PassPricer::loop_s(ValueId id, double more_bytes) const {
  const LoopTraffic& traffic = pass_->traffic_of(id);
  const OpPrice& op = *cuts_.ops[at(id)];
  double bytes = more_bytes + (traffic.writes ? tables_.tile_bytes(op.result) : 0);
  for (const ValueId read : traffic.reads) bytes += tables_.tile_bytes(cuts_.forms[at(read)]);
  return std::max(op.arithmetic_s, stream_s(bytes));
}

/// What the op takes however it is fused with others.
double PassPricer::sure_s(ValueId id, const OpPrice& op) {
  const OpKind kind = graph_.op(id).kind;
  if (kind == OpKind::dot || kind == OpKind::convolution) return op.kernel_s;
  if (frame_.work[at(id)] != OpWork::loop) return 0;
  const LoopTraffic& traffic = pass_->traffic_of(id);
  double bytes = traffic.surely_writes ? tables_.tile_bytes(op.result) : 0;
  for (const ValueId read : traffic.sure_reads) {
    const auto& operands = graph_.op(id).operands;
    const auto i = at(std::find(operands.begin(), operands.end(), read) - operands.begin());
    if (node(read).made.form == op.needs[i]) bytes += tables_.tile_bytes(op.needs[i]);
  }
  return stream_s(bytes);
}

void PassPricer::run(ValueId id) {
  const OpPrice& op = *cuts_.ops[at(id)];
  const std::vector<ValueId>& operands = graph_.op(id).operands;
  Held made{.form = op.result, .lasts = !ir::traits(graph_.op(id).kind).heavy};
  const double latency_s = tables_.cost().loop_latency_s(model_);
  const OpWork work = frame_.work[at(id)];
  const bool is_anew =
      frame_.made_in[at(id)] >= 0 && &frame_.passes[at(frame_.made_in[at(id)])] != pass_;
  if (is_anew) made.there = heavy_;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (frame_.is_copied[at(operands[i])]) continue;
    Held read = fetch(operands[i], op.needs[i], id);
    // Behind a kernel comes another loop than those before it.
    const bool is_launched = work == OpWork::loop && pass_->makes(operands[i]) &&
                             frame_.work[at(operands[i])] == OpWork::kernel;
    if (is_launched) read.there.take(latency_s);
    made.level = std::max(made.level, read.level);
    made.there.wait_for(read.there);
    made.waits |= read.waits;
    made.lasts &= read.lasts;
  }
  const double sure_s = this->sure_s(id, op);
  sure_s_ += sure_s;
  made.there.take(sure_s);
  latest_.wait_for(made.there);
  depart(id, made);
  if (work == OpWork::kernel && !is_anew && ir::traits(graph_.op(id).kind).heavy)
    heavy_ = made.there;
  Node& node = nodes_[at(id)];
  node = {.stamp = stamp_, .made = made, .sure_s = sure_s, .run = kLast};
  // The first micro-batch has nothing to add to.
  const auto count = static_cast<double>(tables_.form(op.result).num_micro_batches);
  const bool accumulates = frame_.is_accumulated[at(id)] && pass_->repeats();
  const double sum_bytes = accumulates ? (count - 1) / count * tables_.tile_bytes(op.result) : 0;
  switch (work) {
    case OpWork::none: break;
    case OpWork::kernel:
      node.seconds = op.kernel_s;
      // Dots add to what is there; others leave that to a loop.
      if (sum_bytes > 0 && graph_.op(id).kind != OpKind::dot) {
        node.seconds += stream_s(3 * sum_bytes) + latency_s;
        ++num_launches_;
      }
      break;
    case OpWork::loop: node.seconds = loop_s(id, sum_bytes); break;
  }
}

void PassPricer::depart(ValueId id, const Held& value) {
  const auto found = pass_->departing.find(id);
  if (found == pass_->departing.end()) return;
  for (std::size_t d = 0; d < departed_.size(); ++d) {
    if ((found->second >> d & 1) == 0) continue;
    departed_[d].there.wait_for(value.there);
    departed_[d].level = std::max(departed_[d].level, value.level);
  }
}

/// What leaves partial is made whole here.
void PassPricer::hand_out(ValueId id) {
  Node& node = nodes_[at(id)];
  const auto departing = pass_->departing.find(id);
  if (departing != pass_->departing.end()) node.leads = departing->second;
  if (!frame_.leaves[at(id)] || frame_.made_in[at(id)] < 0) return;
  if (&frame_.passes[at(frame_.made_in[at(id)])] != pass_) return;
  const bool sums = frame_.is_accumulated[at(id)] && pass_->repeats();
  if (!sums && !tables_.form(node.made.form).is_partial()) return;
  const Held out = fetch(id, sums ? summed(id) : held(*pass_, id), id);
  latest_.wait_for(out.there);
  depart(id, out);
}

/// Of use while something is under way; the rest is better fused with what comes behind.
bool PassPricer::is_worth(ValueId id) const {
  return ir::traits(graph_.op(id).kind).heavy || frame_.leaves[at(id)];
}

/// Once all its readers are placed: light ops run with the first of them.
void PassPricer::place(ValueId id) {
  Node& node = nodes_[at(id)];
  const std::int32_t own = 2 * node.made.level + (node.feeds ? 0 : 1);
  if (node.feeds || is_worth(id) || node.run == kLast) node.run = std::min(node.run, own);
  node.hurries |= !node.made.waits && is_worth(id);
}

/// Loops are one kernel each as long as they run at one place.
void PassPricer::launch() {
  std::map<std::tuple<std::int32_t, std::int32_t, bool, bool>, bool> known;
  const double latency_s = tables_.cost().loop_latency_s(model_);
  const auto place_of = [&](ValueId id) {
    const Node& node = nodes_[at(id)];
    return std::tuple(pass_->traffic_of(id).launch, node.run, node.hurries, node.leads != 0);
  };
  for (const ValueId id : pass_->ops) {
    if (frame_.work[at(id)] != OpWork::loop) continue;
    Node& node = nodes_[at(id)];
    const auto place = place_of(id);
    if (known.try_emplace(place, true).second) {
      node.seconds += latency_s;
      ++num_launches_;
    }
    for (const ValueId operand : graph_.op(id).operands) {
      const bool is_loop = pass_->makes(operand) && frame_.work[at(operand)] == OpWork::loop &&
                           !frame_.is_copied[at(operand)];
      if (!is_loop || std::get<0>(place_of(operand)) != std::get<0>(place)) continue;
      if (place_of(operand) == place || pass_->traffic_of(operand).writes) continue;
      node.seconds += stream_s(2 * tables_.tile_bytes(cuts_.ops[at(operand)]->result));
    }
  }
}

/// Backwards: what feeds collectives and departures, and how much memory is in use.
void PassPricer::walk_back() {
  double bytes = 0;
  for (std::size_t i = pass_->ops.size(); i-- > 0;) {
    const ValueId id = pass_->ops[i];
    Node& node = nodes_[at(id)];
    place(id);
    const bool is_temporary = frame_.work[at(id)] == OpWork::kernel ||
                              (frame_.work[at(id)] == OpWork::loop && pass_->traffic_of(id).writes);
    for (const ValueId operand : graph_.op(id).operands) {
      if (frame_.is_copied[at(operand)]) continue;
      Node& read = nodes_[at(operand)];
      read.feeds |= node.feeds && read.made.level == node.made.level;
      read.holds |= node.holds && read.made.level == node.made.level;
      read.leads |= node.leads;
      if (node.run < read.run) read.run = node.run;
      read.hurries |= node.hurries;
      const bool is_kept =
          frame_.leaves[at(operand)] || !pass_->makes(operand) ||
          frame_.work[at(operand)] == OpWork::none ||
          (frame_.work[at(operand)] == OpWork::loop && !pass_->traffic_of(operand).writes);
      if (read.is_last || is_kept) continue;
      read.is_last = true;
      bytes += tables_.tile_bytes(read.made.form);
    }
    if (is_temporary && !node.is_last && !frame_.leaves[at(id)])
      peak_bytes_ = std::max(peak_bytes_, bytes + tables_.tile_bytes(node.made.form));
    peak_bytes_ = std::max(peak_bytes_, bytes);
    if (node.is_last) bytes -= tables_.tile_bytes(node.made.form);
  }
}

double PassPricer::num_messages(const Bucket& bucket) {
  return std::max(1.0, std::floor(bucket.sum.bytes / plan::kBucketBytes));
}

double PassPricer::bucket_s(const Bucket& bucket) {
  const double count = num_messages(bucket);
  Collective one = bucket.sum;
  one.bytes /= count;
  return count * tables_.seconds(one, kind_);
}

namespace {

/// What runs before collectives of a level are under way, and meanwhile.
struct Level {
  double first_s = 0, beside_s = 0, collectives_s = 0;
  double num_messages = 0;
  double seconds() const { return first_s + std::max(beside_s, collectives_s); }
};

double seconds(const std::vector<Level>& levels, std::int32_t end) {
  double sum_s = 0;
  for (std::int32_t k = 0; k < end; ++k) sum_s += levels[at(k)].seconds();
  return sum_s;
}

}  // namespace

PassTime PassPricer::expected() {
  // Of an update what it does with the first sums while the last are under way.
  const auto covered_s = [&](const std::vector<Level>& levels) {
    double sum_s = 0;
    for (std::size_t k = 0; pass_->phase == sharding::ChunkPhase::update && k + 1 < levels.size();
         ++k) {
      const Level &level = levels[k], &next = levels[k + 1];
      if (level.num_messages > 1)
        sum_s += (1 - 1 / level.num_messages) *
                 std::min(level.collectives_s, next.first_s + next.beside_s);
    }
    return sum_s;
  };
  std::int32_t num_levels = 1;
  for (const ValueId id : pass_->ops) num_levels = std::max(num_levels, nodes_[at(id)].made.level);
  for (const Bucket& bucket : buckets_) num_levels = std::max(num_levels, bucket.level);
  ++num_levels;
  std::vector<Level> all(at(num_levels)), after = all;
  // Of what departs, at its level: kernels of the levels before run even where it does not need
  // them.
  std::vector<double> leads_s(departed_.size()), leads_after_s(departed_.size());
  for (const ValueId id : pass_->ops) {
    const Node& node = nodes_[at(id)];
    const std::int32_t level = node.run / 2;
    const auto part = node.run % 2 == 1 ? &Level::beside_s : &Level::first_s;
    all[at(level)].*part += node.seconds;
    if (!node.hurries) after[at(level)].*part += node.seconds;
    for (std::size_t d = 0; d < departed_.size(); ++d) {
      if ((node.leads >> d & 1) == 0 || level != departed_[d].level) continue;
      leads_s[d] += node.seconds;
      if (!node.hurries) leads_after_s[d] += node.seconds;
    }
  }
  for (const Bucket& bucket : buckets_) {
    const double seconds = bucket_s(bucket);
    all[at(bucket.level)].collectives_s += seconds;
    all[at(bucket.level)].num_messages += num_messages(bucket);
    if (bucket.waits) after[at(bucket.level)].collectives_s += seconds;
  }
  const HeldTime gathers = this->time(gathers_), results = this->time(results_);
  const double beside_s = gathers.all_s + results.all_s;
  // What comes between two messages is launched by itself.
  double num_messages = gathers.num_buckets + results.num_buckets;
  double num_broken = results.num_buckets;
  if (num_early_ > 0) {
    const double full = std::max(least_bucket_bytes_, early_bytes_ / 32);
    num_broken += std::min(num_early_, std::ceil(early_bytes_ / full));
  }
  num_launches_ += num_broken;
  for (const Bucket& bucket : buckets_) num_messages += this->num_messages(bucket);
  num_messages += static_cast<double>(departed_.size()) + (pass_->arriving.empty() ? 0 : 1);
  broken_s_ += num_broken * tables_.cost().loop_latency_s(model_);
  const double whole_s = std::max(broken_s_ + seconds(all, num_levels), beside_s) + gathers.one_s +
                         results.one_s - covered_s(all);
  // Where the host takes longer all is so much later.
  const double later = whole_s > 0 ? std::max(1.0, issue_s(num_messages) / whole_s) : 1;
  PassTime time{
      .span = {.seconds = later * whole_s,
               .after_s = later * (broken_s_ + seconds(after, num_levels) + results.one_s),
               .departures = {}},
      .early_s = early_s_,
      .temporary_bytes = peak_bytes_};
  for (std::size_t d = 0; d < departed_.size(); ++d) {
    const std::int32_t level = departed_[d].level;
    time.span.departures.push_back(
        {later * (broken_s_ + seconds(all, level) + leads_s[d] + gathers.one_s),
         later * (broken_s_ + seconds(after, level) + leads_after_s[d])});
  }
  return time;
}

/// Where one collective alone makes a level, what it needs comes before it and all of the next
/// level behind: nothing of either runs meanwhile.
double PassPricer::windows_s() {
  if (may_be_nearer_) return 0;
  struct Window {
    std::size_t num_collectives = 0;
    double seconds = 0, before_s = 0;
  };
  std::map<std::int32_t, Window> windows;
  for (const Bucket& bucket : buckets_) {
    if (!bucket.is_read) continue;
    Window& window = windows[bucket.level];
    window.num_collectives += bucket.readers.size();
    window.seconds = tables_.bound(bucket.sum, kind_).seconds;
  }
  if (windows.empty()) return 0;
  const std::int32_t last = windows.rbegin()->first + 1;
  for (const ValueId id : pass_->ops) {
    const Node& node = nodes_[at(id)];
    const std::int32_t level = node.made.level;
    if (node.holds || level >= last) windows[level].before_s += node.sure_s;
  }
  double seconds = 0;
  for (const auto& [level, window] : windows) {
    if (level >= last) seconds += window.before_s;
    else if (window.num_collectives == 1) seconds += window.before_s + window.seconds;
  }
  return seconds;
}

PassTime PassPricer::bound() {
  std::vector<double> leads_s(departed_.size());
  for (const ValueId id : pass_->ops) {
    for (std::size_t d = 0; d < departed_.size(); ++d)
      if (nodes_[at(id)].leads >> d & 1) leads_s[d] += nodes_[at(id)].sure_s;
  }
  PassTime time{.span = {.seconds = std::max({sure_s_, latest_.from_begin_s, windows_s()}),
                         .after_s = std::max(0.0, latest_.from_arrival_s),
                         .departures = {}},
                .early_s = early_busy_s_,
                .together = latest_.axes};
  for (std::size_t d = 0; d < departed_.size(); ++d) {
    const Earliest& there = departed_[d].there;
    time.span.departures.push_back(
        {std::max(there.from_begin_s, leads_s[d]), there.from_arrival_s});
    if (there.from_arrival_s >= 0) time.together &= there.axes;
  }
  for (const auto& [axes, seconds] : busy_s_)
    time.span.seconds = std::max(time.span.seconds, seconds);
  return time;
}

}  // namespace rhino::evaluate
