// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "common/cutting.hpp"
#include "common/linear_stages.hpp"
#include "rhino/error.hpp"

namespace rhino::common {

/// The cheapest cut of a configuration whose stages take equally long, as values are then cut,
/// estimated; none where there is one stage, or no such cut.
inline std::optional<Candidate> of_equal_times(Cutting& cutting,
                                               const Configuration& configuration) {
  if (configuration.num_stages == 1) return {};
  const CutChoice equal = cutting.choice(configuration, Cutting::segments);
  const choice::Solution found = equal.solve(cutting.effort(configuration, Cutting::segments));
  const LinearStages stages(cutting.problem().program, equal.seconds(found.labels));
  try {
    Candidate made = cutting.cheapest(configuration, cutting.options().level,
                                      stages.cut(configuration.num_stages));
    made.estimate = cutting.strategies().estimate(made.strategy);
    return made;
  } catch (const Error& error) {
    cutting.strategies().reject(configuration.name() + ", of equal times", error.what());
    return {};
  }
}

}  // namespace rhino::common
