// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "sharding/op_graph.hpp"

namespace rhino::evaluate {

/// Periods less than the extent with which contiguous cuts of some dim, carried through reshapes,
/// cut dims of other tensors: those of heads in a fused projection, say. By shape.
struct StridedPeriods {
  using Dims = std::vector<std::int64_t>;
  std::map<std::pair<Dims, std::size_t>, std::set<std::int64_t>> of_dim;

  /// Of factor `f` of an op, in its own index space; less than its size.
  std::vector<std::int64_t> of_factor(const sharding::OpGraph& graph, ValueId id,
                                      std::size_t f) const;
};

StridedPeriods strided_periods(const sharding::OpGraph& graph);

}  // namespace rhino::evaluate
