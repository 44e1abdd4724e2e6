// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "common/configurations.hpp"
#include "common/cutting.hpp"
#include "rhino/error.hpp"
#include "rhino/search.hpp"

namespace rhino::common {

inline std::vector<Configuration> of_one_axis(std::vector<Configuration> all) {
  std::erase_if(all, [](const Configuration& one) { return one.axes.size() > 1; });
  return all;
}

/// Whether cuts over several axes take so long that those over one are worth their simulations
/// first: ops that may be cut in many ways, as those of images are.
inline bool are_axes_dear(Cutting& cutting, const std::vector<Configuration>& all) {
  constexpr std::size_t kManyWays = 150;
  const auto several = [](const Configuration& one) { return one.axes.size() > 1; };
  const auto found = std::ranges::find_if(all, several);
  if (found == all.end()) return false;
  try {
    Strategies& strategies = cutting.strategies();
    const auto stages = static_cast<std::int32_t>(found->num_stages);
    const StrategySpace& space =
        strategies.space({.mesh = strategies.chunks(stages, found->mesh_axes()).front().mesh,
                          .num_micro_batches = found->num_micro_batches,
                          .strided = cutting.may_stride(*found)});
    return std::ranges::any_of(space.classes,
                               [](const OpClass& op) { return op.strategies.size() > kManyWays; });
  } catch (const Error&) {  // the batch does not divide: nor will it where it is looked at
    return false;
  }
}

}  // namespace rhino::common
