// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "common/cutting.hpp"
#include "rhino/error.hpp"

/// Cuts of meshes of several axes in which one cuts samples alone, as in data parallelism, and the
/// others whatever is the cheapest.
namespace rhino::common {

namespace detail {

/// How a value lies over one axis: the dim that it cuts, or -1, and whether devices hold terms.
inline std::pair<std::ptrdiff_t, bool> over(const ShardingSpec& spec, AxisId axis) {
  const auto is_over = [&](const auto& one) { return one.axis == axis; };
  const auto cut = std::ranges::find_if(
      spec.dims, [&](const DimSharding& dim) { return std::ranges::any_of(dim.splits, is_over); });
  return {cut == spec.dims.end() ? -1 : cut - spec.dims.begin(),
          std::ranges::any_of(spec.partial, is_over)};
}

/// How far a choice keeps to a strategy.
enum class Like : std::uint8_t {
  passes,  ///< in what passes make, but gradients of parameters
  all,     ///< in parameters, their gradients, states and updates, too
};

/// Per node the labels by which values lie over the axis as in `like`; where none does, or they
/// need not, all.
inline std::vector<choice::Labels> labels_like(const Program& program, const StrategyGraph& graph,
                                               const std::vector<ShardingSpec>& like, AxisId axis,
                                               Like how_far) {
  const StrategySpace& space = graph.space();
  std::vector<choice::Labels> kept(graph.graph().nodes.size());
  for (ValueId id = 0; id < program.size(); ++id) {
    const std::int32_t node = graph.node_of()[at(id)];
    const Op& op = program.op(id);
    const bool is_made_in_pass = !op.operands.empty() && op.phase != Phase::update &&
                                 space.keeps[at(id)] != Keeping::gradient;
    if (node < 0 || !kept[at(node)].empty() || !(is_made_in_pass || how_far == Like::all)) continue;
    const OpClass& its = space.classes[at(space.class_of[at(id)])];
    const std::vector<ShardingSpec>& specs = space.layouts[at(its.result_set)].specs;
    for (std::size_t s = 0; s < its.strategies.size(); ++s) {
      if (over(specs[at(its.strategies[s].result)], axis) == over(like[at(id)], axis))
        kept[at(node)].push_back(static_cast<std::int32_t>(s));
    }
  }
  for (std::size_t node = 0; node < kept.size(); ++node) {
    if (!kept[node].empty()) continue;
    kept[node].resize(graph.graph().nodes[node].cost.size());
    std::iota(kept[node].begin(), kept[node].end(), 0);
  }
  return kept;
}

}  // namespace detail

/// The cheapest such cuts of each axis, estimated: with states and updates cut as they are the
/// cheapest, and, but at level 2 of large programs, with them as whole over the axis as parameters
/// are (what tables price alike may take longer where all wait for it). None where samples do not
/// divide by an axis, or some choice must not be.
inline std::vector<Candidate> with_samples_alone(Cutting& cutting,
                                                 const Configuration& configuration) {
  const Program& program = cutting.problem().program;
  const CutChoice cuts = cutting.choice(configuration, cutting.options().level);
  const choice::Effort effort = cutting.effort(configuration, Cutting::segments);
  std::vector<Candidate> made;
  const auto add = [&](AxisId axis, const std::vector<ShardingSpec>& like, detail::Like how_far) {
    choice::Solution found{.cost = std::numeric_limits<double>::infinity()};
    if (!choice::take_of(cuts.graph(),
                         detail::labels_like(program, cuts.strategy_graph(), like, axis, how_far),
                         effort, found))
      return;
    Candidate one{configuration, cuts.strategy(found.labels)};
    one.strategy.name += ", samples over " + configuration.mesh_axes()[at(axis)].name;
    one.table_s = cuts.step_s(found.cost);
    one.form = -1 - 2 * axis - static_cast<int>(how_far);
    const auto is_known = [&](const Candidate& other) {
      return other.strategy.specs == one.strategy.specs;
    };
    if (std::ranges::any_of(made, is_known)) return;
    one.estimate = cutting.strategies().estimate(one.strategy);
    made.push_back(std::move(one));
  };
  for (AxisId axis = 0; at(axis) < configuration.axes.size(); ++axis) {
    try {
      StrategyDraft draft = cuts.draft();
      draft.batch_axis = axis;
      const Strategy like = cutting.strategies().complete(draft);
      add(axis, like.specs, detail::Like::passes);
      if (!cutting.is_quick()) add(axis, like.specs, detail::Like::all);
    } catch (const Error&) {  // samples do not divide
    }
  }
  return made;
}

}  // namespace rhino::common
