// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "store/record.hpp"

namespace rhino::report {

/// How steps agree with those that others measured.
struct Agreement {
  double ratio = 0;       ///< median of step / published
  double error = 0;       ///< median of |ratio - 1|
  double error_p90 = 0;   ///< its 90th percentile
  double tau = 0;         ///< Kendall's: pairs in the same order less those in the other, of all
  double best_share = 0;  ///< of the rows, those that are quicker here than the quickest published
  double regret = 0;      ///< what the quickest here was published to lose to the quickest
};
/// Of pairs (step, published), at least one.
Agreement agreement(const std::vector<std::pair<double, double>>& steps);

/// A row per model, and per source, of such steps; empty without any. Of its cases of 5 plans or
/// more: in how many the quickest published plan is among the first 5 % here, and the median and
/// the 90th percentile of their regrets. Behind the rows: what the model lacks of each source.
std::string published_table(const std::vector<store::Record>& records);

}  // namespace rhino::report
