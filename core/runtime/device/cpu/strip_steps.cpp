// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <utility>

#include "runtime/device/cpu/block_floating.hpp"
#include "runtime/device/cpu/narrow_float.hpp"
#include "runtime/device/cpu/strip.hpp"
#include "runtime/device/cpu/vector_bytes.hpp"

namespace rhino::runtime {
namespace {

using Vector [[gnu::vector_size(kVectorBytes)]] = float;
constexpr std::int64_t kLanes = kVectorBytes / sizeof(float);
/// As many as a call hands over in registers; and of a narrow strip.
constexpr std::int64_t kVectors = 8, kNarrowVectors = 2;
constexpr std::int64_t kElements = kVectors * kLanes, kNarrowElements = kNarrowVectors * kLanes;
static_assert(kElements * sizeof(float) <= kStripBytes);

/// Every step is a function that ends in a call of the next one with the same arguments, for which
/// compilers jump: the vectors never leave their registers.
using Wide = void (*)(const StripStep*, const StripFrame*, std::int64_t first, Vector, Vector,
                      Vector, Vector, Vector, Vector, Vector, Vector);
using Narrow = void (*)(const StripStep*, const StripFrame*, std::int64_t first, Vector, Vector);

/// Body: what a step does to the vectors of one strip.
template <typename Body>
void wide(const StripStep* step, const StripFrame* frame, std::int64_t first, Vector a, Vector b,
          Vector c, Vector d, Vector e, Vector f, Vector g, Vector h) {
  Vector x[kVectors] = {a, b, c, d, e, f, g, h};
  Body::run(*step, *frame, first, x);
  const StripStep* next = step + 1;
  return reinterpret_cast<Wide>(next->code.wide)(next, frame, first, x[0], x[1], x[2], x[3], x[4],
                                                 x[5], x[6], x[7]);
}
template <typename Body>
void narrow(const StripStep* step, const StripFrame* frame, std::int64_t first, Vector a,
            Vector b) {
  Vector x[kNarrowVectors] = {a, b};
  Body::run(*step, *frame, first, x);
  const StripStep* next = step + 1;
  return reinterpret_cast<Narrow>(next->code.narrow)(next, frame, first, x[0], x[1]);
}

template <typename Body>
StripCode code() {
  return {reinterpret_cast<StripCode::Function>(wide<Body>),
          reinterpret_cast<StripCode::Function>(narrow<Body>)};
}

void end_wide(const StripStep*, const StripFrame*, std::int64_t, Vector, Vector, Vector, Vector,
              Vector, Vector, Vector, Vector) {}
void end_narrow(const StripStep*, const StripFrame*, std::int64_t, Vector, Vector) {}

/// The vectors of the strip at a place, asked for from the first to the last: compilers turn loads
/// around, and prefetchers take a stream whose lines come backwards within each strip for one that
/// goes down. Loops that stream from memory took up to three times as long so.
struct Vectors {
  Vectors(const StripStep& step, const StripFrame& frame, std::int64_t first)
      : elements(reinterpret_cast<const float*>(frame.places[step.place]) +
                 (first & step.advance)) {}
  Vector operator[](std::int64_t i) const {
    Vector vector;
    asm volatile("" : : : "memory");  // no load passes it
    std::memcpy(&vector, elements + i * kLanes, sizeof vector);
    return vector;
  }
  const float* elements;
};
/// One element for all of them.
struct Single {
  Single(const StripStep& step, const StripFrame& frame, std::int64_t)
      : vector(*reinterpret_cast<const float*>(frame.places[step.place]) - Vector{}) {}
  Vector operator[](std::int64_t) const { return vector; }
  Vector vector;
};

template <typename Source>
struct Load {
  template <std::int64_t kCount>
  static void run(const StripStep& step, const StripFrame& frame, std::int64_t first,
                  Vector (&x)[kCount]) {
    const Source source(step, frame, first);
#pragma GCC unroll 8
    for (std::int64_t i = 0; i < kCount; ++i) x[i] = source[i];
  }
};

struct Store {
  template <std::int64_t kCount>
  static void run(const StripStep& step, const StripFrame& frame, std::int64_t first,
                  Vector (&x)[kCount]) {
    float* to = reinterpret_cast<float*>(frame.places[step.place]) + (first & step.advance);
#pragma GCC unroll 8
    for (std::int64_t i = 0; i < kCount; ++i) std::memcpy(to + i * kLanes, &x[i], sizeof x[i]);
  }
};

/// Asks for what a strip further on reads: half a page ahead, as hardware stops at the end of each
/// (measured: 5 to 25 % of loops that stream, alike from 0.5 to 4 KiB). An address that is no
/// memory of ours is ignored.
struct Prefetch {
  template <std::int64_t kCount>
  static void run(const StripStep& step, const StripFrame& frame, std::int64_t first,
                  Vector (&)[kCount]) {
    constexpr std::int64_t kLine = 64, kAhead = 2048;
    const std::byte* from = frame.places[step.place] + first * 4 + kAhead;
#pragma GCC unroll 8
    for (std::int64_t i = 0; i < kCount * kLanes * 4; i += kLine) __builtin_prefetch(from + i);
  }
};

template <auto kF>
struct Unary {
  template <std::int64_t kCount>
  static void run(const StripStep&, const StripFrame&, std::int64_t, Vector (&x)[kCount]) {
    float elements[kCount * kLanes];
    std::memcpy(elements, x, sizeof elements);
#pragma omp simd
    for (std::int64_t i = 0; i < kCount * kLanes; ++i) elements[i] = kF(elements[i]);
    std::memcpy(x, elements, sizeof elements);
  }
};

template <auto kF, bool kReversed, typename Source>
struct Binary {
  template <std::int64_t kCount>
  static void run(const StripStep& step, const StripFrame& frame, std::int64_t first,
                  Vector (&x)[kCount]) {
    const Source other(step, frame, first);
#pragma GCC unroll 8
    for (std::int64_t i = 0; i < kCount; ++i) {
      x[i] = kReversed ? kF(other[i], x[i]) : kF(x[i], other[i]);
    }
  }
};

template <auto kF>
struct Square {
  template <std::int64_t kCount>
  static void run(const StripStep&, const StripFrame&, std::int64_t, Vector (&x)[kCount]) {
#pragma GCC unroll 8
    for (std::int64_t i = 0; i < kCount; ++i) x[i] = kF(x[i], x[i]);
  }
};

template <bool kSingleCondition, bool kSingleOther, bool kHoldsFalse>
struct Choose {
  template <std::int64_t kCount>
  static void run(const StripStep& step, const StripFrame& frame, std::int64_t first,
                  Vector (&x)[kCount]) {
    const auto* conditions = reinterpret_cast<const block::Pred*>(frame.places[step.condition]);
    const auto* others = reinterpret_cast<const float*>(frame.places[step.place]);
    const block::Lane<block::Pred, kSingleCondition> condition(conditions +
                                                               (kSingleCondition ? 0 : first));
    const block::Lane<float, kSingleOther> other(others +
                                                 (kSingleOther ? 0 : first & step.advance));
    float elements[kCount * kLanes];
    std::memcpy(elements, x, sizeof elements);
#pragma omp simd
    for (std::int64_t i = 0; i < kCount * kLanes; ++i) {
      elements[i] = kHoldsFalse ? block::kSelect(condition[i], other[i], elements[i])
                                : block::kSelect(condition[i], elements[i], other[i]);
    }
    std::memcpy(x, elements, sizeof elements);
  }
};

template <auto kF>
const StripOp* unary() {
  static const StripOp op{StripOp::Form::unary, {code<Unary<kF>>()}};
  return &op;
}

template <auto kF>
const StripOp* binary() {
  static const StripOp op{StripOp::Form::binary,
                          {code<Binary<kF, false, Vectors>>(), code<Binary<kF, true, Vectors>>(),
                           code<Binary<kF, false, Single>>(), code<Binary<kF, true, Single>>(),
                           code<Square<kF>>(), code<Square<kF>>()}};
  return &op;
}

const StripOp* select() {
  static const StripOp op{StripOp::Form::select,
                          {code<Choose<false, false, false>>(), code<Choose<false, false, true>>(),
                           code<Choose<false, true, false>>(), code<Choose<false, true, true>>(),
                           code<Choose<true, false, false>>(), code<Choose<true, false, true>>(),
                           code<Choose<true, true, false>>(), code<Choose<true, true, true>>()}};
  return &op;
}

}  // namespace

const StripOp* strip_op(OpKind kind, DType dtype) {
  if (dtype != DType::f32) return nullptr;
  switch (kind) {
    case OpKind::negate: return unary<block::kNegate>();
    case OpKind::absolute: return unary<block::kAbsolute>();
    case OpKind::exponential: return unary<block::kExponential>();
    case OpKind::exponential_minus_one: return unary<block::kExponentialMinusOne>();
    case OpKind::log: return unary<block::kLog>();
    case OpKind::log_plus_one: return unary<block::kLogPlusOne>();
    case OpKind::sqrt: return unary<block::kSqrt>();
    case OpKind::rsqrt: return unary<block::kRsqrt>();
    case OpKind::tanh: return unary<block::kTanh>();
    case OpKind::logistic: return unary<block::kLogistic>();
    case OpKind::erf: return unary<block::kErf>();
    case OpKind::add: return binary<block::kAdd>();
    case OpKind::subtract: return binary<block::kSubtract>();
    case OpKind::multiply: return binary<block::kMultiply>();
    case OpKind::divide: return binary<block::kDivide>();
    case OpKind::maximum: return binary<block::kMaximum>();
    case OpKind::minimum: return binary<block::kMinimum>();
    case OpKind::select: return select();
    default: return nullptr;
  }
}

const StripOp* strip_copy(DType dtype) {
  static const StripOp op{StripOp::Form::copy, {}};
  return dtype == DType::f32 ? &op : nullptr;
}

const StripOp* strip_round(DType dtype) {
  if (dtype == DType::bf16) return unary<Rounded<Bf16>{}>();
  return dtype == DType::f16 ? unary<Rounded<F16>{}>() : nullptr;
}

StripCode strip_load(bool is_single) {
  return is_single ? code<Load<Single>>() : code<Load<Vectors>>();
}
StripCode strip_prefetch() { return code<Prefetch>(); }
StripCode strip_store() { return code<Store>(); }
StripCode strip_end() {
  return {reinterpret_cast<StripCode::Function>(end_wide),
          reinterpret_cast<StripCode::Function>(end_narrow)};
}

std::int64_t strip_elements() { return kElements; }
std::int64_t narrow_strip_elements() { return kNarrowElements; }

void run_strips(std::span<const StripStep> chain, const StripFrame& frame, std::int64_t count) {
  const Vector zero{};
  std::int64_t first = 0;
  const auto wide = reinterpret_cast<Wide>(chain[0].code.wide);
  for (; first + kElements <= count; first += kElements)
    wide(chain.data(), &frame, first, zero, zero, zero, zero, zero, zero, zero, zero);
  const auto narrow = reinterpret_cast<Narrow>(chain[0].code.narrow);
  for (; first < count; first += kNarrowElements) narrow(chain.data(), &frame, first, zero, zero);
}

}  // namespace rhino::runtime
