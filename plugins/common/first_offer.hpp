// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>

#include "common/candidate.hpp"
#include "rhino/error.hpp"
#include "rhino/search.hpp"

namespace rhino::common {

/// Offers what takes no search, data parallelism over as many devices as may be, so that there is
/// something to run should time be up before anything is searched, and returns it with the seconds
/// of its step. `zero`: states, gradients and parameters may be split too.
inline std::optional<std::pair<double, Strategy>> offer_data_parallelism(
    const SearchProblem& problem, Strategies& strategies, bool zero) {
  constexpr double kFarTooLarge = 1.25;
  for (const std::int64_t num_devices : device_counts(problem.cluster)) {
    for (const std::int64_t count : problem.micro_batch_counts) {
      for (const std::int32_t zero_stage : {0, 3}) {
        if (zero_stage > 0 && !zero) continue;
        StrategyDraft draft;
        draft.name = "data parallelism, " + micro_batches_text(count);
        draft.num_micro_batches = count;
        draft.batch_axis = 0;
        draft.zero_stage = zero_stage;
        try {
          draft.chunks = strategies.chunks(1, {{"a", num_devices}});
          const Strategy made = strategies.complete(draft);
          if (!keeps_pins(problem, made)) continue;
          // Of toys estimates of bytes say little.
          if (problem.program.size() >= kFewOps &&
              !is_small(problem, strategies.estimate(made), kFarTooLarge))
            continue;
          const Evaluation evaluation = strategies.evaluate(made);
          if (!evaluation.feasible) continue;
          strategies.offer(made, 0);
          return std::pair(evaluation.step_s, made);
        } catch (const Error&) {  // the batch does not divide
          break;
        }
      }
    }
  }
  return {};
}

}  // namespace rhino::common
