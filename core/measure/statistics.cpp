// SPDX-License-Identifier: Apache-2.0
#include "measure/statistics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <random>

namespace rhino::measure {
namespace {

constexpr int kResamples = 2000;

std::vector<double> resample(const std::vector<double>& values, std::mt19937_64& random) {
  std::uniform_int_distribution<std::size_t> pick(0, values.size() - 1);
  std::vector<double> drawn;
  for (std::size_t i = 0; i < values.size(); ++i) drawn.push_back(values[pick(random)]);
  return drawn;
}

/// The middle 95 % of a statistic over bootstrap resamples.
template <class Statistic>
std::pair<double, double> bootstrap_interval(Statistic&& statistic) {
  std::mt19937_64 random(20230216);
  std::vector<double> values;
  for (int i = 0; i < kResamples; ++i) values.push_back(statistic(random));
  std::sort(values.begin(), values.end());
  const auto at = [&](double quantile) {
    return values[static_cast<std::size_t>(std::lround(quantile * (kResamples - 1)))];
  };
  return {at(0.025), at(0.975)};
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

store::Summary summarize(const std::vector<double>& samples_s, double max_noise) {
  store::Summary summary{.n = static_cast<std::int64_t>(samples_s.size()),
                         .median_s = median(samples_s),
                         .mad_s = median_deviation(samples_s)};
  std::tie(summary.ci95_low_s, summary.ci95_high_s) =
      bootstrap_interval([&](auto& random) { return median(resample(samples_s, random)); });
  summary.min_s = *std::min_element(samples_s.begin(), samples_s.end());
  summary.max_s = *std::max_element(samples_s.begin(), samples_s.end());
  summary.noisy = summary.mad_s > max_noise * summary.median_s;
  return summary;
}

store::BaselineRatio compare_samples(const std::string& name, const std::vector<double>& baseline_s,
                                     const std::vector<double>& cell_s) {
  store::BaselineRatio ratio{.name = name, .ratio = median(baseline_s) / median(cell_s)};
  std::tie(ratio.ci95_low, ratio.ci95_high) = bootstrap_interval([&](auto& random) {
    const double baseline = median(resample(baseline_s, random));
    return baseline / median(resample(cell_s, random));
  });
  // Simulations have no spread: what tells them apart is more than rounding.
  constexpr double kRounding = 1e-6;
  ratio.verdict = ratio.ci95_low > 1 + kRounding    ? "faster"
                  : ratio.ci95_high < 1 - kRounding ? "slower"
                                                    : "same";
  return ratio;
}

bool is_warm(const std::vector<double>& step_s, std::size_t window, double tolerance) {
  if (step_s.size() < 2 * window) return false;
  const auto end = step_s.end();
  const auto size = static_cast<std::ptrdiff_t>(window);
  const double last = median({end - size, end}), before = median({end - 2 * size, end - size});
  return std::abs(last - before) <= tolerance * last;
}

}  // namespace rhino::measure
