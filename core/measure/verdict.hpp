// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/statistics.hpp"
#include "store/record.hpp"

namespace rhino::measure {

/// Differences below it do not count: ratios from 1 / 1.05 to 1.05 are the same.
inline constexpr double kTolerance = 0.05;
/// Fewer rounds carry no verdict.
inline constexpr std::int64_t kLeastRounds = 5;

/// The numbers of rounds after which a verdict is looked for: `first`, and each one up to `most`.
struct Looks {
  std::int64_t first = 1, most = 1;
};

/// What the look after `n` rounds may spend of the probability of an error. Lan and DeMets'
/// spending function (Biometrika 70, 1983; Pocock's type): however the looks depend on each other,
/// and wherever one stops, all of them together err no more often than one look alone.
double error_share(std::int64_t n, const Looks& looks);

/// The verdict on log-ratios of pairs of rounds, in their order. *same*: the 95 % interval lies
/// within the tolerance. *faster*, *slower*: the mean lies beyond it, the 99 % interval excludes 0,
/// and so does the sign-flip test as sharply as so few pairs can. Else *inconclusive*. Intervals
/// are widened by `noise_floor`; the last look that decides counts.
store::BaselineRatio judge_pairs(const std::vector<double>& log_ratios, double noise_floor,
                                 const Looks& looks);

/// The same of the logarithms of rounds of two runs, which have no pairs: Student's two samples,
/// one look. What their covariate explains is taken out of the ratio.
store::BaselineRatio judge_samples(const Observations& before, const Observations& after,
                                   double noise_floor);

/// The verdict on simulated times, which are exact, and may be 0: what moves nothing takes none.
store::BaselineRatio judge_exact(double before_s, double after_s);

/// Fills in the noise floor of each case from its A/A pair, and the ratios to its baselines. A
/// ratio is of rounds of the same number.
void compare_with_baselines(std::vector<store::Record>& records, const Looks& looks);

}  // namespace rhino::measure
