// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include "runtime/device/cpu/block.hpp"

/// Loops of block functions over scalar functions. `F::apply` must be free of branches and calls
/// for the loop to become vector code.
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

template <typename F, typename R, typename A, unsigned kSingle>
void map_1(const BlockArgs& args) {
  for (std::int64_t i = 0; i < args.rows; ++i) {
    R* to = row<R>(args.to, i, args.to_pitch);
    const Lane<A, (kSingle & 1) != 0> a(row<A>(args.from[0], i, args.pitch[0]));
    const std::int64_t columns = args.columns;
#pragma omp simd
    for (std::int64_t j = 0; j < columns; ++j) to[j] = F::apply(a[j]);
  }
}

template <typename F, typename R, typename A, unsigned kSingle>
void map_2(const BlockArgs& args) {
  for (std::int64_t i = 0; i < args.rows; ++i) {
    R* to = row<R>(args.to, i, args.to_pitch);
    const Lane<A, (kSingle & 1) != 0> a(row<A>(args.from[0], i, args.pitch[0]));
    const Lane<A, (kSingle & 2) != 0> b(row<A>(args.from[1], i, args.pitch[1]));
    const std::int64_t columns = args.columns;
#pragma omp simd
    for (std::int64_t j = 0; j < columns; ++j) to[j] = F::apply(a[j], b[j]);
  }
}

/// A: type of the first operand, B: of the others and the result.
template <typename F, typename A, typename B, unsigned kSingle>
void map_3(const BlockArgs& args) {
  for (std::int64_t i = 0; i < args.rows; ++i) {
    B* to = row<B>(args.to, i, args.to_pitch);
    const Lane<A, (kSingle & 1) != 0> a(row<A>(args.from[0], i, args.pitch[0]));
    const Lane<B, (kSingle & 2) != 0> b(row<B>(args.from[1], i, args.pitch[1]));
    const Lane<B, (kSingle & 4) != 0> c(row<B>(args.from[2], i, args.pitch[2]));
    const std::int64_t columns = args.columns;
#pragma omp simd
    for (std::int64_t j = 0; j < columns; ++j) to[j] = F::apply(a[j], b[j], c[j]);
  }
}

template <typename F, typename R, typename A>
BlockFunction unary(unsigned single) {
  constexpr BlockFunction kVariants[] = {map_1<F, R, A, 0>, map_1<F, R, A, 1>};
  return kVariants[single];
}

template <typename F, typename R, typename A>
BlockFunction binary(unsigned single) {
  constexpr BlockFunction kVariants[] = {map_2<F, R, A, 0>, map_2<F, R, A, 1>, map_2<F, R, A, 2>,
                                         map_2<F, R, A, 3>};
  return kVariants[single];
}

template <typename F, typename A, typename B>
BlockFunction ternary(unsigned single) {
  constexpr auto kVariants = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<BlockFunction, 8>{map_3<F, A, B, I>...};
  }
  (std::make_index_sequence<8>());
  return kVariants[single];
}

/// Functions of one element type; nullptr where there is none.
BlockFunction elementwise_f32(const Op& op, unsigned single);
BlockFunction elementwise_f64(const Op& op, unsigned single);
BlockFunction elementwise_s32(const Op& op, unsigned single);
BlockFunction elementwise_pred(const Op& op, unsigned single);

struct Equal {
  template <typename T>
  static Pred apply(T a, T b) {
    return a == b;
  }
};
struct NotEqual {
  template <typename T>
  static Pred apply(T a, T b) {
    return a != b;
  }
};
struct Less {
  template <typename T>
  static Pred apply(T a, T b) {
    return a < b;
  }
};
struct LessEqual {
  template <typename T>
  static Pred apply(T a, T b) {
    return a <= b;
  }
};
struct Greater {
  template <typename T>
  static Pred apply(T a, T b) {
    return a > b;
  }
};
struct GreaterEqual {
  template <typename T>
  static Pred apply(T a, T b) {
    return a >= b;
  }
};
/// NaN wins over numbers.
struct Maximum {
  template <typename T>
  static T apply(T a, T b) {
    return (a > b) | (a != a) ? a : b;
  }
};
struct Minimum {
  template <typename T>
  static T apply(T a, T b) {
    return (a < b) | (a != a) ? a : b;
  }
};
struct Clamp {
  template <typename T>
  static T apply(T low, T a, T high) {
    return Minimum::apply(Maximum::apply(low, a), high);
  }
};
struct Select {
  template <typename T>
  static T apply(Pred predicate, T on_true, T on_false) {
    return predicate ? on_true : on_false;
  }
};

template <typename T>
BlockFunction comparison(Comparison kind, unsigned single) {
  switch (kind) {
    case Comparison::eq: return binary<Equal, Pred, T>(single);
    case Comparison::ne: return binary<NotEqual, Pred, T>(single);
    case Comparison::lt: return binary<Less, Pred, T>(single);
    case Comparison::le: return binary<LessEqual, Pred, T>(single);
    case Comparison::gt: return binary<Greater, Pred, T>(single);
    case Comparison::ge: return binary<GreaterEqual, Pred, T>(single);
  }
  return nullptr;
}

/// Ops that work alike on all types.
template <typename T>
BlockFunction common(const Op& op, unsigned single) {
  switch (op.kind) {
    case OpKind::maximum: return binary<Maximum, T, T>(single);
    case OpKind::minimum: return binary<Minimum, T, T>(single);
    case OpKind::compare: return comparison<T>(op.attributes.get<CompareAttr>().comparison, single);
    case OpKind::select: return ternary<Select, Pred, T>(single);
    case OpKind::clamp: return ternary<Clamp, T, T>(single);
    default: return nullptr;
  }
}

}  // namespace rhino::runtime::block
