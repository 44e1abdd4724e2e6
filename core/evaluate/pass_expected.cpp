// SPDX-License-Identifier: Apache-2.0
/// What ops, and a pass of them, are expected to take.
#include <algorithm>
#include <utility>

#include "evaluate/pass_price.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {

/// But for what it reads.
PassPricer::Spent PassPricer::loop(ValueId id, double more_bytes) const {
  return {.arithmetic_s = cuts_.ops[at(id)]->arithmetic_s, .stream_s = written_s(id, more_bytes)};
}

double PassPricer::written_s(ValueId id, double more_bytes) const {
  if (!traffic_of(id).writes) return stream_s(more_bytes);
  const FormId made = cuts_.ops[at(id)]->result;
  return more_bytes == 0 ? tables_.tile_stream_s(made, kind_)
                         : stream_s(more_bytes + tables_.tile_bytes(made));
}

/// Around collectives: parts of tiles that have to be brought together, or apart, and what would
/// not be written or read in the midst of a loop.
double PassPricer::copied_s(ValueId id, const Reshard& price, ValueId reader) {
  if (price.collectives.empty()) return 0;
  double seconds = 0;
  const auto copy_s = [&](double bytes) {
    if (bytes == 0) return 0.0;
    ++num_copies_;
    return stream_s(2 * bytes) + tables_.cost().loop_latency_s(model_);
  };
  const bool is_loop = frame_.work[at(id)] == OpWork::loop && pass_->makes(id);
  if (!is_loop) seconds += stream_s(2 * price.gathered_bytes);
  else {
    if (!traffic_of(id).writes) seconds += stream_s(price.collectives.front().bytes);
    seconds += copy_s(price.gathered_bytes);
  }
  if (reader != id && frame_.work[at(reader)] == OpWork::kernel) {
    copies_s_ += copy_s(price.scattered_bytes);
    copied_bytes_ += Tables::memory_bytes(price.scattered_bytes);
  }
  return seconds;
}

/// In front of a collective, by a loop.
bool PassPricer::is_gathered(ValueId id, const Reshard& price) const {
  const bool is_loop = frame_.work[at(id)] == OpWork::loop && pass_->makes(id);
  return !price.collectives.empty() && !is_loop && price.gathered_bytes > 0;
}

bool PassPricer::adds_scattered(ValueId id) const {
  return frame_.is_accumulated[at(id)] && pass_->repeats() &&
         forms_.summed(id) != cuts_.forms[at(id)];
}

/// But for launches of loops.
PassPricer::Spent PassPricer::spent(ValueId id, const OpPrice& op) {
  if (is_inside(id)) return {};
  if (const AttentionPrice* const attention = attention_of(id))
    return {attention->results[result_number(id)].seconds};
  const PassOp& own = pass_->facts_of(id);
  const OpWork work = own.work;
  if (work == OpWork::none) return traffic_of(id).launch >= 0 ? loop(id, 0) : Spent();
  const bool accumulates = own.is_accumulated && pass_->repeats() && !adds_scattered(id);
  if (!accumulates) return work == OpWork::loop ? loop(id, 0) : Spent{op.kernel_s};
  // The first micro-batch has nothing to add to.
  const double count = tables_.facts(op.result).count, share = (count - 1) / count,
               sum_bytes = share * tables_.tile_bytes(op.result);
  // Dots add to what is there, and so do loops, but for sums along rows and columns, and what
  // rounds these. All else leaves that to a loop of its own, once for what one loop makes.
  const Op& made = graph_.op(id);
  const bool is_loop = work == OpWork::loop;
  const bool adds = is_loop ? made.kind != OpKind::reduce || is_narrow(made.shape.dtype)
                            : made.kind == OpKind::dot;
  if (is_loop && adds) adding_s_ += stream_s(sum_bytes);
  if (share == 0 || adds) return is_loop ? loop(id, sum_bytes) : Spent{op.kernel_s};
  const bool is_first = !is_loop || adding_launches_.insert(traffic_of(id).launch).second;
  if (is_first) num_copies_ += share;
  copied_bytes_ += tables_.memory_bytes(op.result);
  Spent spent = is_loop ? loop(id, 0) : Spent{op.kernel_s};
  spent.seconds +=
      stream_s(3 * sum_bytes) + (is_first ? share * tables_.cost().loop_latency_s(model_) : 0);
  adding_s_ += spent.seconds - (is_loop ? 0 : op.kernel_s);
  return spent;
}

/// Of use while something is under way; the rest is better fused with what comes behind.
bool PassPricer::is_worth(ValueId id, FormId out) const {
  const PassOp& own = pass_->facts_of(id);
  if (is_inside(id)) return false;
  if (own.is_heavy) return true;
  return own.leaves && own.work != OpWork::none && own.kind != OpKind::convert &&
         (own.is_anew || out == cuts_.ops[at(id)]->result);
}

/// That the host issues for an op, but for loops, and for copies around it.
double PassPricer::kernels_of(ValueId id) {
  const AttentionPrice* const attention = id != kNoValue ? attention_of(id) : nullptr;
  const bool is_kernel =
      id != kNoValue && pass_->facts_of(id).work == OpWork::kernel && !is_inside(id) &&
      (attention == nullptr || attention->results[result_number(id)].seconds > 0);
  const double own = is_kernel ? 1 : 0;
  if (num_copies_ == 0) return own;
  return own + tables_.cost().cluster().software.kernels_per_loop * std::exchange(num_copies_, 0);
}

/// Of all collectives that wait for something which other meshes send.
std::uint32_t PassPricer::axes_behind_arrivals() const {
  const CutUnits& units = units_;
  Flags is_behind(at(units.size()));
  bool is_any = false;
  for (const auto& [id, unit] : outside_reads_) {
    if (pass_->arrival_of(id) < 0) continue;
    is_behind[at(unit)] = true;
    is_any = true;
  }
  std::uint32_t axes = 0;
  if (!is_any) return axes;
  for (std::int32_t u = 0; u < units.size(); ++u) {
    for (const std::int32_t need : units.needs(u))
      if (is_behind[at(need)]) is_behind[at(u)] = true;
    if (is_behind[at(u)] && units.unit(u).collective >= 0) axes |= units.collective(u).axes;
  }
  return axes;
}

bool PassPricer::runs_once() const {
  return !pass_->repeats() || pass_->ops.empty() ||
         tables_.facts(cuts_.forms[at(pass_->ops.front())]).count <= kMostOnce;
}

void PassPricer::leave(ValueId id, std::int32_t unit) {
  if (unit < 0) return;
  units_.unit(unit).left_bytes = left_bytes(id);
  units_.unit(unit).is_sum = frame_.is_accumulated[at(id)];
}

/// What the pass leaves of it, for later ones of its chunk: a sum, or a value of a micro-batch.
double PassPricer::left_bytes(ValueId id) const {
  if (frame_.is_accumulated[at(id)])
    return pass_->repeats() ? tables_.memory_bytes(forms_.summed(id)) : 0;
  const KeptValue* const kept = frame_.kept_by(pass_->chunk, id);
  if (kept == nullptr || kept->first != pass_->phase || kept->last == pass_->phase) return 0;
  return tables_.memory_bytes(forms_.held({.chunk = pass_->chunk, .phase = kept->last}, id));
}

/// A sum that is an output of the step stays where it is, or is reduced there.
bool PassPricer::stays(ValueId id) const {
  if (!frame_.is_output[at(id)]) return false;
  const FormId sum = forms_.summed(id);
  if (!tables_.facts(sum).is_partial) return true;
  const std::vector<Collective>& sent = tables_.reshard(sum, forms_.handed_on(id)).collectives;
  return sent.size() == 1 && sent.front().kind == OpKind::all_reduce &&
         !forms_.is_read_elsewhere(id);
}

/// Of what earlier passes left, all that the pass is the last to read.
std::vector<CutWalk::Ending> PassPricer::endings() const {
  std::vector<std::pair<ValueId, std::int32_t>> reads = outside_reads_;
  std::ranges::sort(reads);
  std::vector<CutWalk::Ending> endings;
  for (std::size_t first = 0, last = 0; first < reads.size(); first = last) {
    const ValueId id = reads[first].first;
    while (last < reads.size() && reads[last].first == id) ++last;
    const KeptValue* const kept = frame_.kept_by(pass_->chunk, id);
    const bool is_sum = frame_.is_accumulated[at(id)] && !pass_->repeats() &&
                        frame_.chunk_of[at(id)] == pass_->chunk;
    if (!is_sum && (kept == nullptr || kept->last != pass_->phase)) continue;
    if (is_sum && stays(id)) continue;
    CutWalk::Ending& ending = endings.emplace_back();
    for (std::size_t i = first; i < last; ++i) ending.units.push_back(reads[i].second);
    ending.bytes = tables_.memory_bytes(is_sum ? forms_.summed(id) : forms_.held(*pass_, id));
  }
  return endings;
}

PassTime PassPricer::expected() {
  const CutWalk::Price price = [&](const Collective& sum) { return tables_.use(sum, kind_); };
  const Software& software = tables_.cost().cluster().software;
  const CutWalk::Costs costs{tables_.cost().loop_latency_s(model_), software.kernel_issue_s,
                             software.kernels_per_loop, &software};
  const CutWalk::Result soon = cut_.run(0, costs, price);
  const CutWalk::Memory memory = runs_once() ? cut_.memory(endings()) : cut_.memory();
  const bool waits = pass_->num_arrivals > 0;
  // What it waits for comes when all else is done.
  const double late_s = 2 * soon.end_s;
  const CutWalk::Result late = waits ? cut_.run(late_s, costs, price) : soon;
  PassTime time{.span = {.seconds = std::max({soon.end_s, soon.busy_s[0], soon.busy_s[1]}),
                         .after_s = waits ? late.end_s - late_s : 0},
                .early_s = early_sums_.seconds(),
                .last_early_s = early_sums_.last_s(),
                .early_links_s = early_sums_.links_s(),
                .temporary_bytes = memory.between,
                .workspace_bytes = memory.within,
                .launch_bytes = memory.at_once,
                .output_bytes = output_bytes_,
                .freed_bytes = memory.freed,
                .freed_again_bytes = memory.freed_again,
                .together = pass_->repeats() ? 0 : axes_behind_arrivals()};
  if (last_early_ >= 0) {
    cut_.make_late(last_early_, {time.early_links_s[0] > 0, time.early_links_s[1] > 0});
    time.after_early_s = cut_.run(late_s, costs, price).end_s - late_s;
    cut_.make_late(pass_->main_arrival);
  }
  time.span.issue_s = soon.issued_s + (waits ? software.kernel_issue_s : 0);
  time.span.links_s = soon.busy_s;
  time.span.waited_s = soon.waited_s;
  if (time.span.seconds > 0)
    time.span.issue_after_s = time.span.issue_s * time.span.after_s / time.span.seconds;
  for (std::size_t d = 0; d < departed_.size(); ++d)
    time.span.departures.push_back(
        {soon.departs_s[d], waits ? late.departs_s[d] - late_s : -1, soon.num_before[d]});
  if (!pass_->repeats()) time.span.arrivals_s = soon.arrives_s;
  add_one_by_one(soon, time.span);
  return time;
}

/// As pipeline_problem() has it (planner.hpp): of the first micro-batch, with loops that no
/// collective cuts.
void PassPricer::add_one_by_one(const CutWalk::Result& played, PassSpan& span) {
  const CutUnits& units = units_;
  struct Launched {
    bool is_used = false;
    double arithmetic_s = 0, stream_s = 0;
  };
  std::vector<Launched> launched;
  std::vector<std::int32_t> read_by(at(units.num_memory()), -1);
  const double latency_s = tables_.cost().loop_latency_s(model_);
  double work_s = -adding_s_, collectives_s = early_sums_.seconds();
  for (std::int32_t u = 0; u < units.size(); ++u) {
    const CutUnits::Unit& unit = units.unit(u);
    if (unit.collective >= 0) collectives_s += tables_.seconds(units.collective(u), kind_);
    work_s += unit.seconds;
    if (unit.launch < 0) continue;
    if (launched.size() <= at(unit.launch)) launched.resize(at(unit.launch) + 1);
    Launched& own = launched[at(unit.launch)];
    if (!std::exchange(own.is_used, true)) work_s += latency_s;
    own.arithmetic_s += unit.arithmetic_s;
    own.stream_s += unit.stream_s;
    for (const CutUnits::Read& read : units.reads(u)) {
      if (std::exchange(read_by[at(read.memory)], unit.launch) != unit.launch)
        own.stream_s += read.seconds;
    }
  }
  for (const Launched& own : launched) work_s += std::max(own.arithmetic_s, own.stream_s);
  span.one_by_one_s = std::max(0.0, work_s) + collectives_s;
  if (pass_->num_departures == 0) return;
  double heavy_s = 0, needed_s = 0;
  for (const ValueId id : pass_->ops) {
    const PassValue& node = nodes_[at(id)];
    const CutUnits::Unit& unit = units.unit(node.made.unit);
    if (!unit.is_heavy) continue;
    heavy_s += unit.seconds;
    if (node.leads != 0) needed_s += unit.seconds;
  }
  if (heavy_s > 0)
    span.ahead_s = std::max(0.0, played.heavy_before_s - needed_s) / heavy_s * work_s;
}

}  // namespace rhino::evaluate
