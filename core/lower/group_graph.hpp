// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace rhino::lower {

/// Groups of ops and who needs whom, kept in an order in which every group comes after those it
/// needs, while groups are merged.
class GroupGraph {
 public:
  /// `num_ops` groups of one op each, in order.
  explicit GroupGraph(std::int32_t num_ops);

  /// `to` reads what `from` makes; from < to.
  void connect(std::int32_t from, std::int32_t to);

  /// The group of `op`, named by one of its ops.
  std::int32_t find(std::int32_t op);

  /// Whether merging both groups closes no cycle through a third one. Also false where the search
  /// would visit too many groups: groups that lie far apart seldom gain from being merged.
  bool can_merge(std::int32_t a, std::int32_t b);
  /// Merges two groups for which can_merge() was true just before; returns the name of the merged
  /// one.
  std::int32_t merge(std::int32_t a, std::int32_t b);

  std::int32_t position(std::int32_t group) const {
    return position_[static_cast<std::size_t>(group)];
  }

 private:
  /// Groups before `limit` that need `first`, without following edges to `except`; false: `except`
  /// is among them, or too many.
  bool collect_dependents(std::int32_t first, std::int32_t except);

  std::vector<std::int32_t> parent_;
  std::vector<std::int32_t> position_;            ///< per group
  std::vector<std::int32_t> sequence_;            ///< group at a position, -1: merged away
  std::vector<std::vector<std::int32_t>> users_;  ///< ops; per group
  std::vector<std::int32_t> dependents_;          ///< of the last collect_dependents()
  std::vector<std::int32_t> visited_;             ///< per group: number of the search that saw it
  std::int32_t search_ = 0;
};

}  // namespace rhino::lower
