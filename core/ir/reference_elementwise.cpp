// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "ir/element.hpp"
#include "ir/op_info.hpp"
#include "ir/reference_ops.hpp"

namespace rhino::ir::reference {
namespace {

template <typename F>
Tensor map(const Tensor& a, F f) {
  Tensor result = a;
  for (double& element : result.elements) element = f(element);
  return result;
}

template <typename F>
Tensor map(const Tensor& a, const Tensor& b, F f) {
  Tensor result = a;
  for (std::size_t i = 0; i < a.elements.size(); ++i) {
    result.elements[i] = f(a.elements[i], b.elements[i]);
  }
  return result;
}

// Arithmetic on the bits of integers wraps.
template <typename F>
Tensor map_bits(const Tensor& a, const Tensor& b, F f) {
  return map(a, b, [f, dtype = a.shape.dtype](double x, double y) {
    return wrap_bits(dtype, f(bits(x), bits(y)));
  });
}

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

// floor(x + 0.5) but ties to even, whatever the rounding mode.
double round_to_even(double x) { return x - std::remainder(x, 1.0); }

Tensor logical_not(const Tensor& a) {
  if (a.shape.dtype == DType::pred) return map(a, [](double x) { return 1 - x; });
  return map(a, [dtype = a.shape.dtype](double x) { return wrap_bits(dtype, ~bits(x)); });
}

Tensor integer_unary(const Op& op, const Tensor& a) {
  const DType dtype = a.shape.dtype;
  switch (op.kind) {
    case OpKind::negate: return map(a, [dtype](double x) { return round_to(dtype, 0 - x); });
    case OpKind::absolute:
      return map(a, [dtype](double x) { return round_to(dtype, std::abs(x)); });
    case OpKind::sign: return map(a, sign);
    default: return logical_not(a);
  }
}

Tensor is_finite(const Tensor& a) {
  Tensor result = map(a, [](double x) { return std::isfinite(x) ? 1.0 : 0.0; });
  result.shape.dtype = DType::pred;
  return result;
}

Tensor unary(const Op& op, const Tensor& a) {
  if (!is_floating(a.shape.dtype)) return integer_unary(op, a);
  switch (op.kind) {
    case OpKind::negate: return map(a, [](double x) { return -x; });
    case OpKind::absolute: return map(a, [](double x) { return std::abs(x); });
    case OpKind::sign: return map(a, sign);
    case OpKind::exponential: return map(a, [](double x) { return std::exp(x); });
    case OpKind::exponential_minus_one: return map(a, [](double x) { return std::expm1(x); });
    case OpKind::log: return map(a, [](double x) { return std::log(x); });
    case OpKind::log_plus_one: return map(a, [](double x) { return std::log1p(x); });
    case OpKind::sqrt: return map(a, [](double x) { return std::sqrt(x); });
    case OpKind::rsqrt: return map(a, [](double x) { return 1 / std::sqrt(x); });
    case OpKind::cbrt: return map(a, [](double x) { return std::cbrt(x); });
    case OpKind::tanh: return map(a, [](double x) { return std::tanh(x); });
    case OpKind::logistic: return map(a, [](double x) { return 1 / (1 + std::exp(-x)); });
    case OpKind::sine: return map(a, [](double x) { return std::sin(x); });
    case OpKind::cosine: return map(a, [](double x) { return std::cos(x); });
    case OpKind::erf: return map(a, [](double x) { return std::erf(x); });
    case OpKind::floor: return map(a, [](double x) { return std::floor(x); });
    case OpKind::ceil: return map(a, [](double x) { return std::ceil(x); });
    case OpKind::round: return map(a, round_to_even);
    default: return is_finite(a);
  }
}

// Division truncates; by zero it yields all bits set, and the remainder is the dividend.
double divide_integers(DType dtype, double x, double y) {
  if (y == 0) return round_to(dtype, -1);
  return round_to(dtype, std::trunc(x / y));
}

std::uint64_t power_bits(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent; exponent >>= 1, base *= base) {
    if (exponent & 1) result *= base;
  }
  return result;
}

// A negative exponent leaves only powers of one and minus one.
double power_of_integers(DType dtype, double x, double y) {
  if (y < 0 && std::abs(x) != 1) return 0;
  return wrap_bits(dtype, power_bits(bits(x), bits(std::abs(y))));
}

Tensor integer_binary(const Op& op, const Tensor& a, const Tensor& b) {
  const DType dtype = a.shape.dtype;
  switch (op.kind) {
    case OpKind::add: return map_bits(a, b, [](auto x, auto y) { return x + y; });
    case OpKind::subtract: return map_bits(a, b, [](auto x, auto y) { return x - y; });
    case OpKind::multiply: return map_bits(a, b, [](auto x, auto y) { return x * y; });
    case OpKind::logical_and: return map_bits(a, b, [](auto x, auto y) { return x & y; });
    case OpKind::logical_or: return map_bits(a, b, [](auto x, auto y) { return x | y; });
    case OpKind::logical_xor: return map_bits(a, b, [](auto x, auto y) { return x ^ y; });
    case OpKind::divide:
      return map(a, b, [dtype](double x, double y) { return divide_integers(dtype, x, y); });
    case OpKind::remainder:
      return map(a, b, [](double x, double y) { return y == 0 ? x : std::fmod(x, y); });
    case OpKind::power:
      return map(a, b, [dtype](double x, double y) { return power_of_integers(dtype, x, y); });
    case OpKind::maximum: return map(a, b, maximum);
    default: return map(a, b, minimum);
  }
}

Tensor binary(const Op& op, const Tensor& a, const Tensor& b) {
  if (!is_floating(a.shape.dtype)) return integer_binary(op, a, b);
  switch (op.kind) {
    case OpKind::add: return map(a, b, [](double x, double y) { return x + y; });
    case OpKind::subtract: return map(a, b, [](double x, double y) { return x - y; });
    case OpKind::multiply: return map(a, b, [](double x, double y) { return x * y; });
    case OpKind::divide: return map(a, b, [](double x, double y) { return x / y; });
    case OpKind::power: return map(a, b, [](double x, double y) { return std::pow(x, y); });
    case OpKind::remainder: return map(a, b, [](double x, double y) { return std::fmod(x, y); });
    case OpKind::maximum: return map(a, b, maximum);
    default: return map(a, b, minimum);
  }
}

template <typename F>
Tensor compare(const Tensor& a, const Tensor& b, F f) {
  Tensor result = map(a, b, [f](double x, double y) { return f(x, y) ? 1.0 : 0.0; });
  result.shape.dtype = DType::pred;
  return result;
}

Tensor compare(Comparison comparison, const Tensor& a, const Tensor& b) {
  switch (comparison) {
    case Comparison::eq: return compare(a, b, [](double x, double y) { return x == y; });
    case Comparison::ne: return compare(a, b, [](double x, double y) { return x != y; });
    case Comparison::lt: return compare(a, b, [](double x, double y) { return x < y; });
    case Comparison::le: return compare(a, b, [](double x, double y) { return x <= y; });
    case Comparison::gt: return compare(a, b, [](double x, double y) { return x > y; });
    case Comparison::ge: break;
  }
  return compare(a, b, [](double x, double y) { return x >= y; });
}

Tensor select(const Tensor& predicate, const Tensor& on_true, const Tensor& on_false) {
  Tensor result = on_true;
  for (std::size_t i = 0; i < result.elements.size(); ++i) {
    if (predicate.elements[i] == 0) result.elements[i] = on_false.elements[i];
  }
  return result;
}

Tensor clamp(const Tensor& low, const Tensor& a, const Tensor& high) {
  return map(map(low, a, maximum), high, minimum);
}

// Fractions are dropped; what lies outside of an integer type becomes its nearest value, NaN zero.
double float_to_integer(DType dtype, double value) {
  const double highest = neutral_element(Reduction::min, dtype);
  const double lowest = neutral_element(Reduction::max, dtype);
  return std::isnan(value) ? 0 : std::clamp(std::trunc(value), lowest, highest);
}

Tensor convert(DType dtype, const Tensor& a) {
  const bool saturates = is_floating(a.shape.dtype) && !is_floating(dtype) && dtype != DType::pred;
  Tensor result = saturates ? map(a, [dtype](double x) { return float_to_integer(dtype, x); }) : a;
  result.shape.dtype = dtype;
  if (!is_floating(dtype)) round_all(dtype, result.elements);
  return result;
}

}  // namespace

Tensor elementwise(const Op& op, const Operands& operands) {
  const Tensor& a = *operands[0];
  switch (op.kind) {
    case OpKind::convert: return convert(op.shape.dtype, a);
    case OpKind::compare:
      return compare(op.attributes.get<CompareAttr>().comparison, a, *operands[1]);
    case OpKind::select: return select(a, *operands[1], *operands[2]);
    case OpKind::clamp: return clamp(a, *operands[1], *operands[2]);
    default: return op.kind < OpKind::add ? unary(op, a) : binary(op, a, *operands[1]);
  }
}

}  // namespace rhino::ir::reference
