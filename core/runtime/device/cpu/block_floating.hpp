// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "runtime/device/cpu/block_loops.hpp"
#include "runtime/device/cpu/vector_math.hpp"

/// Elementwise ops of f32 and f64. f64 takes the standard library's functions, f32 its own vector
/// ones.
namespace rhino::runtime::block {

inline constexpr auto kAbsolute = [](auto a) { return std::fabs(a); };
inline constexpr auto kSign = []<typename T>(T a) {
  return a > T{0} ? T{1} : a < T{0} ? T{-1} : a;
};
inline constexpr struct Exponential {
  float operator()(float a) const { return vector_math::exp(a); }
  double operator()(double a) const { return std::exp(a); }
} kExponential;
inline constexpr struct ExponentialMinusOne {
  float operator()(float a) const { return vector_math::expm1(a); }
  double operator()(double a) const { return std::expm1(a); }
} kExponentialMinusOne;
inline constexpr struct Log {
  float operator()(float a) const { return vector_math::log(a); }
  double operator()(double a) const { return std::log(a); }
} kLog;
inline constexpr struct LogPlusOne {
  float operator()(float a) const { return vector_math::log1p(a); }
  double operator()(double a) const { return std::log1p(a); }
} kLogPlusOne;
inline constexpr auto kSqrt = [](auto a) { return std::sqrt(a); };
inline constexpr auto kRsqrt = []<typename T>(T a) { return T{1} / std::sqrt(a); };
inline constexpr auto kCbrt = [](auto a) { return std::cbrt(a); };
inline constexpr struct Tanh {
  float operator()(float a) const { return vector_math::tanh(a); }
  double operator()(double a) const { return std::tanh(a); }
} kTanh;
inline constexpr struct Logistic {
  float operator()(float a) const { return vector_math::logistic(a); }
  double operator()(double a) const { return 1 / (1 + std::exp(-a)); }
} kLogistic;
inline constexpr auto kSine = [](auto a) { return std::sin(a); };
inline constexpr auto kCosine = [](auto a) { return std::cos(a); };
inline constexpr struct Erf {
  float operator()(float a) const { return vector_math::erf(a); }
  double operator()(double a) const { return std::erf(a); }
} kErf;
inline constexpr auto kFloor = [](auto a) { return std::floor(a); };
inline constexpr auto kCeil = [](auto a) { return std::ceil(a); };
inline constexpr auto kRoundEven = [](auto a) { return std::rint(a); };
inline constexpr auto kIsFinite = []<typename T>(T a) -> Pred {
  return std::fabs(a) <= std::numeric_limits<T>::max();
};
inline constexpr auto kDivide = [](auto a, auto b) { return a / b; };
inline constexpr auto kPower = [](auto a, auto b) { return std::pow(a, b); };
inline constexpr auto kRemainder = [](auto a, auto b) { return std::fmod(a, b); };

template <typename T>
BlockFunction floating(const Op& op, unsigned single) {
  switch (op.kind) {
    case OpKind::negate: return unary<kNegate, T, T>(single);
    case OpKind::absolute: return unary<kAbsolute, T, T>(single);
    case OpKind::sign: return unary<kSign, T, T>(single);
    case OpKind::exponential: return unary<kExponential, T, T>(single);
    case OpKind::exponential_minus_one: return unary<kExponentialMinusOne, T, T>(single);
    case OpKind::log: return unary<kLog, T, T>(single);
    case OpKind::log_plus_one: return unary<kLogPlusOne, T, T>(single);
    case OpKind::sqrt: return unary<kSqrt, T, T>(single);
    case OpKind::rsqrt: return unary<kRsqrt, T, T>(single);
    case OpKind::cbrt: return unary<kCbrt, T, T>(single);
    case OpKind::tanh: return unary<kTanh, T, T>(single);
    case OpKind::logistic: return unary<kLogistic, T, T>(single);
    case OpKind::sine: return unary<kSine, T, T>(single);
    case OpKind::cosine: return unary<kCosine, T, T>(single);
    case OpKind::erf: return unary<kErf, T, T>(single);
    case OpKind::floor: return unary<kFloor, T, T>(single);
    case OpKind::ceil: return unary<kCeil, T, T>(single);
    case OpKind::round: return unary<kRoundEven, T, T>(single);
    case OpKind::is_finite: return unary<kIsFinite, Pred, T>(single);
    case OpKind::add: return binary<kAdd, T, T>(single);
    case OpKind::subtract: return binary<kSubtract, T, T>(single);
    case OpKind::multiply: return binary<kMultiply, T, T>(single);
    case OpKind::divide: return binary<kDivide, T, T>(single);
    case OpKind::power: return binary<kPower, T, T>(single);
    case OpKind::remainder: return binary<kRemainder, T, T>(single);
    default: return common<T>(op, single);
  }
}

}  // namespace rhino::runtime::block
