// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "rhino/shape.hpp"

/// Floating-point types of 16 bits as they lie in memory. Nothing is computed in them: values are
/// widened to f32, and each result is rounded to what the type holds. Free of branches, so that
/// loops become vector code, and right where denormal f32 values are flushed to zero: those of f16
/// are normal in f32, those of bf16 are flushed as f32's are.
namespace rhino::runtime {

struct Bf16 {
  std::uint16_t bits;
};
struct F16 {
  std::uint16_t bits;
};

/// The type that values of `dtype` are computed in.
inline DType computed_as(DType dtype) { return is_narrow(dtype) ? DType::f32 : dtype; }

namespace narrow_float {

inline std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
inline float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

/// To nearest even, as the upper half of the result's bits; a NaN stays one.
inline std::uint32_t bf16_bits(float value) {
  const std::uint32_t bits = bits_of(value);
  const std::uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1), quiet = bits | 0x400000;
  return ((bits & 0x7fffffff) > 0x7f800000 ? quiet : rounded) & 0xffff0000;
}

inline std::uint32_t f16_bits(float value) {
  const std::uint32_t bits = bits_of(value), sign = bits >> 16 & 0x8000;
  const std::uint32_t magnitude = bits & 0x7fffffff;
  // Units of the smallest denormal are those in the last place of 0.5.
  const std::uint32_t denormal = bits_of(from_bits(magnitude) + 0.5F) - bits_of(0.5F);
  const std::uint32_t rounded = (magnitude + 0xfff + (magnitude >> 13 & 1)) >> 13;
  const std::uint32_t normal = rounded - (112U << 10);
  const std::uint32_t finite = magnitude < 0x38800000 ? denormal : normal;
  const std::uint32_t special = magnitude > 0x7f800000 ? 0x7e00 : 0x7c00;
  return sign | (magnitude >= 0x477ff000 ? special : finite);
}

inline float f16_value(std::uint32_t bits) {
  const std::uint32_t sign = (bits & 0x8000) << 16, magnitude = bits & 0x7fff;
  const std::uint32_t normal = (magnitude << 13) + (112U << 23);
  const std::uint32_t special = magnitude << 13 | 0x7f800000;
  const std::uint32_t denormal =
      bits_of(static_cast<float>(static_cast<std::int32_t>(magnitude)) * 0x1p-24F);
  const std::uint32_t finite = magnitude < 0x400 ? denormal : normal;
  return from_bits(sign | (magnitude < 0x7c00 ? finite : special));
}

}  // namespace narrow_float

inline float widen(Bf16 value) { return narrow_float::from_bits(std::uint32_t{value.bits} << 16); }
inline float widen(F16 value) { return narrow_float::f16_value(value.bits); }

inline void narrow(float value, Bf16& to) {
  to.bits = static_cast<std::uint16_t>(narrow_float::bf16_bits(value) >> 16);
}
inline void narrow(float value, F16& to) {
  to.bits = static_cast<std::uint16_t>(narrow_float::f16_bits(value));
}

/// The nearest value of T.
template <typename T>
struct Rounded {
  float operator()(float value) const {
    T narrowed;
    narrow(value, narrowed);
    return widen(narrowed);
  }
};

}  // namespace rhino::runtime
