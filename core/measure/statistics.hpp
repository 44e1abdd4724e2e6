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

/// Of the values above 0; others stand for what was not measured.
std::vector<double> logarithms(std::vector<double> values);

/// What |T| of Student's t distribution exceeds with probability `alpha`; `dof` of at least 1.
double student_quantile(double alpha, std::int64_t dof);

/// A mean of independent values of one normal distribution, and how well it is known.
struct Estimate {
  double mean = 0, standard_error = 0;
  std::int64_t dof = 0;  ///< 0: nothing tells how well
};
Estimate estimate(const std::vector<double>& values);
/// Values, each beside what else was seen when it was taken: empty where nothing was.
struct Observations {
  std::vector<double> values, covariate;
};
/// How far a value follows its covariate within each of two samples: one slope for both, by least
/// squares; 0 where too few values tell.
double common_slope(const Observations& a, const Observations& b);
/// Mean of `a` less that of `b`, where both have one spread: Student's two samples, with the share
/// of the covariate taken out (analysis of covariance; the interval grows with what is taken out).
Estimate estimate_difference(const Observations& a, const Observations& b);
/// The interval's half width of which the mean lies outside with probability `alpha`; infinite
/// without degrees of freedom.
double half_width(const Estimate& estimate, double alpha);

/// How probable it is, where each value is as likely as its negative, that the mean lies as far
/// from 0 as this one or farther: exactly, over all signs. The first 20 values count.
double sign_flip_p(const std::vector<double>& values);

/// Of rounds: the median, and an interval of the mean in logarithms (Student's t, 95 %) that needs
/// two of them. `exact`: simulated times have no spread.
store::Summary summarize(const std::vector<double>& rounds_s, double max_noise, bool exact);

/// True once the medians of the last two windows of `window` values agree within `tolerance`: the
/// warm-up is over.
bool is_warm(const std::vector<double>& step_s, std::size_t window, double tolerance);

}  // namespace rhino::measure
