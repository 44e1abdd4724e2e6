// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "store/record.hpp"

namespace rhino::measure {

/// Of at least one value.
double median(std::vector<double> values);
/// Median absolute deviation from the median.
double median_deviation(const std::vector<double>& values);

/// Median with its 95 % percentile-bootstrap interval (fixed seed: the same samples, the same
/// interval).
store::Summary summarize(const std::vector<double>& samples_s, double max_noise);

/// baseline / cell of the medians, with a bootstrap interval of the ratio. Verdict: faster or
/// slower where the interval excludes 1.
store::BaselineRatio compare_samples(const std::string& name, const std::vector<double>& baseline_s,
                                     const std::vector<double>& cell_s);

/// True once the medians of the last two windows of `window` values agree within `tolerance`: the
/// warm-up is over.
bool is_warm(const std::vector<double>& step_s, std::size_t window, double tolerance);

}  // namespace rhino::measure
