// SPDX-License-Identifier: Apache-2.0
#include "measure/statistics.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace rhino;
using namespace rhino::measure;

namespace {

std::vector<double> normal(double center, double spread, int count, std::mt19937_64& random) {
  std::normal_distribution<double> distribution(center, spread);
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(distribution(random));
  return values;
}

/// By trying all signs, one after the other.
double flip_all(const std::vector<double>& values) {
  double observed = 0;
  for (const double value : values) observed += value;
  int as_far = 0;
  for (unsigned signs = 0; signs < 1u << values.size(); ++signs) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += (signs >> i & 1 ? 1 : -1) * values[i];
    as_far += std::abs(sum) >= std::abs(observed) - 1e-9 ? 1 : 0;
  }
  return as_far / std::exp2(values.size());
}

/// The difference of two samples that follow something else, which was larger for the first.
Estimate adrift(std::vector<double> a, std::vector<double> b, std::mt19937_64& random) {
  const auto n = static_cast<int>(a.size());
  const std::vector<double> x = normal(1, 0.4, n, random), y = normal(0.2, 0.4, n, random);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] += 2 * x[i];
    b[i] += 2 * y[i];
  }
  return estimate_difference({a, x}, {b, y});
}

}  // namespace

TEST_CASE("the median splits any sample in halves") {
  CHECK(median({3}) == 3);
  CHECK(median({1, 3}) == 2);
  CHECK(median({5, 1, 3}) == 3);
  CHECK(median_deviation({1, 1, 2, 2, 4, 6, 9}) == 1);
}

TEST_CASE("quantiles of Student's t are those of printed tables") {
  CHECK(student_quantile(0.05, 1) == Approx(12.706).epsilon(1e-4));
  CHECK(student_quantile(0.05, 2) == Approx(4.303).epsilon(1e-4));
  CHECK(student_quantile(0.01, 4) == Approx(4.604).epsilon(1e-4));
  CHECK(student_quantile(0.05, 7) == Approx(2.365).epsilon(1e-3));
  CHECK(student_quantile(0.002, 11) == Approx(4.025).epsilon(1e-4));
  CHECK(student_quantile(0.05, 100000) == Approx(1.960).epsilon(1e-3));
}

TEST_CASE("the 95 % interval covers the true mean that often, however few the rounds") {
  constexpr int kTrials = 20000;
  for (const int n : {3, 5, 8, 12}) {
    const auto seed = static_cast<std::uint64_t>(Catch::rngSeed()) + static_cast<unsigned>(n);
    CAPTURE(n, seed);
    std::mt19937_64 random(seed);
    int one = 0, two = 0, drifting = 0;
    for (int i = 0; i < kTrials; ++i) {
      const std::vector<double> a = normal(1, 0.1, n, random), b = normal(0.7, 0.1, n, random);
      const Estimate mean = estimate(a), difference = estimate_difference({a, {}}, {b, {}});
      const Estimate calm = adrift(a, b, random);
      one += std::abs(mean.mean - 1) <= half_width(mean, 0.05) ? 1 : 0;
      two += std::abs(difference.mean - 0.3) <= half_width(difference, 0.05) ? 1 : 0;
      drifting += std::abs(calm.mean - 0.3) <= half_width(calm, 0.05) ? 1 : 0;
    }
    // Four standard deviations of the count: 0.6 %.
    CHECK(one / double{kTrials} == Approx(0.95).margin(0.0062));
    CHECK(two / double{kTrials} == Approx(0.95).margin(0.0062));
    CHECK(drifting / double{kTrials} == Approx(0.95).margin(0.0062));
  }
}

TEST_CASE("the sign-flip test counts all signs") {
  CHECK(sign_flip_p({1, 1, 1, 1, 1}) == 2 / 32.0);
  CHECK(sign_flip_p({1, -1}) == 1);
  CHECK(sign_flip_p({0, 0, 0}) == 1);
  const auto seed = Catch::rngSeed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (int n = 1; n <= 10; ++n) {
    const std::vector<double> values = normal(0.5, 1, n, random);
    CHECK(sign_flip_p(values) == flip_all(values));
  }
}

TEST_CASE("a summary of rounds has an interval from the second one on") {
  const store::Summary one = summarize({2}, 0.1, false);
  CHECK(one.n == 1);
  CHECK(one.median_s == 2);
  CHECK(one.ci95_high_s == 0);
  const store::Summary simulated = summarize({2}, 0.1, true);
  CHECK(simulated.ci95_low_s == 2);
  CHECK(simulated.ci95_high_s == 2);
  const std::vector<double> rounds = {1, 1.02, 0.99, 1.01, 1};
  const store::Summary five = summarize(rounds, 0.1, false);
  CHECK(five.ci95_low_s < five.median_s);
  CHECK(five.median_s < five.ci95_high_s);
  CHECK_FALSE(five.noisy);
  CHECK(summarize(rounds, 0.001, false).noisy);
}

TEST_CASE("a warm-up ends when two windows agree") {
  CHECK_FALSE(is_warm({1}, 1, 0.05));
  CHECK_FALSE(is_warm({3, 1}, 1, 0.05));
  CHECK(is_warm({3, 1, 1.01}, 1, 0.05));
  CHECK_FALSE(is_warm({1, 1.01, 3}, 1, 0.05));
}
