// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

/// Functions of one float that a compiler turns into vector code: no branches, no calls, no tables.
/// Errors against double precision, in units in the last place of the result, as
/// tests/unit/runtime/vector_math_test.cpp measures them: exp 1.5, log 2, tanh 3, logistic 3, expm1
/// 4, log1p 4, erf 6; erf and tanh also hold for tiny arguments. Denormal results may come out as
/// zero. Other types and functions use the standard library.
namespace rhino::runtime::vector_math {

inline float from_bits(std::int32_t bits) { return std::bit_cast<float>(bits); }
inline std::int32_t to_bits(float value) { return std::bit_cast<std::int32_t>(value); }

/// 2^n for n in [-126, 127].
inline float power_of_two(std::int32_t n) { return from_bits((n + 127) << 23); }

/// x = n ln 2 + r with |r| <= ln 2 / 2, and e^r - 1 as `fraction`.
struct ExpParts {
  std::int32_t n;
  float fraction;
};

inline ExpParts exp_parts(float x) {
  constexpr float kShift = 12582912.0F;  // 1.5 * 2^23: the sum's low bits are the nearest integer
  const float shifted = x * 1.44269504088896341F + kShift;
  const float n = shifted - kShift;
  const float r = (x - n * 0.693359375F) - n * -2.12194440e-4F;
  float p = 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  return {to_bits(shifted) - to_bits(kShift), p * r * r + r};
}

/// e^x with x bounded to where the result is zero or infinite anyway.
inline float exp(float x) {
  x = x < -104.0F ? -104.0F : x;
  x = x > 89.0F ? 89.0F : x;
  const ExpParts parts = exp_parts(x);
  const std::int32_t half = parts.n >> 1;
  return (1.0F + parts.fraction) * power_of_two(half) * power_of_two(parts.n - half);
}

inline float expm1(float x) {
  const float bounded = x < -30.0F ? -30.0F : x > 89.0F ? 89.0F : x;
  const ExpParts parts = exp_parts(bounded);
  const std::int32_t half = parts.n >> 1;
  const float low = power_of_two(half), high = power_of_two(parts.n - half);
  const float large = (1.0F + parts.fraction) * low * high - 1.0F;
  const float scale = power_of_two(parts.n < 126 ? (parts.n > -126 ? parts.n : -126) : 126);
  const float near = scale * parts.fraction + (scale - 1.0F);
  const float result = parts.n > 100 ? large : near;
  return parts.n == 0 ? parts.fraction : result;
}

/// ln x of a positive normal x; of any other some number: what is not its business must not
/// overflow.
inline float log_of_normal(float x) {
  const auto bits = static_cast<std::uint32_t>(to_bits(x));
  // The exponent of x / sqrt(1/2), rounded down, so that the mantissa lies in [sqrt(1/2), sqrt(2)).
  const std::int32_t exponent = static_cast<std::int32_t>(bits - 0x3f3504f3U) >> 23;
  const std::uint32_t mantissa = bits - (static_cast<std::uint32_t>(exponent) << 23);
  const float m = from_bits(static_cast<std::int32_t>(mantissa)) - 1.0F;
  const float e = static_cast<float>(exponent), z = m * m;
  float p = 7.0376836292e-2F;
  p = p * m - 1.1514610310e-1F;
  p = p * m + 1.1676998740e-1F;
  p = p * m - 1.2420140846e-1F;
  p = p * m + 1.4249322787e-1F;
  p = p * m - 1.6668057665e-1F;
  p = p * m + 2.0000714765e-1F;
  p = p * m - 2.4999993993e-1F;
  p = p * m + 3.3333331174e-1F;
  const float tail = p * m * z + e * -2.12194440e-4F - 0.5F * z;
  return (m + tail) + e * 0.693359375F;
}

inline float log(float x) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kSmallest = std::numeric_limits<float>::min();
  const float result = log_of_normal(x);
  const float below = x < 0.0F ? std::numeric_limits<float>::quiet_NaN() : -kInfinity;
  const float finite = x < kSmallest ? below : result;
  return x < kInfinity ? finite : x;  // infinity and NaN
}

inline float log1p(float x) {
  const float u = 1.0F + x, d = u - 1.0F;
  const float scaled = log(u) * (x / d);
  const float result = d == 0.0F ? x : scaled;
  const bool is_special = !(u > 0.0F) || !(u < std::numeric_limits<float>::infinity());
  return is_special ? log(u) : result;
}

inline float logistic(float x) { return 1.0F / (1.0F + exp(-x)); }

inline float tanh(float x) {
  const float magnitude = std::fabs(x), z = x * x;
  float p = -5.70498872745e-3F;
  p = p * z + 2.06390887954e-2F;
  p = p * z - 5.37397155531e-2F;
  p = p * z + 1.33314422036e-1F;
  p = p * z - 3.33332819422e-1F;
  const float small = p * z * x + x;
  const float large = std::copysign(1.0F - 2.0F / (exp(2.0F * magnitude) + 1.0F), x);
  return magnitude < 0.625F ? small : large;
}

/// A rational approximation on [-4, 4], beyond which the result is one.
inline float erf(float x) {
  const float bounded = x < -4.0F ? -4.0F : x > 4.0F ? 4.0F : x;
  const float z = bounded * bounded;
  float p = -2.72614225801306e-10F;
  p = p * z + 2.77068142495902e-08F;
  p = p * z - 2.10102402082508e-06F;
  p = p * z - 5.69250639462346e-05F;
  p = p * z - 7.34990630326855e-04F;
  p = p * z - 2.95459980854025e-03F;
  p = p * z - 1.60960333262415e-02F;
  float q = -1.45660718464996e-05F;
  q = q * z - 2.13374055278905e-04F;
  q = q * z - 1.68282697438203e-03F;
  q = q * z - 7.37332916720468e-03F;
  q = q * z - 1.42647390514189e-02F;
  const float ratio = bounded * p / q;
  const float result = std::fabs(ratio) > 1.0F ? std::copysign(1.0F, x) : ratio;
  return x != x ? x : result;
}

}  // namespace rhino::runtime::vector_math
