// SPDX-License-Identifier: Apache-2.0
#include "measure/statistics.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace rhino;
using namespace rhino::measure;

namespace {

std::vector<double> noisy(double center, double spread, int count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(center, spread);
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(normal(random));
  return values;
}

}  // namespace

TEST_CASE("the median splits any sample in halves") {
  CHECK(median({3}) == 3);
  CHECK(median({1, 3}) == 2);
  CHECK(median({5, 1, 3}) == 3);
  CHECK(median_deviation({1, 1, 2, 2, 4, 6, 9}) == 1);
}

TEST_CASE("the interval holds the median and is the same every time") {
  const std::vector<double> samples = noisy(1, 0.05, 15, 7);
  const store::Summary summary = summarize(samples, 0.1);
  CHECK(summary.ci95_low_s <= summary.median_s);
  CHECK(summary.median_s <= summary.ci95_high_s);
  CHECK(summary.min_s <= summary.ci95_low_s);
  CHECK_FALSE(summary.noisy);
  CHECK(summarize(samples, 0.1).ci95_low_s == summary.ci95_low_s);
  CHECK(summarize(samples, 0.001).noisy);
}

TEST_CASE("the 95 % interval covers the true median about that often") {
  const std::uint32_t seed = GENERATE(take(1, random(1u, 1000000u)));
  CAPTURE(seed);
  int covered = 0;
  for (std::uint32_t i = 0; i < 200; ++i) {
    const store::Summary summary = summarize(noisy(1, 0.1, 21, seed + i), 1);
    covered += summary.ci95_low_s <= 1 && 1 <= summary.ci95_high_s ? 1 : 0;
  }
  CHECK(covered >= 170);
}

TEST_CASE("a slower cell is told from an equal one") {
  const std::vector<double> base = noisy(1, 0.01, 9, 1);
  CHECK(compare_samples("b", base, noisy(0.9, 0.01, 9, 2)).verdict == "faster");
  CHECK(compare_samples("b", base, noisy(1.1, 0.01, 9, 3)).verdict == "slower");
  CHECK(compare_samples("b", base, base).verdict == "same");
  CHECK(compare_samples("b", {2, 2, 2}, {1, 1, 1}).ratio == 2);
}

TEST_CASE("a warm-up ends when two windows agree") {
  CHECK_FALSE(is_warm({1}, 1, 0.05));
  CHECK_FALSE(is_warm({3, 1}, 1, 0.05));
  CHECK(is_warm({3, 1, 1.01}, 1, 0.05));
  CHECK_FALSE(is_warm({1, 1.01, 3}, 1, 0.05));
}
