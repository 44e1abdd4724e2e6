// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "common/strategy_graph.hpp"

namespace rhino::common {

namespace detail {

inline bool is_uncut(const ShardingSpec& spec) {
  const auto is_micro = [](const auto& one) { return one.axis == kMicroAxis; };
  return std::ranges::all_of(spec.partial, is_micro) &&
         std::ranges::all_of(spec.dims, [&](const DimSharding& dim) {
           return std::ranges::all_of(dim.splits, is_micro);
         });
}

inline bool is_uncut(const StrategySpace& space, const OpClass& op, const OpStrategy& strategy) {
  for (std::size_t i = 0; i < op.operand_sets.size(); ++i) {
    const std::int32_t set = op.operand_sets[i];
    if (set >= 0 && !is_uncut(space.layouts[at(set)].specs[at(strategy.operands[i])])) return false;
  }
  return is_uncut(space.layouts[at(op.result_set)].specs[at(strategy.result)]);
}

}  // namespace detail

/// Per node of a graph the labels by which nothing is cut over the mesh. A choice of these is none
/// of what is forbidden, but by pins.
inline std::vector<choice::Labels> uncut_labels(const StrategyGraph& graph) {
  const StrategySpace& space = graph.space();
  std::vector<choice::Labels> labels(graph.graph().nodes.size());
  for (std::size_t id = 0; id < graph.node_of().size(); ++id) {
    const std::int32_t node = graph.node_of()[id];
    if (node < 0 || !labels[at(node)].empty()) continue;
    const OpClass& op = space.classes[at(space.class_of[id])];
    for (std::size_t s = 0; s < op.strategies.size(); ++s) {
      if (detail::is_uncut(space, op, op.strategies[s]))
        labels[at(node)].push_back(static_cast<std::int32_t>(s));
    }
  }
  for (const auto& [place, between] : graph.between()) {
    const std::vector<ShardingSpec>& specs = space.layouts[at(between.set)].specs;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      if (detail::is_uncut(specs[i]))
        labels[at(between.node)].push_back(static_cast<std::int32_t>(i));
    }
  }
  return labels;
}

}  // namespace rhino::common
