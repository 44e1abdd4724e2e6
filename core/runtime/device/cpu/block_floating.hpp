// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "runtime/device/cpu/block_loops.hpp"
#include "runtime/device/cpu/vector_math.hpp"

/// Elementwise ops of f32 and f64. f64 takes the standard library's functions, f32 its own vector
/// ones.
namespace rhino::runtime::block {

struct Negate {
  template <typename T>
  static T apply(T a) {
    return -a;
  }
};
struct Absolute {
  template <typename T>
  static T apply(T a) {
    return std::fabs(a);
  }
};
struct Sign {
  template <typename T>
  static T apply(T a) {
    return a > T{0} ? T{1} : a < T{0} ? T{-1} : a;
  }
};
struct Exponential {
  static float apply(float a) { return vector_math::exp(a); }
  static double apply(double a) { return std::exp(a); }
};
struct ExponentialMinusOne {
  static float apply(float a) { return vector_math::expm1(a); }
  static double apply(double a) { return std::expm1(a); }
};
struct Log {
  static float apply(float a) { return vector_math::log(a); }
  static double apply(double a) { return std::log(a); }
};
struct LogPlusOne {
  static float apply(float a) { return vector_math::log1p(a); }
  static double apply(double a) { return std::log1p(a); }
};
struct Sqrt {
  template <typename T>
  static T apply(T a) {
    return std::sqrt(a);
  }
};
struct Rsqrt {
  template <typename T>
  static T apply(T a) {
    return T{1} / std::sqrt(a);
  }
};
struct Cbrt {
  template <typename T>
  static T apply(T a) {
    return std::cbrt(a);
  }
};
struct Tanh {
  static float apply(float a) { return vector_math::tanh(a); }
  static double apply(double a) { return std::tanh(a); }
};
struct Logistic {
  static float apply(float a) { return vector_math::logistic(a); }
  static double apply(double a) { return 1 / (1 + std::exp(-a)); }
};
struct Sine {
  template <typename T>
  static T apply(T a) {
    return std::sin(a);
  }
};
struct Cosine {
  template <typename T>
  static T apply(T a) {
    return std::cos(a);
  }
};
struct Erf {
  static float apply(float a) { return vector_math::erf(a); }
  static double apply(double a) { return std::erf(a); }
};
struct Floor {
  template <typename T>
  static T apply(T a) {
    return std::floor(a);
  }
};
struct Ceil {
  template <typename T>
  static T apply(T a) {
    return std::ceil(a);
  }
};
struct RoundEven {
  template <typename T>
  static T apply(T a) {
    return std::rint(a);
  }
};
struct IsFinite {
  template <typename T>
  static Pred apply(T a) {
    return std::fabs(a) <= std::numeric_limits<T>::max();
  }
};
struct Add {
  template <typename T>
  static T apply(T a, T b) {
    return a + b;
  }
};
struct Subtract {
  template <typename T>
  static T apply(T a, T b) {
    return a - b;
  }
};
struct Multiply {
  template <typename T>
  static T apply(T a, T b) {
    return a * b;
  }
};
struct Divide {
  template <typename T>
  static T apply(T a, T b) {
    return a / b;
  }
};
struct Power {
  template <typename T>
  static T apply(T a, T b) {
    return std::pow(a, b);
  }
};
struct Remainder {
  template <typename T>
  static T apply(T a, T b) {
    return std::fmod(a, b);
  }
};

template <typename T>
BlockFunction floating(const Op& op, unsigned single) {
  switch (op.kind) {
    case OpKind::negate: return unary<Negate, T, T>(single);
    case OpKind::absolute: return unary<Absolute, T, T>(single);
    case OpKind::sign: return unary<Sign, T, T>(single);
    case OpKind::exponential: return unary<Exponential, T, T>(single);
    case OpKind::exponential_minus_one: return unary<ExponentialMinusOne, T, T>(single);
    case OpKind::log: return unary<Log, T, T>(single);
    case OpKind::log_plus_one: return unary<LogPlusOne, T, T>(single);
    case OpKind::sqrt: return unary<Sqrt, T, T>(single);
    case OpKind::rsqrt: return unary<Rsqrt, T, T>(single);
    case OpKind::cbrt: return unary<Cbrt, T, T>(single);
    case OpKind::tanh: return unary<Tanh, T, T>(single);
    case OpKind::logistic: return unary<Logistic, T, T>(single);
    case OpKind::sine: return unary<Sine, T, T>(single);
    case OpKind::cosine: return unary<Cosine, T, T>(single);
    case OpKind::erf: return unary<Erf, T, T>(single);
    case OpKind::floor: return unary<Floor, T, T>(single);
    case OpKind::ceil: return unary<Ceil, T, T>(single);
    case OpKind::round: return unary<RoundEven, T, T>(single);
    case OpKind::is_finite: return unary<IsFinite, Pred, T>(single);
    case OpKind::add: return binary<Add, T, T>(single);
    case OpKind::subtract: return binary<Subtract, T, T>(single);
    case OpKind::multiply: return binary<Multiply, T, T>(single);
    case OpKind::divide: return binary<Divide, T, T>(single);
    case OpKind::power: return binary<Power, T, T>(single);
    case OpKind::remainder: return binary<Remainder, T, T>(single);
    default: return common<T>(op, single);
  }
}

}  // namespace rhino::runtime::block
