// SPDX-License-Identifier: Apache-2.0
#include "measure/statistics.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>

namespace rhino::measure {
namespace {

constexpr std::ptrdiff_t kMostFlipped = 20;

/// Probability that |T| exceeds `t` (Abramowitz and Stegun, 26.7.3 and 26.7.4).
double student_tail(double t, std::int64_t dof) {
  const auto n = static_cast<double>(dof);
  const double theta = std::atan(t / std::sqrt(n)), cosine = std::cos(theta);
  const bool odd = dof % 2 == 1;
  double term = odd ? cosine : 1, sum = dof == 1 ? 0 : term;
  for (std::int64_t i = odd ? 3 : 2; i < dof; i += 2) {
    term *= cosine * cosine * static_cast<double>(i - 1) / static_cast<double>(i);
    sum += term;
  }
  if (odd) return 1 - 2 / std::numbers::pi * (theta + std::sin(theta) * sum);
  return 1 - std::sin(theta) * sum;
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double mean_of(const std::vector<double>& values) {
  assert(!values.empty());
  return sum_of(values) / static_cast<double>(values.size());
}

double products_about_mean(const std::vector<double>& x, const std::vector<double>& y) {
  const double mean_x = mean_of(x), mean_y = mean_of(y);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - mean_x) * (y[i] - mean_y);
  return sum;
}

/// Sums over two samples, each about its own mean.
struct Spread {
  double xx = 0, xy = 0, yy = 0;
};

bool has_covariate(const Observations& a, const Observations& b) {
  // Else the slope takes about all the degrees of freedom that there are.
  constexpr std::ptrdiff_t kLeast = 3;
  return std::min(std::ssize(a.covariate), std::ssize(b.covariate)) >= kLeast;
}

Spread spread_of(const Observations& a, const Observations& b) {
  Spread spread;
  for (const Observations* one : {&a, &b}) {
    spread.yy += products_about_mean(one->values, one->values);
    if (!has_covariate(a, b)) continue;
    spread.xx += products_about_mean(one->covariate, one->covariate);
    spread.xy += products_about_mean(one->covariate, one->values);
  }
  return spread;
}

}  // namespace

double median(std::vector<double> values) {
  assert(!values.empty());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double median_deviation(const std::vector<double>& values) {
  const double center = median(values);
  std::vector<double> deviations;
  for (const double value : values) deviations.push_back(std::abs(value - center));
  return median(std::move(deviations));
}

std::vector<double> logarithms(std::vector<double> values) {
  std::erase_if(values, [](double value) { return value <= 0; });
  for (double& value : values) value = std::log(value);
  return values;
}

double student_quantile(double alpha, std::int64_t dof) {
  static std::map<std::pair<double, std::int64_t>, double> known;
  double& quantile = known[{alpha, dof}];
  if (quantile > 0) return quantile;
  double low = 0, high = 1;
  while (student_tail(high, dof) > alpha && high < 1e12) high *= 2;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (student_tail(middle, dof) > alpha ? low : high) = middle;
  }
  return quantile = high;
}

Estimate estimate(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  if (values.size() < 2) return {mean_of(values), 0, 0};
  return {mean_of(values), std::sqrt(products_about_mean(values, values) / (n - 1) / n),
          std::ssize(values) - 1};
}

double common_slope(const Observations& a, const Observations& b) {
  const Spread spread = spread_of(a, b);
  return spread.xx > 0 ? spread.xy / spread.xx : 0;
}

Estimate estimate_difference(const Observations& a, const Observations& b) {
  const Spread spread = spread_of(a, b);
  const double mean = mean_of(a.values) - mean_of(b.values);
  const double per_value =
      1 / static_cast<double>(a.values.size()) + 1 / static_cast<double>(b.values.size());
  std::int64_t dof = std::ssize(a.values) + std::ssize(b.values) - 2;
  if (dof == 0) return {mean, 0, 0};
  if (spread.xx <= 0)
    return {mean, std::sqrt(spread.yy / static_cast<double>(dof) * per_value), dof};
  --dof;
  const double slope = spread.xy / spread.xx, apart = mean_of(a.covariate) - mean_of(b.covariate);
  const double variance = std::max(0.0, spread.yy - slope * spread.xy) / static_cast<double>(dof);
  return {mean - slope * apart, std::sqrt(variance * (per_value + apart * apart / spread.xx)), dof};
}

double half_width(const Estimate& estimate, double alpha) {
  if (estimate.dof == 0) return std::numeric_limits<double>::infinity();
  return student_quantile(alpha, estimate.dof) * estimate.standard_error;
}

double sign_flip_p(const std::vector<double>& values) {
  if (values.size() > kMostFlipped)
    return sign_flip_p({values.begin(), values.begin() + kMostFlipped});
  const std::uint32_t num_signs = 1u << values.size();
  const double observed = std::abs(sum_of(values)) * (1 - 1e-12);  // equal but for rounding
  std::uint32_t as_far = 0;
  double sum = -sum_of(values);
  for (std::uint32_t i = 1;; ++i) {  // Gray code: one sign differs from one sum to the next
    as_far += std::abs(sum) >= observed ? 1 : 0;
    if (i == num_signs) break;
    const auto flipped = static_cast<std::size_t>(std::countr_zero(i));
    const bool is_plus = ((i ^ (i >> 1)) >> flipped & 1) != 0;
    sum += (is_plus ? 2 : -2) * values[flipped];
  }
  return static_cast<double>(as_far) / num_signs;
}

store::Summary summarize(const std::vector<double>& rounds_s, double max_noise, bool exact) {
  store::Summary summary{
      .n = std::ssize(rounds_s), .median_s = median(rounds_s), .mad_s = median_deviation(rounds_s)};
  summary.min_s = *std::min_element(rounds_s.begin(), rounds_s.end());
  summary.max_s = *std::max_element(rounds_s.begin(), rounds_s.end());
  summary.noisy = summary.mad_s > max_noise * summary.median_s;
  if (exact) summary.ci95_low_s = summary.ci95_high_s = summary.median_s;
  if (exact || rounds_s.size() < 2) return summary;
  const Estimate log = estimate(logarithms(rounds_s));
  const double width = half_width(log, 0.05);
  summary.ci95_low_s = std::exp(log.mean - width);
  summary.ci95_high_s = std::exp(log.mean + width);
  return summary;
}

bool is_warm(const std::vector<double>& step_s, std::size_t window, double tolerance) {
  if (step_s.size() < 2 * window) return false;
  const auto end = step_s.end();
  const auto size = static_cast<std::ptrdiff_t>(window);
  const double last = median({end - size, end}), before = median({end - 2 * size, end - size});
  return std::abs(last - before) <= tolerance * last;
}

}  // namespace rhino::measure
