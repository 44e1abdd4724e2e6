// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Scalar functions of integers, which wrap; see core/ir/reference.hpp for what is left open.
namespace rhino::runtime::block {

using S32 = std::int32_t;
using U32 = std::uint32_t;
using S64 = std::int64_t;
using U64 = std::uint64_t;

inline constexpr auto kNegateInteger = [](S32 a) { return static_cast<S32>(-static_cast<U32>(a)); };
inline constexpr auto kAbsoluteInteger = [](S32 a) { return a < 0 ? kNegateInteger(a) : a; };
inline constexpr auto kSignInteger = [](S32 a) { return (a > 0) - (a < 0); };
inline constexpr auto kNotInteger = [](S32 a) { return ~a; };
inline constexpr auto kDivideInteger = [](S32 a, S32 b) {
  return b == 0 ? -1 : b == -1 ? kNegateInteger(a) : a / b;
};
inline constexpr auto kRemainderInteger = [](S32 a, S32 b) {
  return b == 0 ? a : b == -1 ? 0 : a % b;
};
inline constexpr auto kPowerInteger = [](S32 a, S32 b) {
  if (b < 0 && a != 1 && a != -1) return 0;
  U32 result = 1, base = static_cast<U32>(a);
  for (U32 n = static_cast<U32>(b < 0 ? kNegateInteger(b) : b); n; n >>= 1, base *= base) {
    if (n & 1) result *= base;
  }
  return static_cast<S32>(result);
};
inline constexpr auto kSignUnsigned = [](U32 a) { return static_cast<U32>(a > 0); };
inline constexpr auto kDivideUnsigned = [](U32 a, U32 b) { return b == 0 ? ~U32{0} : a / b; };
inline constexpr auto kRemainderUnsigned = [](U32 a, U32 b) { return b == 0 ? a : a % b; };
inline constexpr auto kPowerUnsigned = [](U32 base, U32 n) {
  U32 result = 1;
  for (; n; n >>= 1, base *= base) {
    if (n & 1) result *= base;
  }
  return result;
};
inline constexpr auto kShiftLeft = [](U32 a, U32 b) { return b < 32 ? a << (b & 31) : 0; };
inline constexpr auto kShiftRightLogical = [](U32 a, U32 b) { return b < 32 ? a >> (b & 31) : 0; };
inline constexpr auto kShiftRightArithmetic = [](U32 a, U32 b) {
  return static_cast<U32>(static_cast<S32>(a) >> (b < 32 ? b : 31));
};
inline constexpr auto kSame = [](auto a) { return a; };

}  // namespace rhino::runtime::block
