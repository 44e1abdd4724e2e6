// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/reduce.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <type_traits>

#include "rhino/error.hpp"
#include "runtime/transport/stream_copy.hpp"

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

constexpr auto kSum = []<typename T>(T a, T b) {
  return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
};
constexpr auto kProduct = []<typename T>(T a, T b) {
  return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
};
constexpr auto kMax = [](auto a, auto b) { return (a > b) | (a != a) ? a : b; };
constexpr auto kMin = [](auto a, auto b) { return (a < b) | (a != a) ? a : b; };
constexpr auto kAnd = []<typename T>(T a, T b) { return static_cast<T>(a & b); };
constexpr auto kOr = []<typename T>(T a, T b) { return static_cast<T>(a | b); };

template <typename Element, auto kOperation>
void compute(typename Element::Stored* to, const typename Element::Stored* a,
             const typename Element::Stored* b, std::int64_t count) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < count; ++i)
    to[i] = Element::store(kOperation(Element::load(a[i]), Element::load(b[i])));
}

// Block by block: the first cache holds one until all targets have it.
template <typename Element, auto kOperation>
void reduce(std::span<void* const> targets, const void* a, const void* b, std::int64_t count) {
  using Stored = typename Element::Stored;
  constexpr std::int64_t kBlock = 4096 / sizeof(Stored);
  const std::int64_t block = targets.size() == 1 ? count : kBlock;
  for (std::int64_t done = 0; done < count; done += block) {
    const std::int64_t size = std::min(block, count - done);
    Stored* first = static_cast<Stored*>(targets[0]) + done;
    compute<Element, kOperation>(first, static_cast<const Stored*>(a) + done,
                                 static_cast<const Stored*>(b) + done, size);
    for (void* target : targets.subspan(1))
      std::copy_n(first, size, static_cast<Stored*>(target) + done);
  }
}

// Line by line: each is computed once, and leaves for all targets from registers.
template <typename Element, auto kOperation>
void stream(std::span<void* const> targets, const void* a, const void* b, std::int64_t count) {
  using Stored = typename Element::Stored;
  constexpr auto kElements = static_cast<std::int64_t>(kLineBytes / sizeof(Stored));
  const auto *left = static_cast<const Stored*>(a), *right = static_cast<const Stored*>(b);
  std::int64_t done = 0;
  alignas(kLineBytes) Stored line[kElements];
  for (; done + kElements <= count; done += kElements) {
    compute<Element, kOperation>(line, left + done, right + done, kElements);
    for (void* target : targets) stream_line(static_cast<Stored*>(target) + done, line);
  }
  end_stream();
  compute<Element, kOperation>(line, left + done, right + done, count - done);
  for (void* target : targets) std::copy_n(line, count - done, static_cast<Stored*>(target) + done);
}

template <typename Element, auto kOperation>
ReduceFunction pick(bool streams) {
  return streams ? stream<Element, kOperation> : reduce<Element, kOperation>;
}

template <typename Element>
ReduceFunction arithmetic(Reduction reduction, bool streams) {
  switch (reduction) {
    case Reduction::sum: return pick<Element, kSum>(streams);
    case Reduction::product: return pick<Element, kProduct>(streams);
    case Reduction::max: return pick<Element, kMax>(streams);
    case Reduction::min: return pick<Element, kMin>(streams);
    case Reduction::logical_and:
    case Reduction::logical_or: break;
  }
  return nullptr;
}

template <typename T>
ReduceFunction integer(Reduction reduction, bool streams) {
  if (reduction == Reduction::logical_and) return pick<Plain<T>, kAnd>(streams);
  if (reduction == Reduction::logical_or) return pick<Plain<T>, kOr>(streams);
  return arithmetic<Plain<T>>(reduction, streams);
}

ReduceFunction predicate(Reduction reduction, bool streams) {
  const bool all = reduction == Reduction::product || reduction == Reduction::min ||
                   reduction == Reduction::logical_and;
  return all ? pick<Pred, kAnd>(streams) : pick<Pred, kOr>(streams);
}

ReduceFunction find(Reduction reduction, DType dtype, bool streams) {
  switch (dtype) {
    case DType::f64: return arithmetic<Plain<double>>(reduction, streams);
    case DType::f32: return arithmetic<Plain<float>>(reduction, streams);
    case DType::bf16: return arithmetic<BFloat16>(reduction, streams);
    case DType::f16: return arithmetic<Float16>(reduction, streams);
    case DType::s64: return integer<std::int64_t>(reduction, streams);
    case DType::s32: return integer<std::int32_t>(reduction, streams);
    case DType::u32: return integer<std::uint32_t>(reduction, streams);
    case DType::s8: return integer<std::int8_t>(reduction, streams);
    case DType::u8: return integer<std::uint8_t>(reduction, streams);
    case DType::pred: return predicate(reduction, streams);
  }
  return nullptr;
}

}  // namespace

ReduceFunction reduce_function(Reduction reduction, DType dtype, bool streams) {
  const ReduceFunction function = find(reduction, dtype, streams);
  if (!function) {
    throw Error(std::string("a logical reduction is not defined for ") + dtype_name(dtype));
  }
  return function;
}

}  // namespace rhino::runtime
