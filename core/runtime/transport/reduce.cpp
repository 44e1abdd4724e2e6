// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/reduce.hpp"

#include <bit>
#include <string>
#include <type_traits>

#include "rhino/error.hpp"

namespace rhino::runtime {
namespace {

// How an element lies in memory (Stored) and what it is computed as (Value).
template <typename T>
struct Plain {
  using Stored = T;
  using Value = T;
  static Value load(Stored x) { return x; }
  static Stored store(Value x) { return x; }
};

struct BFloat16 {
  using Stored = std::uint16_t;
  using Value = float;
  static Value load(Stored x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x) << 16); }
  static Stored store(Value x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    const std::uint32_t quiet_nan = (bits >> 16) | 0x40u;
    return static_cast<Stored>((bits & 0x7fffffffu) > 0x7f800000u ? quiet_nan : rounded);
  }
};

struct Float16 {
  using Stored = _Float16;
  using Value = float;
  static Value load(Stored x) { return static_cast<float>(x); }
  static Stored store(Value x) { return static_cast<Stored>(x); }
};

// pred: any non-zero byte is true, results are 0 or 1.
struct Pred {
  using Stored = std::uint8_t;
  using Value = std::uint8_t;
  static Value load(Stored x) { return x != 0; }
  static Stored store(Value x) { return x; }
};

// Integers wrap around, as in the op set; unsigned arithmetic makes that defined.
template <typename T>
struct WrappingOf {
  using type = T;
};
template <typename T>
requires std::is_integral_v<T>
struct WrappingOf<T> {
  using type = std::conditional_t<sizeof(T) < 4, std::uint32_t, std::make_unsigned_t<T>>;
};
template <typename T>
using Wrapping = typename WrappingOf<T>::type;

struct Sum {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
  }
};
struct Product {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
  }
};
struct Max {
  template <typename T>
  static T apply(T a, T b) {
    return (a > b) | (a != a) ? a : b;
  }
};
struct Min {
  template <typename T>
  static T apply(T a, T b) {
    return (a < b) | (a != a) ? a : b;
  }
};
struct And {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};

template <typename Element, typename Operation>
void reduce(void* target, const void* a, const void* b, std::int64_t count) {
  using Stored = typename Element::Stored;
  auto* to = static_cast<Stored*>(target);
  const auto* left = static_cast<const Stored*>(a);
  const auto* right = static_cast<const Stored*>(b);
#pragma GCC ivdep
  for (std::int64_t i = 0; i < count; ++i) {
    to[i] = Element::store(Operation::apply(Element::load(left[i]), Element::load(right[i])));
  }
}

template <typename Element>
ReduceFunction arithmetic(Reduction reduction) {
  switch (reduction) {
    case Reduction::sum: return reduce<Element, Sum>;
    case Reduction::product: return reduce<Element, Product>;
    case Reduction::max: return reduce<Element, Max>;
    case Reduction::min: return reduce<Element, Min>;
    case Reduction::logical_and:
    case Reduction::logical_or: break;
  }
  return nullptr;
}

template <typename T>
ReduceFunction integer(Reduction reduction) {
  if (reduction == Reduction::logical_and) return reduce<Plain<T>, And>;
  if (reduction == Reduction::logical_or) return reduce<Plain<T>, Or>;
  return arithmetic<Plain<T>>(reduction);
}

ReduceFunction predicate(Reduction reduction) {
  const bool all = reduction == Reduction::product || reduction == Reduction::min ||
                   reduction == Reduction::logical_and;
  return all ? reduce<Pred, And> : reduce<Pred, Or>;
}

ReduceFunction find(Reduction reduction, DType dtype) {
  switch (dtype) {
    case DType::f64: return arithmetic<Plain<double>>(reduction);
    case DType::f32: return arithmetic<Plain<float>>(reduction);
    case DType::bf16: return arithmetic<BFloat16>(reduction);
    case DType::f16: return arithmetic<Float16>(reduction);
    case DType::s64: return integer<std::int64_t>(reduction);
    case DType::s32: return integer<std::int32_t>(reduction);
    case DType::u32: return integer<std::uint32_t>(reduction);
    case DType::s8: return integer<std::int8_t>(reduction);
    case DType::u8: return integer<std::uint8_t>(reduction);
    case DType::pred: return predicate(reduction);
  }
  return nullptr;
}

}  // namespace

ReduceFunction reduce_function(Reduction reduction, DType dtype) {
  const ReduceFunction function = find(reduction, dtype);
  if (!function) {
    throw Error(std::string("a logical reduction is not defined for ") + dtype_name(dtype));
  }
  return function;
}

}  // namespace rhino::runtime
