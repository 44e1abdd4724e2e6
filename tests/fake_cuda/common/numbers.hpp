// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>

namespace fake {

/// bfloat16 by bits, rounded to the nearest, ties to even.
inline float from_bf16(std::uint16_t bits) {
  const std::uint32_t wide = std::uint32_t{bits} << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

inline std::uint16_t to_bf16(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (value != value) return static_cast<std::uint16_t>(bits >> 16 | 64);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// A number that is stored as bfloat16 and computed with as float.
struct Bf16 {
  std::uint16_t bits = 0;
  Bf16() = default;
  explicit Bf16(float value) : bits(to_bf16(value)) {}
  explicit operator float() const { return from_bf16(bits); }
};

/// What TF32 keeps of a float: ten bits of its mantissa.
inline float as_tf32(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (value != value) return value;
  bits = (bits + 0xfff + (bits >> 13 & 1)) & ~std::uint32_t{0x1fff};
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}

}  // namespace fake
