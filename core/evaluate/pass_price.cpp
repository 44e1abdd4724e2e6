// SPDX-License-Identifier: Apache-2.0
#include "evaluate/pass_price.hpp"

#include <algorithm>
#include <cmath>

#include "ir/op_traits.hpp"
#include "plan/cut.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {

PassPricer::PassPricer(Tables& tables, const Frame& frame, const Cuts& cuts,
                       std::int64_t least_bucket_bytes)
    : tables_(tables),
      frame_(frame),
      cuts_(cuts),
      graph_(tables.graph()),
      least_bucket_bytes_(static_cast<double>(least_bucket_bytes)),
      nodes_(at(tables.graph().size())) {}

void PassPricer::Earliest::wait_for(const Earliest& other) {
  from_begin_s = std::max(from_begin_s, other.from_begin_s);
  from_arrival_s = std::max(from_arrival_s, other.from_arrival_s);
}

void PassPricer::Earliest::take(double seconds) {
  from_begin_s += seconds;
  if (from_arrival_s >= 0) from_arrival_s += seconds;
}

PassPricer::Price PassPricer::price(const PassOps& pass) {
  pass_ = &pass;
  ++stamp_;
  kind_ = cuts_.kind_of_chunk[at(pass.chunk)];
  model_ = tables_.model_of(kind_);
  others_.clear();
  buckets_.clear();
  busy_s_.clear();
  heavy_ = latest_ = departed_ = {};
  departure_level_ = -1;
  reduces_early_ = has_early_sums(pass);
  may_be_nearer_ = false;
  early_s_ = early_busy_s_ = 0;
  sure_s_ = broken_s_ = peak_bytes_ = 0;
  for (const ValueId id : pass.ops) {
    run(id);
    hand_out(id);
  }
  walk_back();
  return {expected(), bound()};
}

double PassPricer::stream_s(double bytes) const { return tables_.loop_stream_s(bytes, kind_); }

/// As plan/reductions.cpp does: where they are many bytes.
bool PassPricer::has_early_sums(const PassOps& pass) const {
  if (pass.repeats()) return false;
  double bytes = 0;
  for (ValueId id = 0; id < graph_.size(); ++id) {
    if (!frame_.is_accumulated[at(id)] || frame_.chunk_of[at(id)] != pass.chunk) continue;
    const FormId sum = summed(id);
    if (tables_.form(sum).is_partial()) bytes += tables_.tile_bytes(sum);
  }
  return bytes > least_bucket_bytes_;
}

/// In which the host issues kernels and collectives.
double PassPricer::issue_s() const {
  const Software& software = tables_.cost().cluster().software;
  double count = static_cast<double>(buckets_.size());
  for (const ValueId id : pass_->ops) {
    if (frame_.work[at(id)] == OpWork::kernel) ++count;
    if (frame_.work[at(id)] == OpWork::loop && pass_->traffic_of(id).opens)
      count += software.kernels_per_loop;
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

/// As it is made; where the update reads it in parts along all axes along which that is partial, in
/// those parts, so that no device keeps more (partition.hpp).
FormId PassPricer::summed(ValueId id) const {
  const FormId made = cuts_.forms[at(id)];
  const std::vector<Partial>& partial = tables_.form(made).view.spec.partial;
  const FormId need = partial.empty() ? -1 : first_need(frame_.chunk_of[at(id)], id);
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
  const std::int32_t home = frame_.made_in[at(id)];
  const bool arrives = home >= 0 && frame_.departs[at(id)] &&
                       frame_.passes[at(home)].phase == pass_->phase &&
                       cuts_.mesh_of_chunk[at(frame_.passes[at(home)].chunk)] !=
                           cuts_.mesh_of_chunk[at(pass_->chunk)];
  if (arrives) node.made.there.from_arrival_s = 0;
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
  Held made{need, base.level, from.made.there, from.made.next};
  broken_s_ += price->kernels_s;
  if (base.form == from.made.form && !price->collectives.empty()) {
    from.feeds = true;
    from.holds |= reader != id;
  }
  const bool is_first = from.made.next < 0;  // else something nearer might be there by then
  may_be_nearer_ |= !is_first && !price->collectives.empty();
  for (const Collective& collective : price->collectives) {
    const bool is_early = reduces_early_ && frame_.is_accumulated[at(id)] &&
                          collective.kind == OpKind::all_reduce && base.form == from.made.form;
    if (is_early) {
      early_s_ += tables_.seconds(collective, kind_);
      early_busy_s_ += tables_.bound(collective, kind_).busy_s;
      continue;
    }
    collect(collective, made, id, reader);
    ++made.level;
    const Tables::Bound bound = tables_.bound(collective, kind_);
    if (is_first) made.there.take(bound.seconds), busy_s_[collective.axes] += bound.busy_s;
  }
  const bool is_loop = frame_.work[at(id)] == OpWork::loop && pass_->makes(id);
  if (is_loop && !price->collectives.empty()) {
    if (!pass_->traffic_of(id).writes) broken_s_ += stream_s(tables_.tile_bytes(from.made.form));
    if (frame_.work[at(reader)] == OpWork::loop)
      broken_s_ += stream_s(tables_.tile_bytes(need)) + tables_.cost().loop_latency_s(model_);
  }
  from.made.next = static_cast<std::int32_t>(others_.size());
  others_.push_back(made);
  return made;
}

void PassPricer::collect(const Collective& collective, const Held& ready, ValueId id,
                         ValueId reader) {
  const bool waits = ready.there.from_arrival_s >= 0;
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
  const double latency_s = traffic.opens ? tables_.cost().loop_latency_s(model_) : 0;
  return latency_s + std::max(op.arithmetic_s, stream_s(bytes));
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
  Held made{.form = op.result};
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
  }
  const double sure_s = this->sure_s(id, op);
  sure_s_ += sure_s;
  made.there.take(sure_s);
  latest_.wait_for(made.there);
  if (frame_.departs[at(id)]) depart(made);
  if (work == OpWork::kernel && !is_anew && ir::traits(graph_.op(id).kind).heavy)
    heavy_ = made.there;
  Node& node = nodes_[at(id)];
  node = {.stamp = stamp_, .made = made, .sure_s = sure_s};
  // The first micro-batch has nothing to add to.
  const auto count = static_cast<double>(tables_.form(op.result).num_micro_batches);
  const bool accumulates = frame_.is_accumulated[at(id)] && pass_->repeats();
  const double sum_bytes = accumulates ? (count - 1) / count * tables_.tile_bytes(op.result) : 0;
  switch (work) {
    case OpWork::none: break;
    case OpWork::kernel:
      node.seconds = op.kernel_s;
      // Dots add to what is there; others leave that to a loop.
      if (sum_bytes > 0 && graph_.op(id).kind != OpKind::dot)
        node.seconds += stream_s(3 * sum_bytes) + latency_s;
      break;
    case OpWork::loop: node.seconds = loop_s(id, sum_bytes); break;
  }
}

void PassPricer::depart(const Held& value) {
  departed_.wait_for(value.there);
  departure_level_ = std::max(departure_level_, value.level);
}

/// What leaves partial is made whole here.
void PassPricer::hand_out(ValueId id) {
  Node& node = nodes_[at(id)];
  node.leads = frame_.departs[at(id)];
  if (!frame_.leaves[at(id)] || frame_.made_in[at(id)] < 0) return;
  if (&frame_.passes[at(frame_.made_in[at(id)])] != pass_) return;
  const bool sums = frame_.is_accumulated[at(id)] && pass_->repeats();
  if (!sums && !tables_.form(node.made.form).is_partial()) return;
  const Held out = fetch(id, sums ? summed(id) : held(*pass_, id), id);
  latest_.wait_for(out.there);
  if (frame_.departs[at(id)]) depart(out);
}

/// Backwards: what feeds collectives and departures, and how much memory is in use.
void PassPricer::walk_back() {
  double bytes = 0;
  for (std::size_t i = pass_->ops.size(); i-- > 0;) {
    const ValueId id = pass_->ops[i];
    Node& node = nodes_[at(id)];
    const bool is_temporary = frame_.work[at(id)] == OpWork::kernel ||
                              (frame_.work[at(id)] == OpWork::loop && pass_->traffic_of(id).writes);
    for (const ValueId operand : graph_.op(id).operands) {
      if (frame_.is_copied[at(operand)]) continue;
      Node& read = nodes_[at(operand)];
      read.feeds |= node.feeds && read.made.level == node.made.level;
      read.holds |= node.holds && read.made.level == node.made.level;
      read.leads |= node.leads;
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

double PassPricer::bucket_s(const Bucket& bucket) {
  const double count = std::max(1.0, std::floor(bucket.sum.bytes / plan::kBucketBytes));
  Collective one = bucket.sum;
  one.bytes /= count;
  return count * tables_.seconds(one, kind_);
}

namespace {

struct Level {
  double first_s = 0, beside_s = 0, collectives_s = 0;
  double leads_s = 0;  ///< of first_s and beside_s what departures need
};

/// All levels, and how much of them is over when what leaves at level `departure` does: kernels run
/// at their level even where a departure does not need them.
std::pair<double, double> sums(const std::vector<Level>& levels, std::int32_t departure) {
  double seconds = 0, departs_s = 0;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const Level& level = levels[k];
    if (at(departure) == k && departure >= 0) departs_s = seconds + level.leads_s;
    seconds += level.first_s + std::max(level.beside_s, level.collectives_s);
  }
  return {seconds, at(departure) < levels.size() || departure < 0 ? departs_s : seconds};
}

}  // namespace

PassTime PassPricer::expected() {
  std::int32_t num_levels = 1;
  for (const ValueId id : pass_->ops) num_levels = std::max(num_levels, nodes_[at(id)].made.level);
  for (const Bucket& bucket : buckets_) num_levels = std::max(num_levels, bucket.level);
  std::vector<Level> all(at(num_levels) + 1), after = all;
  for (const ValueId id : pass_->ops) {
    const Node& node = nodes_[at(id)];
    const bool is_worth = ir::traits(graph_.op(id).kind).heavy || frame_.leaves[at(id)];
    // Of kernels those that do not wait for an arrival have been run by then.
    const bool is_after = node.made.there.from_arrival_s >= 0 || !is_worth;
    for (std::vector<Level>* levels : {&all, &after}) {
      if (levels == &after && !is_after) continue;
      Level& level = (*levels)[at(node.made.level)];
      (is_worth && !node.feeds ? level.beside_s : level.first_s) += node.seconds;
      if (node.leads) level.leads_s += node.seconds;
    }
  }
  for (const Bucket& bucket : buckets_) {
    const double seconds = bucket_s(bucket);
    all[at(bucket.level)].collectives_s += seconds;
    if (bucket.waits) after[at(bucket.level)].collectives_s += seconds;
  }
  const auto [whole_s, departs_s] = sums(all, departure_level_);
  const auto [after_s, departs_after_s] = sums(after, departure_level_);
  return {.seconds = std::max(issue_s(), broken_s_ + whole_s),
          .after_s = broken_s_ + after_s,
          .departs_s = broken_s_ + departs_s,
          .departs_after_s = broken_s_ + departs_after_s,
          .temporary_bytes = peak_bytes_,
          .early_s = early_s_};
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
  double leads_s = 0;
  for (const ValueId id : pass_->ops)
    if (nodes_[at(id)].leads) leads_s += nodes_[at(id)].sure_s;
  PassTime time{.seconds = std::max({sure_s_, latest_.from_begin_s, windows_s()}),
                .after_s = std::max(0.0, latest_.from_arrival_s),
                .departs_s = std::max(departed_.from_begin_s, leads_s),
                .departs_after_s = std::max(0.0, departed_.from_arrival_s),
                .temporary_bytes = 0,
                .early_s = early_busy_s_};
  for (const auto& [axes, seconds] : busy_s_) time.seconds = std::max(time.seconds, seconds);
  return time;
}

}  // namespace rhino::evaluate
