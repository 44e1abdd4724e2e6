// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/cpu/block_loops.hpp"
#include "runtime/device/cpu/integer_functions.hpp"

/// Elementwise ops of s8 and u8: those of 32 bits, whose low bits count.
namespace rhino::runtime::block {
namespace {

using S8 = std::int8_t;
using U8 = std::uint8_t;

template <auto kF, typename Wide, typename T>
struct Low {
  T operator()(T a) const { return static_cast<T>(kF(Wide{a})); }
  T operator()(T a, T b) const { return static_cast<T>(kF(Wide{a}, Wide{b})); }
};

template <auto kF, typename Wide, typename T>
BlockFunction low_unary(unsigned single) {
  return unary<Low<kF, Wide, T>{}, T, T>(single);
}

template <auto kF, typename Wide, typename T>
BlockFunction low_binary(unsigned single) {
  return binary<Low<kF, Wide, T>{}, T, T>(single);
}

constexpr auto kShiftLeftByte = [](U8 a, U8 b) { return static_cast<U8>(b < 8 ? a << b : 0); };
constexpr auto kShiftRightLogicalByte = [](U8 a, U8 b) {
  return static_cast<U8>(b < 8 ? a >> b : 0);
};
constexpr auto kShiftRightArithmeticByte = [](U8 a, U8 b) {
  return static_cast<U8>(static_cast<S8>(a) >> (b < 8 ? b : 7));
};

/// Ops that see no sign.
BlockFunction common_bytes(const Op& op, unsigned single) {
  switch (op.kind) {
    case OpKind::negate: return low_unary<kNegateInteger, S32, U8>(single);
    case OpKind::logical_not: return low_unary<kNotInteger, S32, U8>(single);
    case OpKind::add: return low_binary<kAdd, U32, U8>(single);
    case OpKind::subtract: return low_binary<kSubtract, U32, U8>(single);
    case OpKind::multiply: return low_binary<kMultiply, U32, U8>(single);
    case OpKind::logical_and: return low_binary<kAnd, U32, U8>(single);
    case OpKind::logical_or: return low_binary<kOr, U32, U8>(single);
    case OpKind::logical_xor: return low_binary<kXor, U32, U8>(single);
    case OpKind::shift_left: return binary<kShiftLeftByte, U8, U8>(single);
    case OpKind::shift_right_logical: return binary<kShiftRightLogicalByte, U8, U8>(single);
    case OpKind::shift_right_arithmetic: return binary<kShiftRightArithmeticByte, U8, U8>(single);
    default: return nullptr;
  }
}

}  // namespace

BlockFunction elementwise_s8(const Op& op, unsigned single) {
  switch (op.kind) {
    case OpKind::absolute: return low_unary<kAbsoluteInteger, S32, S8>(single);
    case OpKind::sign: return low_unary<kSignInteger, S32, S8>(single);
    case OpKind::divide: return low_binary<kDivideInteger, S32, S8>(single);
    case OpKind::remainder: return low_binary<kRemainderInteger, S32, S8>(single);
    case OpKind::power: return low_binary<kPowerInteger, S32, S8>(single);
    default: break;
  }
  const BlockFunction function = common_bytes(op, single);
  return function ? function : common<S8>(op, single);
}

BlockFunction elementwise_u8(const Op& op, unsigned single) {
  switch (op.kind) {
    case OpKind::absolute: return unary<kSame, U8, U8>(single);
    case OpKind::sign: return low_unary<kSignUnsigned, U32, U8>(single);
    case OpKind::divide: return low_binary<kDivideUnsigned, U32, U8>(single);
    case OpKind::remainder: return low_binary<kRemainderUnsigned, U32, U8>(single);
    case OpKind::power: return low_binary<kPowerUnsigned, U32, U8>(single);
    default: break;
  }
  const BlockFunction function = common_bytes(op, single);
  return function ? function : common<U8>(op, single);
}

}  // namespace rhino::runtime::block
