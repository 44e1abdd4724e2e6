// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/cpu/vector_math.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>

using namespace rhino;
using namespace rhino::runtime;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Error of `actual` in units in the last place of the float nearest to `expected`; what is
/// denormal may be zero.
double error_in_ulp(float actual, double expected) {
  const auto nearest = static_cast<float>(expected);
  if (std::isnan(expected)) return std::isnan(actual) ? 0 : INFINITY;
  if (std::isinf(nearest)) return actual == nearest ? 0 : INFINITY;
  const double smallest = std::numeric_limits<float>::min();
  if (std::abs(expected) < smallest) return std::abs(actual) <= smallest ? 0 : INFINITY;
  const double ulp = std::ldexp(1.0, std::ilogb(nearest) - 23);
  return std::abs(static_cast<double>(actual) - expected) / ulp;
}

struct Range {
  double low, high;
};

/// Largest error over even steps through `range`, and through its magnitudes where it holds zero.
double largest_error(float (*function)(float), double (*exact)(double), Range range) {
  double worst = 0;
  const auto check = [&](double x) {
    const auto argument = static_cast<float>(x);
    worst = std::max(worst, error_in_ulp(function(argument), exact(argument)));
  };
  constexpr int kSteps = 200'000;
  for (int i = 0; i <= kSteps; ++i) check(range.low + (range.high - range.low) * i / kSteps);
  for (double magnitude = 1e-30; magnitude < range.high; magnitude *= 1.001) {
    check(magnitude);
    if (-magnitude >= range.low) check(-magnitude);
  }
  return worst;
}

}  // namespace

TEST_CASE("vector functions keep within their error bounds") {
  CHECK(largest_error(vector_math::exp, std::exp, {-87, 88.7}) <= 1.5);
  CHECK(largest_error(vector_math::log, std::log, {1e-30, 10}) <= 2);
  CHECK(largest_error(vector_math::log, std::log, {1, 3e38}) <= 2);
  CHECK(largest_error(vector_math::tanh, std::tanh, {-12, 12}) <= 3);
  CHECK(largest_error(vector_math::expm1, std::expm1, {-40, 88.7}) <= 4);
  CHECK(largest_error(vector_math::log1p, std::log1p, {-0.9999, 1e6}) <= 4);
  CHECK(largest_error(vector_math::erf, std::erf, {-6, 6}) <= 8);
  CHECK(largest_error(vector_math::logistic, [](double x) { return 1 / (1 + std::exp(-x)); },
                      {-80, 80}) <= 3);
}

TEST_CASE("vector functions keep special values") {
  CHECK(vector_math::exp(-kInfinity) == 0);
  CHECK(vector_math::exp(kInfinity) == kInfinity);
  CHECK(vector_math::exp(0.0F) == 1);
  CHECK(vector_math::log(0.0F) == -kInfinity);
  CHECK(vector_math::log(1.0F) == 0);
  CHECK(vector_math::log(kInfinity) == kInfinity);
  CHECK(std::isnan(vector_math::log(-1.0F)));
  CHECK(vector_math::log1p(-1.0F) == -kInfinity);
  CHECK(std::isnan(vector_math::log1p(-2.0F)));
  CHECK(vector_math::log1p(kInfinity) == kInfinity);
  CHECK(vector_math::tanh(kInfinity) == 1);
  CHECK(vector_math::tanh(-kInfinity) == -1);
  CHECK(vector_math::erf(kInfinity) == 1);
  CHECK(vector_math::erf(-kInfinity) == -1);
  CHECK(vector_math::expm1(-kInfinity) == -1);
  CHECK(vector_math::expm1(kInfinity) == kInfinity);
  CHECK(vector_math::logistic(-kInfinity) == 0);
  CHECK(vector_math::logistic(kInfinity) == 1);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (auto function : {vector_math::exp, vector_math::log, vector_math::log1p, vector_math::tanh,
                        vector_math::erf, vector_math::expm1, vector_math::logistic}) {
    CHECK(std::isnan(function(nan)));
  }
}
