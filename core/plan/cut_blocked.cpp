// SPDX-License-Identifier: Apache-2.0
#include "plan/cut_blocked.hpp"

#include <algorithm>

#include "ir/op_info.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {

CutBlocked::CutBlocked(const Program& program, const CutGraph& graph,
                       const std::vector<ValueId>& not_before, const std::vector<bool>& done)
    : program_(program),
      graph_(graph),
      blocked_(program.ops.size()),
      num_missing_(program.ops.size()) {
  for (ValueId id = 0; id < program.size(); ++id) {
    if (!graph.needed[at(id)]) continue;
    for (const ValueId base : graph.bases[at(id)]) num_missing_[at(id)] += blocked_[at(base)];
    if (const ValueId earlier = not_before[at(id)]; earlier != kNoValue) {
      num_missing_[at(id)] += blocked_[at(earlier)];
      held_.emplace_back(earlier, id);
    }
    blocked_[at(id)] = !done[at(id)] && (is_awaited(id) || !is_ready(id));
    if (!blocked_[at(id)] && !is_awaited(id)) free_.push_back(id);
  }
  std::ranges::sort(held_);
}

bool CutBlocked::is_awaited(ValueId id) const {
  const OpKind kind = program_.op(id).kind;
  return kind == OpKind::parameter || ir::is_collective(kind);
}

void CutBlocked::complete(ValueId id) {
  if (!blocked_[at(id)]) return;
  blocked_[at(id)] = false;
  open_.push_back(id);
  while (!open_.empty()) {
    const ValueId now = open_.back();
    open_.pop_back();
    for (const ValueId user : graph_.users[at(now)]) meet(user);
    for (auto held = std::ranges::lower_bound(held_, std::pair(now, ValueId{0}));
         held != held_.end() && held->first == now; ++held)
      meet(held->second);
  }
}

/// One thing less that it waits for.
void CutBlocked::meet(ValueId id) {
  if (--num_missing_[at(id)] > 0 || is_awaited(id)) return;
  blocked_[at(id)] = false;
  free_.push_back(id);
  open_.push_back(id);
}

}  // namespace rhino::plan
