// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "drawn_strategy.hpp"
#include "evaluate/evaluator.hpp"

namespace rhino::test {

/// Of the environment, or else that.
std::int64_t number(const char* name, std::int64_t fallback);

/// What a strategy was found to take, by tables and by simulation.
struct Pair {
  Estimate estimate;
  Evaluation evaluation;
  std::string text;
  std::vector<std::string> classes;  ///< that it is of
  double bound() const { return estimate.bound_s / evaluation.step_s; }
  double ratio() const { return estimate.step_s / evaluation.step_s; }
  double peak() const { return estimate.peak_bytes / evaluation.peak_bytes; }
};

/// Nothing where the draw has no strategy: fewer dots than stages, a batch that does not divide.
std::optional<Pair> pair_of(const Drawn& drawn, const evaluate::PlanContext& context);

double quantile(std::vector<double> values, double share);

/// How near bounds and estimates are to what is simulated.
struct Quality {
  std::vector<double> bounds, errors, peaks;  ///< per strategy, over what was simulated
  std::map<std::string, std::vector<Pair>> classes;
  void add(std::uint64_t seed, const Pair& pair);
  void print(const char* what) const;
};

/// The first `wanted` draws from a seed on that are strategies; RHINO_SEED and RHINO_STRATEGIES (of
/// each kind) for other ones. Checks that every bound holds.
Quality quality_of(std::optional<Pair> (*draw)(std::uint64_t), const char* what, int wanted);

/// Checks that nine of ten estimates are within 10 %, all within 25, and that half of the bounds
/// are `bound` of the step or more, of 500 or more strategies: of fewer one alone may be the tenth.
void check_spread(const Quality& quality, double bound = 0.8);

}  // namespace rhino::test
