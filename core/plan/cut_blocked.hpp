// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "plan/cut_graph.hpp"

namespace rhino::plan {

/// Which ops of a program cannot run before something else has been waited for: inputs and
/// collectives until they are complete, and all that needs them. What is complete tells those alone
/// that wait for it.
class CutBlocked {
 public:
  /// Per op the one that it does not run before, earlier; kNoValue: it may at any time. `done`: the
  /// inputs that are there. All but `not_before` are borrowed.
  CutBlocked(const Program& program, const CutGraph& graph, const std::vector<ValueId>& not_before,
             const std::vector<bool>& done);

  bool operator[](ValueId id) const { return blocked_[static_cast<std::size_t>(id)]; }
  /// Nothing that it needs is blocked.
  bool is_ready(ValueId id) const { return num_missing_[static_cast<std::size_t>(id)] == 0; }
  /// An input, or the result of a collective.
  void complete(ValueId id);
  /// Ops that are needed and not blocked, no collectives; those that have run may be taken out.
  std::vector<ValueId>& free() { return free_; }

 private:
  bool is_awaited(ValueId id) const;
  void meet(ValueId id);

  const Program& program_;
  const CutGraph& graph_;
  std::vector<bool> blocked_;
  std::vector<std::int32_t> num_missing_;          ///< of bases and not_before, those blocked
  std::vector<std::pair<ValueId, ValueId>> held_;  ///< not_before and op, sorted
  std::vector<ValueId> free_, open_;               ///< open: whose users are to be told
};

}  // namespace rhino::plan
