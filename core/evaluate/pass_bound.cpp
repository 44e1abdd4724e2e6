// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include "evaluate/pass_price.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

/// One kernel, whatever is around it.
bool is_sure_kernel(OpKind kind) {
  return kind == OpKind::dot || kind == OpKind::convolution || kind == OpKind::gather ||
         kind == OpKind::scatter;
}

}  // namespace

/// What the op takes however it is fused with others.
SureTime PassPricer::sure_of(ValueId id, const OpPrice& op) {
  const double share = has_several_meshes_ ? op.least_share : 1;
  if (const AttentionPrice* const attention = attention_of(id); attention && !is_inside(id))
    return {least_share_ < 1 ? 0 : attention->results[result_number(id)].sure_s, 0, 0};
  const PassOp& own = pass_->facts_of(id);
  if (own.may_attend) return {};
  double bytes = 0;
  if (is_sure_kernel(own.kind)) {
    const bool is_product = own.kind == OpKind::dot || own.kind == OpKind::convolution;
    for (const PassRead& read : pass_->reads_of(own)) {
      if (is_product && read.operand >= 0)
        bytes += sure_copied_bytes(read, op.needs[at(read.operand)]);
    }
    const bool has_loops = own.kind == OpKind::scatter;
    return {share * (has_loops ? op.own_s : op.kernel_s), least_stream_s(bytes), 0};
  }
  if (own.work != OpWork::loop) return {};
  if (traffic_of(id).surely_writes) bytes += tables_.tile_bytes(op.result);
  for (const PassRead& read : pass_->reads_of(own)) {
    if (!read.is_again) bytes += sure_read_bytes(id, read, op.needs[at(read.operand)]);
  }
  return {0, least_stream_s(bytes), share * op.arithmetic_s};
}

/// Read and written, so that a product finds adjacent what collectives have brought in parts.
double PassPricer::sure_copied_bytes(const PassRead& read, FormId need) {
  const HeldForm& made = node(read.value).made;
  for (std::int32_t other = made.next; other >= 0; other = others_[at(other)].next) {
    HeldForm& held = others_[at(other)];
    if (held.form != need) continue;
    const double bytes = std::exchange(held.apart_bytes, 0);
    return bytes > 0 && std::exchange(held.is_fresh, false) ? 2 * bytes : bytes;
  }
  return 0;
}

double PassPricer::sure_read_bytes(ValueId id, const PassRead& read, FormId need) {
  const HeldForm& made = node(read.value).made;
  if (made.form != need) {
    for (std::int32_t other = made.next; other >= 0; other = others_[at(other)].next) {
      if (others_[at(other)].form == need && std::exchange(others_[at(other)].is_fresh, false))
        return tables_.tile_bytes(need);
    }
    return 0;
  }
  for (const auto& [view, base] : traffic_of(id).sure_reads) {
    if (view != read.value || !shows(view, base)) continue;
    node(base).read_by = id;
    return std::min(tables_.tile_bytes(need), tables_.tile_bytes(node(base).made.form));
  }
  return 0;
}

/// Whether nothing is resharded on the way from a value to one that shows it.
bool PassPricer::shows(ValueId view, ValueId base) {
  while (view != base) {
    const ValueId operand = graph_.op(view).operands.front();
    if (cuts_.ops[at(view)] == nullptr ||
        cuts_.ops[at(view)]->needs.front() != node(operand).made.form)
      return false;
    view = operand;
  }
  return true;
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
  for (const ReadyTogether& bucket : buckets_) {
    if (!bucket.is_read) continue;
    Window& window = windows[bucket.level];
    window.num_collectives += bucket.readers.size();
    window.seconds = least_of(bucket.sum).seconds;
  }
  if (windows.empty()) return 0;
  const std::int32_t last = windows.rbegin()->first + 1;
  for (const ValueId id : pass_->ops) {
    const PassValue& node = nodes_[at(id)];
    const std::int32_t level = node.made.level;
    if (node.holds || level >= last) windows[level].before_s += node.sure.chained_s();
  }
  double seconds = 0;
  for (const auto& [level, window] : windows) {
    if (level >= last) seconds += window.before_s;
    else if (window.num_collectives == 1) seconds += window.before_s + window.seconds;
  }
  return seconds;
}

Epoch PassPricer::epoch(const PassValue& node) const {
  return node.is_early ? kEarly : node.made.waits ? kLate : kUnknown;
}

/// All collectives that need nothing that has to be waited for are started before anything is
/// waited for: what they need runs in other kernels than what waits. What loops of the one make for
/// loops of the other goes through memory, and what both read is read twice.
void PassPricer::add_between_epochs() {
  for (std::size_t i = 0; i < pass_->ops.size(); ++i) {
    const PassOp& op = pass_->facts[i];
    if (op.work == OpWork::loop && epoch(nodes_[at(pass_->ops[i])]) != kUnknown && !op.may_attend)
      add_between_epochs(pass_->ops[i]);
  }
}

void PassPricer::add_between_epochs(ValueId id) {
  const std::vector<ValueId>& operands = graph_.op(id).operands;
  const std::vector<FormId>& needs = cuts_.ops[at(id)]->needs;
  const Epoch now = epoch(nodes_[at(id)]);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const ValueId base = traffic_of(id).bases[i];
    if (base == kNoValue || needs[i] != node(operands[i]).made.form || !shows(operands[i], base) ||
        frame_.may_attend[at(base)])
      continue;
    PassValue& made = node(base);
    const bool is_loop = frame_.work[at(base)] == OpWork::loop && pass_->makes(base);
    const bool passes = is_loop && made.is_early && now == kLate;
    const double tile_bytes = tables_.tile_bytes(made.made.form);
    if (passes && !std::exchange(made.is_written, true))
      made.sure.stream_s += least_stream_s(tile_bytes);
    if (is_loop && !passes) continue;
    if (made.read_by != kNoValue) {
      const Epoch known = epoch(nodes_[at(std::exchange(made.read_by, kNoValue))]);
      made.read_in |= known == kUnknown ? kEarly | kLate : known;
    }
    if (made.read_in & now) continue;
    made.read_in |= now;
    nodes_[at(id)].sure.stream_s +=
        least_stream_s(std::min(tile_bytes, tables_.tile_bytes(needs[i])));
  }
}

/// A device runs one kernel at a time: what waits for the arrival takes, behind it, as long as all
/// of that one after the other, and what leaves waits for all that it is made of.
PassTime PassPricer::bound() {
  const Software& software = tables_.cost().cluster().software;
  const std::uint32_t together = axes_together();
  add_between_epochs();
  SureTime all, after;
  std::vector<SureTime> leads(departed_.size()), leads_after(departed_.size());
  std::vector<double> leads_issue_s(departed_.size());
  double num_kernels = 0, num_after = 0;
  for (std::size_t i = 0; i < pass_->ops.size(); ++i) {
    const PassValue& node = nodes_[at(pass_->ops[i])];
    const PassOp& op = pass_->facts[i];
    const bool is_kernel = is_sure_kernel(op.kind) && !op.may_attend;
    const bool is_after = node.made.there.from_arrival_s >= 0;
    const bool is_together = is_after && (node.made.there.axes & together) == together;
    num_kernels += is_kernel;
    num_after += is_kernel && is_after;
    all.add(node.sure);
    if (is_together) after.add(node.sure);
    for (std::size_t d = 0; d < departed_.size(); ++d) {
      if ((node.leads >> d & 1) == 0) continue;
      leads[d].add(node.sure);
      if (is_together) leads_after[d].add(node.sure);
      if (is_kernel && is_after) leads_issue_s[d] += software.kernel_issue_s;
    }
  }
  const auto loops_s = [&](const Earliest::Loops& loops) { return loops.num * loop_latency_s_; };
  const auto loops_after_s = [&](const Earliest& there) {
    return together == 0 ? loops_s(there.loops_after) : 0;
  };
  const double issue_after_s = num_after * software.kernel_issue_s;
  PassTime time{.span = {.seconds = std::max({all.seconds() + loops_s(latest_.loops),
                                              latest_.from_begin_s, windows_s()}),
                         .after_s = std::max({issue_after_s, latest_.from_arrival_s,
                                              after.seconds() + loops_after_s(latest_)}),
                         .issue_s = software.kernel_issue_s *
                                    (num_kernels + software.kernels_per_loop * latest_.loops.num),
                         .issue_after_s = issue_after_s,
                         .departures = {}},
                .work_s = all.seconds(),
                .early_s = early_sums_.sure_s(),
                .together = together};
  for (std::size_t d = 0; d < departed_.size(); ++d) {
    const Earliest& there = departed_[d];
    const double after_s = std::max(
        {there.from_arrival_s, leads_issue_s[d], leads_after[d].seconds() + loops_after_s(there)});
    time.span.departures.push_back(
        {std::max(there.from_begin_s, leads[d].seconds() + loops_s(there.loops)),
         there.from_arrival_s >= 0 ? after_s : -1});
  }
  play_sure(time);
  for (const auto& [axes, seconds] : busy_s_)
    time.span.seconds = std::max(time.span.seconds, seconds);
  SureTime with_sums = all;
  with_sums.stream_s += sure_sums_s_;
  time.span.adding_s =
      std::max(0.0, with_sums.seconds() + loops_s(latest_.loops) - time.span.seconds);
  return time;
}

/// Plans cut a pass in the order in which CutWalk plays it, which no times change. So it takes as
/// long as that where each op takes what is sure, and each message as if it were alone. What of it
/// is behind the arrival counts from when a device has its own, not from when others have theirs.
/// Where a reshard might be spared, and in updates, plans may cut otherwise.
void PassPricer::play_sure(PassTime& time) {
  if (!is_order_sure()) return;
  std::map<std::uint32_t, double> busy_s;  // as busy_s_
  const CutWalk::Price price = [&](const Collective& message) {
    const auto [seconds, own_busy_s] =
        tables_.bound_of_message(message, kind_, !has_several_meshes_);
    busy_s[message.axes] += own_busy_s;
    return LinkUse{seconds, {}};
  };
  const auto lengthen = [](double& seconds, double least_s) {
    seconds = std::max(seconds, least_s);
  };
  const CutWalk::Result soon = cut_.run_sure(0, price);
  lengthen(time.span.seconds, soon.end_s);
  for (const auto& [axes, seconds] : std::exchange(busy_s, {})) lengthen(busy_s_[axes], seconds);
  for (std::size_t d = 0; d < departed_.size(); ++d)
    lengthen(time.span.departures[d].seconds, soon.departs_s[d]);
  if (time.together != 0 || pass_->num_arrivals != 1) return;
  const double late_s = 2 * soon.end_s;
  const CutWalk::Result late = cut_.run_sure(late_s, price);
  lengthen(time.span.after_s, late.end_s - late_s);
  for (std::size_t d = 0; d < departed_.size(); ++d) {
    double& after_s = time.span.departures[d].after_s;
    if (after_s >= 0) lengthen(after_s, late.departs_s[d] - late_s);
  }
}

std::vector<PassPricer::Item> PassPricer::items(const PassOps& pass) {
  walk(pass);
  units_.hold_back(gathers_, results_, least_bucket_bytes_);
  if (!is_order_sure()) return {};
  std::vector<CutWalk::Item> played;
  cut_.record(&played);
  cut_.run_sure(0, [](const Collective&) { return LinkUse{}; });
  cut_.record(nullptr);
  std::map<std::int32_t, ValueId> op_of;
  for (const ValueId id : pass.ops) op_of[nodes_[at(id)].made.unit] = id;
  std::vector<Item> items;
  for (const CutWalk::Item& item : played) {
    Item& added = items.emplace_back(Item{item.kind, item.number});
    for (const std::int32_t unit : item.units) {
      if (item.kind == plan::CutItem::Kind::start) {
        const Collective before = std::exchange(added.message, units_.collective(unit));
        added.message.join(before);
      } else if (const auto op = op_of.find(unit); op != op_of.end()) {
        added.ops.push_back(op->second);
      }
    }
    std::ranges::sort(added.ops);
  }
  return items;
}

/// Of collectives behind the arrival, on whatever way from there to the end, and to departures.
std::uint32_t PassPricer::axes_together() const {
  std::uint32_t axes = latest_.axes;
  for (const Earliest& there : departed_) {
    if (there.from_arrival_s >= 0) axes &= there.axes;
  }
  return axes;
}

}  // namespace rhino::evaluate
