// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include "runtime/device/cpu/block.hpp"

/// Loops of block functions over scalar functions, which must be free of branches and calls for the
/// loop to become vector code.
namespace rhino::runtime::block {

/// pred in memory and registers.
using Pred = std::uint8_t;

template <typename T>
T* row(std::byte* first, std::int64_t index, std::int64_t pitch) {
  return reinterpret_cast<T*>(first) + index * pitch;
}
template <typename T>
const T* row(const std::byte* first, std::int64_t index, std::int64_t pitch) {
  return reinterpret_cast<const T*>(first) + index * pitch;
}

/// A row of an operand: one element for all columns, or an element for each.
template <typename T, bool kSingle>
struct Lane {
  explicit Lane(const T* first) : value(kSingle ? *first : T{}), elements(first) {}
  T operator[](std::int64_t column) const {
    if constexpr (kSingle) return value;
    return elements[column];
  }
  T value;
  const T* elements;
};

template <auto kF, typename R, typename A, unsigned kSingle>
void map_1(const BlockArgs& args) {
  for (std::int64_t i = 0; i < args.rows; ++i) {
    R* to = row<R>(args.to, i, args.to_pitch);
    const Lane<A, (kSingle & 1) != 0> a(row<A>(args.from[0], i, args.pitch[0]));
    const std::int64_t columns = args.columns;
#pragma omp simd
    for (std::int64_t j = 0; j < columns; ++j) to[j] = kF(a[j]);
  }
}

template <auto kF, typename R, typename A, unsigned kSingle>
void map_2(const BlockArgs& args) {
  for (std::int64_t i = 0; i < args.rows; ++i) {
    R* to = row<R>(args.to, i, args.to_pitch);
    const Lane<A, (kSingle & 1) != 0> a(row<A>(args.from[0], i, args.pitch[0]));
    const Lane<A, (kSingle & 2) != 0> b(row<A>(args.from[1], i, args.pitch[1]));
    const std::int64_t columns = args.columns;
#pragma omp simd
    for (std::int64_t j = 0; j < columns; ++j) to[j] = kF(a[j], b[j]);
  }
}

/// A: type of the first operand, B: of the others and the result.
template <auto kF, typename A, typename B, unsigned kSingle>
void map_3(const BlockArgs& args) {
  for (std::int64_t i = 0; i < args.rows; ++i) {
    B* to = row<B>(args.to, i, args.to_pitch);
    const Lane<A, (kSingle & 1) != 0> a(row<A>(args.from[0], i, args.pitch[0]));
    const Lane<B, (kSingle & 2) != 0> b(row<B>(args.from[1], i, args.pitch[1]));
    const Lane<B, (kSingle & 4) != 0> c(row<B>(args.from[2], i, args.pitch[2]));
    const std::int64_t columns = args.columns;
#pragma omp simd
    for (std::int64_t j = 0; j < columns; ++j) to[j] = kF(a[j], b[j], c[j]);
  }
}

template <auto kF, typename R, typename A>
BlockFunction unary(unsigned single) {
  constexpr BlockFunction kVariants[] = {map_1<kF, R, A, 0>, map_1<kF, R, A, 1>};
  return kVariants[single];
}

template <auto kF, typename R, typename A>
BlockFunction binary(unsigned single) {
  constexpr BlockFunction kVariants[] = {map_2<kF, R, A, 0>, map_2<kF, R, A, 1>, map_2<kF, R, A, 2>,
                                         map_2<kF, R, A, 3>};
  return kVariants[single];
}

template <auto kF, typename A, typename B>
BlockFunction ternary(unsigned single) {
  constexpr auto kVariants = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<BlockFunction, 8>{map_3<kF, A, B, I>...};
  }
  (std::make_index_sequence<8>());
  return kVariants[single];
}

/// Functions of one element type; nullptr where there is none.
BlockFunction elementwise_f32(const Op& op, unsigned single);
BlockFunction elementwise_f64(const Op& op, unsigned single);
BlockFunction elementwise_s32(const Op& op, unsigned single);
BlockFunction elementwise_u32(const Op& op, unsigned single);
BlockFunction elementwise_s64(const Op& op, unsigned single);
BlockFunction elementwise_s8(const Op& op, unsigned single);
BlockFunction elementwise_u8(const Op& op, unsigned single);
BlockFunction elementwise_pred(const Op& op, unsigned single);

/// On vectors, too, whose conditions are masks; on integers that wrap, those without a sign.
inline constexpr auto kNegate = [](auto a) { return -a; };
inline constexpr auto kAdd = [](auto a, auto b) { return a + b; };
inline constexpr auto kSubtract = [](auto a, auto b) { return a - b; };
inline constexpr auto kMultiply = [](auto a, auto b) { return a * b; };
inline constexpr auto kAnd = [](auto a, auto b) { return a & b; };
inline constexpr auto kOr = [](auto a, auto b) { return a | b; };
inline constexpr auto kXor = [](auto a, auto b) { return a ^ b; };
inline constexpr auto kEqual = [](auto a, auto b) -> Pred { return a == b; };
inline constexpr auto kNotEqual = [](auto a, auto b) -> Pred { return a != b; };
inline constexpr auto kLess = [](auto a, auto b) -> Pred { return a < b; };
inline constexpr auto kLessEqual = [](auto a, auto b) -> Pred { return a <= b; };
inline constexpr auto kGreater = [](auto a, auto b) -> Pred { return a > b; };
inline constexpr auto kGreaterEqual = [](auto a, auto b) -> Pred { return a >= b; };
/// NaN wins over numbers.
inline constexpr auto kMaximum = [](auto a, auto b) { return (a > b) | (a != a) ? a : b; };
inline constexpr auto kMinimum = [](auto a, auto b) { return (a < b) | (a != a) ? a : b; };
inline constexpr auto kClamp = [](auto low, auto a, auto high) {
  return kMinimum(kMaximum(low, a), high);
};
inline constexpr auto kSelect = [](Pred predicate, auto on_true, auto on_false) {
  return predicate ? on_true : on_false;
};

template <typename T>
BlockFunction comparison(Comparison kind, unsigned single) {
  switch (kind) {
    case Comparison::eq: return binary<kEqual, Pred, T>(single);
    case Comparison::ne: return binary<kNotEqual, Pred, T>(single);
    case Comparison::lt: return binary<kLess, Pred, T>(single);
    case Comparison::le: return binary<kLessEqual, Pred, T>(single);
    case Comparison::gt: return binary<kGreater, Pred, T>(single);
    case Comparison::ge: return binary<kGreaterEqual, Pred, T>(single);
  }
  return nullptr;
}

/// Ops that work alike on all types.
template <typename T>
BlockFunction common(const Op& op, unsigned single) {
  switch (op.kind) {
    case OpKind::maximum: return binary<kMaximum, T, T>(single);
    case OpKind::minimum: return binary<kMinimum, T, T>(single);
    case OpKind::compare: return comparison<T>(op.attributes.get<CompareAttr>().comparison, single);
    case OpKind::select: return ternary<kSelect, Pred, T>(single);
    case OpKind::clamp: return ternary<kClamp, T, T>(single);
    default: return nullptr;
  }
}

}  // namespace rhino::runtime::block
