// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "runtime/device/cpu/block_loops.hpp"
#include "runtime/device/cpu/integer_functions.hpp"
#include "runtime/device/cpu/narrow_float.hpp"

/// Elementwise ops of s64, s32, u32 and pred, and conversions between all types.
namespace rhino::runtime::block {
namespace {

constexpr auto kNegateLong = [](S64 a) { return static_cast<S64>(-static_cast<U64>(a)); };
constexpr auto kAbsoluteLong = [](S64 a) { return a < 0 ? kNegateLong(a) : a; };
constexpr auto kSignLong = [](S64 a) { return static_cast<S64>((a > 0) - (a < 0)); };
constexpr auto kNotLong = [](S64 a) { return ~a; };
constexpr auto kDivideLong = [](S64 a, S64 b) {
  return b == 0 ? S64{-1} : b == -1 ? kNegateLong(a) : a / b;
};
constexpr auto kRemainderLong = [](S64 a, S64 b) { return b == 0 ? a : b == -1 ? S64{0} : a % b; };
constexpr auto kPowerLong = [](S64 a, S64 b) {
  if (b < 0 && a != 1 && a != -1) return S64{0};
  U64 result = 1, base = static_cast<U64>(a);
  for (U64 n = static_cast<U64>(b < 0 ? kNegateLong(b) : b); n; n >>= 1, base *= base) {
    if (n & 1) result *= base;
  }
  return static_cast<S64>(result);
};
constexpr auto kShiftLeftLong = [](U64 a, U64 b) { return b < 64 ? a << (b & 63) : 0; };
constexpr auto kShiftRightLogicalLong = [](U64 a, U64 b) { return b < 64 ? a >> (b & 63) : 0; };
constexpr auto kShiftRightArithmeticLong = [](U64 a, U64 b) {
  return static_cast<U64>(static_cast<S64>(a) >> (b < 64 ? b : 63));
};
constexpr auto kNotPred = [](Pred a) -> Pred { return a ^ 1; };

template <typename T>
constexpr bool kIsNarrow = std::is_same_v<T, Bf16> || std::is_same_v<T, F16>;

template <typename To>
struct Convert {
  template <typename From>
  To operator()(From a) const {
    if constexpr (kIsNarrow<From> && kIsNarrow<To>) {
      static_assert(std::is_same_v<From, To>);
      return a;
    } else if constexpr (kIsNarrow<From>) {
      return Convert{}(widen(a));
    } else if constexpr (kIsNarrow<To>) {
      To result;
      narrow(static_cast<float>(a), result);
      return result;
    } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
      constexpr auto kLow = static_cast<double>(std::numeric_limits<To>::min()),
                     kHigh = static_cast<double>(std::numeric_limits<To>::max());
      const double value = static_cast<double>(a);
      if constexpr (sizeof(To) == sizeof(double)) {  // kHigh is no double
        if (value >= 0x1p63) return std::numeric_limits<To>::max();
        return value >= kLow    ? static_cast<To>(value)
               : value == value ? std::numeric_limits<To>::min()
                                : To{0};
      } else {
        const double bounded = value < kLow ? kLow : value > kHigh ? kHigh : value;
        return value == value ? static_cast<To>(bounded) : To{0};
      }
    } else {
      return static_cast<To>(a);
    }
  }
};

/// u8 is of the same type as pred.
constexpr auto kIsNotZero = [](auto a) -> Pred { return a != decltype(a){0}; };

template <typename To, auto kF = Convert<To>{}>
BlockFunction convert_to(DType from, unsigned single) {
  switch (from) {
    case DType::f32: return unary<kF, To, float>(single);
    case DType::f64: return unary<kF, To, double>(single);
    case DType::s32: return unary<kF, To, S32>(single);
    case DType::u32: return unary<kF, To, U32>(single);
    case DType::s64: return unary<kF, To, S64>(single);
    case DType::s8: return unary<kF, To, std::int8_t>(single);
    case DType::u8:
    case DType::pred: return unary<kF, To, std::uint8_t>(single);
    default: return nullptr;
  }
}

/// Between f32 and a type of 16 bits, or a copy of the latter.
template <typename T>
BlockFunction convert_narrow(DType to, DType from, unsigned single) {
  if (to == from) return unary<Convert<T>{}, T, T>(single);
  if (to == DType::f32) return unary<Convert<float>{}, float, T>(single);
  return from == DType::f32 ? unary<Convert<T>{}, T, float>(single) : nullptr;
}

/// Types whose elements are moved as bits alone.
bool has_32_bits(DType dtype) {
  return dtype == DType::f32 || dtype == DType::s32 || dtype == DType::u32;
}

/// Ops that see no sign in the bits of s32 and u32.
BlockFunction common_bits(const Op& op, unsigned single) {
  switch (op.kind) {
    case OpKind::logical_not: return unary<kNotInteger, S32, S32>(single);
    case OpKind::add: return binary<kAdd, U32, U32>(single);
    case OpKind::subtract: return binary<kSubtract, U32, U32>(single);
    case OpKind::multiply: return binary<kMultiply, U32, U32>(single);
    case OpKind::logical_and: return binary<kAnd, U32, U32>(single);
    case OpKind::logical_or: return binary<kOr, U32, U32>(single);
    case OpKind::logical_xor: return binary<kXor, U32, U32>(single);
    case OpKind::shift_left: return binary<kShiftLeft, U32, U32>(single);
    case OpKind::shift_right_logical: return binary<kShiftRightLogical, U32, U32>(single);
    case OpKind::shift_right_arithmetic: return binary<kShiftRightArithmetic, U32, U32>(single);
    default: return nullptr;
  }
}

}  // namespace

BlockFunction elementwise_s32(const Op& op, unsigned single) {
  switch (op.kind) {
    case OpKind::negate: return unary<kNegateInteger, S32, S32>(single);
    case OpKind::absolute: return unary<kAbsoluteInteger, S32, S32>(single);
    case OpKind::sign: return unary<kSignInteger, S32, S32>(single);
    case OpKind::divide: return binary<kDivideInteger, S32, S32>(single);
    case OpKind::remainder: return binary<kRemainderInteger, S32, S32>(single);
    case OpKind::power: return binary<kPowerInteger, S32, S32>(single);
    default: break;
  }
  const BlockFunction function = common_bits(op, single);
  return function ? function : common<S32>(op, single);
}

BlockFunction elementwise_u32(const Op& op, unsigned single) {
  switch (op.kind) {
    case OpKind::negate: return unary<kNegateInteger, S32, S32>(single);
    case OpKind::absolute: return unary<kSame, U32, U32>(single);
    case OpKind::sign: return unary<kSignUnsigned, U32, U32>(single);
    case OpKind::divide: return binary<kDivideUnsigned, U32, U32>(single);
    case OpKind::remainder: return binary<kRemainderUnsigned, U32, U32>(single);
    case OpKind::power: return binary<kPowerUnsigned, U32, U32>(single);
    default: break;
  }
  const BlockFunction function = common_bits(op, single);
  return function ? function : common<U32>(op, single);
}

BlockFunction elementwise_s64(const Op& op, unsigned single) {
  switch (op.kind) {
    case OpKind::negate: return unary<kNegateLong, S64, S64>(single);
    case OpKind::absolute: return unary<kAbsoluteLong, S64, S64>(single);
    case OpKind::sign: return unary<kSignLong, S64, S64>(single);
    case OpKind::logical_not: return unary<kNotLong, S64, S64>(single);
    case OpKind::divide: return binary<kDivideLong, S64, S64>(single);
    case OpKind::remainder: return binary<kRemainderLong, S64, S64>(single);
    case OpKind::power: return binary<kPowerLong, S64, S64>(single);
    case OpKind::add: return binary<kAdd, U64, U64>(single);
    case OpKind::subtract: return binary<kSubtract, U64, U64>(single);
    case OpKind::multiply: return binary<kMultiply, U64, U64>(single);
    case OpKind::logical_and: return binary<kAnd, U64, U64>(single);
    case OpKind::logical_or: return binary<kOr, U64, U64>(single);
    case OpKind::logical_xor: return binary<kXor, U64, U64>(single);
    case OpKind::shift_left: return binary<kShiftLeftLong, U64, U64>(single);
    case OpKind::shift_right_logical: return binary<kShiftRightLogicalLong, U64, U64>(single);
    case OpKind::shift_right_arithmetic: return binary<kShiftRightArithmeticLong, U64, U64>(single);
    default: return common<S64>(op, single);
  }
}

BlockFunction elementwise_pred(const Op& op, unsigned single) {
  switch (op.kind) {
    case OpKind::logical_not: return unary<kNotPred, Pred, Pred>(single);
    case OpKind::logical_and: return binary<kAnd, Pred, Pred>(single);
    case OpKind::logical_or: return binary<kOr, Pred, Pred>(single);
    case OpKind::logical_xor: return binary<kXor, Pred, Pred>(single);
    default: return common<Pred>(op, single);
  }
}

}  // namespace rhino::runtime::block

namespace rhino::runtime {

BlockFunction convert_function(DType to, DType from, unsigned single) {
  using namespace block;
  if (to == DType::bf16 || from == DType::bf16) return convert_narrow<Bf16>(to, from, single);
  if (to == DType::f16 || from == DType::f16) return convert_narrow<F16>(to, from, single);
  switch (to) {
    case DType::f32: return convert_to<float>(from, single);
    case DType::f64: return convert_to<double>(from, single);
    case DType::s32: return convert_to<S32>(from, single);
    case DType::u32: return convert_to<U32>(from, single);
    case DType::s64: return convert_to<S64>(from, single);
    case DType::s8: return convert_to<std::int8_t>(from, single);
    case DType::u8: return convert_to<std::uint8_t>(from, single);
    case DType::pred: return convert_to<Pred, block::kIsNotZero>(from, single);
    default: return nullptr;
  }
}

BlockFunction round_function(DType dtype, unsigned single) {
  if (dtype == DType::bf16) return block::unary<Rounded<Bf16>{}, float, float>(single);
  return dtype == DType::f16 ? block::unary<Rounded<F16>{}, float, float>(single) : nullptr;
}

BlockFunction elementwise_function(const Op& op, DType dtype, unsigned single) {
  if (op.kind == OpKind::convert) return convert_function(op.shape.dtype, dtype, single);
  if (op.kind == OpKind::bitcast_convert) {
    if (block::has_32_bits(dtype) && block::has_32_bits(op.shape.dtype))
      return block::unary<block::kSame, std::uint32_t, std::uint32_t>(single);
    const bool are_bytes = dtype_bytes(dtype) == 1 && dtype_bytes(op.shape.dtype) == 1;
    return are_bytes ? block::unary<block::kSame, std::uint8_t, std::uint8_t>(single) : nullptr;
  }
  switch (dtype) {
    case DType::f32: return block::elementwise_f32(op, single);
    case DType::f64: return block::elementwise_f64(op, single);
    case DType::s32: return block::elementwise_s32(op, single);
    case DType::u32: return block::elementwise_u32(op, single);
    case DType::s64: return block::elementwise_s64(op, single);
    case DType::s8: return block::elementwise_s8(op, single);
    case DType::u8: return block::elementwise_u8(op, single);
    case DType::pred: return block::elementwise_pred(op, single);
    default: return nullptr;
  }
}

}  // namespace rhino::runtime
