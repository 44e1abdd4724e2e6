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
  return kind == OpKind::dot || kind == OpKind::convolution || kind == OpKind::gather;
}

}  // namespace

/// What the op takes however it is fused with others, but for its arithmetic.
double PassPricer::sure_s(ValueId id, const OpPrice& op) {
  if (is_sure_kernel(graph_.op(id).kind)) return op.kernel_s;
  if (frame_.work[at(id)] != OpWork::loop) return 0;
  double bytes = pass_->traffic_of(id).surely_writes ? tables_.tile_bytes(op.result) : 0;
  for (std::size_t i = 0; i < op.needs.size(); ++i) bytes += sure_read_bytes(id, i, op);
  return stream_s(bytes);
}

double PassPricer::sure_read_bytes(ValueId id, std::size_t operand, const OpPrice& op) {
  const ValueId read = graph_.op(id).operands[operand];
  if (frame_.is_copied[at(read)]) return 0;
  const FormId need = op.needs[operand];
  const Held& made = node(read).made;
  if (made.form != need) {
    for (std::int32_t other = made.next; other >= 0; other = others_[at(other)].next) {
      if (others_[at(other)].form == need && std::exchange(others_[at(other)].is_fresh, false))
        return tables_.tile_bytes(need);
    }
    return 0;
  }
  for (const auto& [view, base] : pass_->traffic_of(id).sure_reads) {
    if (view == read && shows(view, base))
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

void PassPricer::add_sure(ValueId id, Sure& sure) const {
  const bool is_loop = frame_.work[at(id)] == OpWork::loop;
  (is_loop ? sure.stream_s : sure.kernels_s) += nodes_[at(id)].sure_s;
  if (is_loop) sure.arithmetic_s += cuts_.ops[at(id)]->arithmetic_s;
}

/// A device runs one kernel at a time: what waits for the arrival takes, behind it, as long as all
/// of that one after the other, and what leaves waits for all that it is made of.
PassTime PassPricer::bound() {
  const Software& software = tables_.cost().cluster().software;
  const double latency_s = tables_.cost().loop_latency_s(model_);
  const std::uint32_t together = axes_together();
  Sure after;
  std::vector<Sure> leads(departed_.size()), leads_after(departed_.size());
  std::vector<double> leads_issue_s(departed_.size());
  double num_kernels = 0, num_after = 0;
  for (const ValueId id : pass_->ops) {
    const Node& node = nodes_[at(id)];
    const bool is_kernel = is_sure_kernel(graph_.op(id).kind);
    const bool is_after = node.made.there.from_arrival_s >= 0;
    const bool is_together = is_after && (node.made.there.axes & together) == together;
    num_kernels += is_kernel;
    num_after += is_kernel && is_after;
    if (is_together) add_sure(id, after);
    for (std::size_t d = 0; d < departed_.size(); ++d) {
      if ((node.leads >> d & 1) == 0) continue;
      add_sure(id, leads[d]);
      if (is_together) add_sure(id, leads_after[d]);
      if (is_kernel && is_after) leads_issue_s[d] += software.kernel_issue_s;
    }
  }
  const auto loops_s = [&](const Earliest::Loops& loops) { return loops.num * latency_s; };
  const auto loops_after_s = [&](const Earliest& there) {
    return together == 0 ? loops_s(there.loops_after) : 0;
  };
  const double issue_after_s = num_after * software.kernel_issue_s;
  PassTime time{.span = {.seconds = std::max({sure_.seconds() + loops_s(latest_.loops),
                                              latest_.from_begin_s, windows_s()}),
                         .after_s = std::max({issue_after_s, latest_.from_arrival_s,
                                              after.seconds() + loops_after_s(latest_)}),
                         .issue_s = software.kernel_issue_s *
                                    (num_kernels + software.kernels_per_loop * latest_.loops.num),
                         .issue_after_s = issue_after_s,
                         .departures = {}},
                .early_s = early_busy_s_,
                .together = together};
  for (std::size_t d = 0; d < departed_.size(); ++d) {
    const Earliest& there = departed_[d];
    const double after_s = std::max(
        {there.from_arrival_s, leads_issue_s[d], leads_after[d].seconds() + loops_after_s(there)});
    time.span.departures.push_back(
        {std::max(there.from_begin_s, leads[d].seconds() + loops_s(there.loops)),
         there.from_arrival_s >= 0 ? after_s : -1});
  }
  for (const auto& [axes, seconds] : busy_s_)
    time.span.seconds = std::max(time.span.seconds, seconds);
  Sure with_sums = sure_;
  with_sums.stream_s += sure_sums_s_;
  time.span.adding_s =
      std::max(0.0, with_sums.seconds() + loops_s(latest_.loops) - time.span.seconds);
  return time;
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
