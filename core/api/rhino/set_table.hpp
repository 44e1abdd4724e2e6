// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rhino {

/// Sets of hosts or devices, each known by an index, so that equal sets have equal indices and
/// compare in one step. Answers are remembered: thousands of slices ask for few different ones.
/// Bounds of resharding (core/cost) and plugins count bytes per set with it. Indices belong to one
/// table, 0, 1, ... in the order in which sets came; nothing is ever removed. Not thread-safe.
///
///     table.index({3, 1}) == table.index({1, 3, 3})
class SetTable {
 public:
  using Members = std::vector<std::int32_t>;  ///< increasing, each once

  /// The index of a set, in any order and with any repetition; that of the empty set is one, too.
  std::int32_t index(Members members) {
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    const auto [found, is_new] =
        index_.try_emplace(std::move(members), static_cast<std::int32_t>(members_.size()));
    if (is_new) members_.push_back(&found->first);
    return found->second;
  }
  /// `set` is an index that this table gave; the reference stays good as long as the table.
  const Members& members(std::int32_t set) const {
    return *members_[static_cast<std::size_t>(set)];
  }

  /// The index of all that are in a or in b.
  std::int32_t unite(std::int32_t a, std::int32_t b) {
    return a == b ? a : remembered(union_, a, b, [&](auto out) {
      std::set_union(members(a).begin(), members(a).end(), members(b).begin(), members(b).end(),
                     out);
    });
  }
  /// The index of those of a that are not in b.
  std::int32_t without(std::int32_t a, std::int32_t b) {
    return remembered(difference_, a, b, [&](auto out) {
      std::set_difference(members(a).begin(), members(a).end(), members(b).begin(),
                          members(b).end(), out);
    });
  }

 private:
  using Memory = std::unordered_map<std::int64_t, std::int32_t>;

  /// The index of the set that `make` writes, asked for once per pair.
  template <class Make>
  std::int32_t remembered(Memory& memory, std::int32_t a, std::int32_t b, const Make& make) {
    const auto [found, is_new] = memory.try_emplace((std::int64_t{a} << 32) | b, 0);
    if (is_new) {
      Members made;
      make(std::back_inserter(made));
      found->second = index(std::move(made));
    }
    return found->second;
  }

  std::map<Members, std::int32_t> index_;
  std::vector<const Members*> members_;  ///< by index: keys of index_, which do not move
  Memory union_, difference_;            ///< by both indices in one number
};

}  // namespace rhino
