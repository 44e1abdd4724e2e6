// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace rhino::cost {

/// Work that the members of `nodes` may share among them as they like. Not empty, increasing.
struct SharedWork {
  std::int64_t amount = 0;
  std::vector<std::int32_t> nodes;
};

/// The set of nodes S with the most work per member among the works that only members of S can do:
/// by Hall's theorem work / |S| is what the busiest node does under the best division of all works.
struct TightestSet {
  std::int64_t amount = 0;
  std::vector<std::int32_t> nodes;  ///< increasing; empty where there is no work
};

/// Exact: maximum flows of integers, one per improvement of the ratio (Dinkelbach), few in
/// practice. amount x nodes must fit into 62 bits. O(flows x sum of |nodes| x path length).
TightestSet tightest_set(const std::vector<SharedWork>& works, std::int32_t num_nodes);

}  // namespace rhino::cost
