// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace rhino::common {

/// Numbers below 64.
using SmallSet = std::uint64_t;

inline constexpr std::size_t kMostMembers = 64;  ///< of a graph
inline SmallSet only(std::size_t member) { return SmallSet{1} << member; }
inline bool holds(SmallSet set, std::size_t member) { return (set >> member & 1) != 0; }
inline SmallSet first_members(std::size_t count) {
  return count < kMostMembers ? only(count) - 1 : ~SmallSet{0};
}

struct Cliques {
  std::vector<SmallSet> sets;
  std::size_t num_visited = 0;  ///< sets that were looked at, most of them no maximal ones
};

/// Where to end; what is left out then is any part of the cliques.
struct CliqueLimits {
  std::size_t least_size = 3;
  std::size_t most_cliques = 64, most_visited = 4096;
};

namespace detail {

/// Bron and Kerbosch, with the pivot of Tomita, Tanaka and Takahashi (TCS 363, 2006): a graph with
/// one maximal clique takes as many visits as that has members.
class CliqueSearch {
 public:
  CliqueSearch(const std::vector<SmallSet>& neighbours, const CliqueLimits& limits)
      : neighbours_(neighbours), limits_(limits) {}

  Cliques run() {
    grow(0, first_members(neighbours_.size()), 0);
    return std::move(found_);
  }

 private:
  bool is_over() const {
    return found_.sets.size() >= limits_.most_cliques || found_.num_visited >= limits_.most_visited;
  }

  /// By members of `open`; those of `done` have had their turn. All of both are neighbours of all
  /// of the clique.
  void grow(SmallSet clique, SmallSet open, SmallSet done) {
    ++found_.num_visited;
    if ((open | done) == 0) {
      if (static_cast<std::size_t>(std::popcount(clique)) >= limits_.least_size)
        found_.sets.push_back(clique);
      return;
    }
    // What neighbours the pivot only makes a maximal clique with it, or with what does not.
    SmallSet turns = open & ~neighbours_[pivot(open, done)];
    for (; turns != 0 && !is_over(); turns &= turns - 1) {
      const auto member = static_cast<std::size_t>(std::countr_zero(turns));
      grow(clique | only(member), open & neighbours_[member], done & neighbours_[member]);
      open &= ~only(member);
      done |= only(member);
    }
  }

  /// The one that leaves the fewest turns.
  std::size_t pivot(SmallSet open, SmallSet done) const {
    std::size_t best = 0;
    int most = -1;
    for (SmallSet rest = open | done; rest != 0; rest &= rest - 1) {
      const auto member = static_cast<std::size_t>(std::countr_zero(rest));
      const int count = std::popcount(open & neighbours_[member]);
      if (count > most) best = member, most = count;
    }
    return best;
  }

  const std::vector<SmallSet>& neighbours_;
  const CliqueLimits limits_;
  Cliques found_;
};

}  // namespace detail

/// Maximal sets of which any two members are neighbours, none twice. `neighbours` of each member,
/// both ways, itself not among them; at most kMostMembers.
inline Cliques maximal_cliques(const std::vector<SmallSet>& neighbours,
                               const CliqueLimits& limits = {}) {
  return detail::CliqueSearch(neighbours, limits).run();
}

}  // namespace rhino::common
