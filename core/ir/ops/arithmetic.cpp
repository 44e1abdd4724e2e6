// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "ir/element.hpp"
#include "ir/ops/elementwise.hpp"
#include "rhino/index.hpp"

/// Elementwise arithmetic of two values: a row each.
namespace rhino::ir {
namespace {

using namespace elementwise;

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

/// Bits `x` of an integer type shifted by `y` places, as a type without a sign.
double shift_left(DType dtype, double x, double y) {
  const std::uint64_t places = bits(y), width = at(8 * dtype_bytes(dtype));
  return wrap_bits(dtype, places < width ? bits(x) << places : 0);
}

double shift_right_logical(DType dtype, double x, double y) {
  const std::uint64_t places = bits(y), width = at(8 * dtype_bytes(dtype));
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);
  return wrap_bits(dtype, places < width ? (bits(x) & mask) >> places : 0);
}

/// What has no sign has its highest bit for one.
double shift_right_arithmetic(DType dtype, double x, double y) {
  const std::uint64_t width = at(8 * dtype_bytes(dtype)), places = std::min(bits(y), width - 1);
  const auto raised = static_cast<std::int64_t>(bits(x) << (64 - width));
  return wrap_bits(dtype, static_cast<std::uint64_t>(raised >> (64 - width) >> places));
}

Terms divide_terms(const Pullback& p) {
  Builder& b = p.builder;
  const ValueId quotient = b.div(p.gradient, p.op.operands[1]);
  Terms terms{quotient, kNoValue};
  if (p.wanted[1]) terms[1] = b.unary(OpKind::negate, b.mul(quotient, p.id));
  return terms;
}

/// Equal operands count as the first one: a subgradient.
Terms extremum_terms(const Pullback& p) {
  Builder& b = p.builder;
  const Comparison wins = p.op.kind == OpKind::maximum ? Comparison::ge : Comparison::le;
  const ValueId first = b.compare(wins, p.op.operands[0], p.op.operands[1]);
  Terms terms(2, kNoValue);
  for (std::size_t i : {0, 1}) {
    if (p.wanted[i]) terms[i] = masked(b, first, p.gradient, i == 1);
  }
  return terms;
}

/// Safe where the base or the exponent is zero.
Terms power_terms(const Pullback& p) {
  Builder& b = p.builder;
  const ValueId base = p.op.operands[0], exponent = p.op.operands[1];
  const ValueId zero = b.fill(p.op.shape, 0), one = b.fill(p.op.shape, 1);
  Terms terms(2, kNoValue);
  if (p.wanted[0]) {
    const ValueId constant = b.compare(Comparison::eq, exponent, zero);
    const ValueId lowered = b.select(constant, one, b.sub(exponent, one));
    const ValueId slope = b.mul(exponent, b.binary(OpKind::power, base, lowered));
    terms[0] = b.mul(p.gradient, slope);
  }
  if (p.wanted[1]) {
    const ValueId positive = b.compare(Comparison::gt, base, zero);
    const ValueId log = b.unary(OpKind::log, b.select(positive, base, one));
    terms[1] = b.mul(p.gradient, b.mul(p.id, log));
  }
  return terms;
}

/// remainder(a, n) = a - n * trunc(a / n).
Terms remainder_terms(const Pullback& p) {
  Builder& b = p.builder;
  Terms terms{p.gradient, kNoValue};
  if (p.wanted[1]) {
    const ValueId slope = b.div(b.sub(p.id, p.op.operands[0]), p.op.operands[1]);
    terms[1] = b.mul(p.gradient, slope);
  }
  return terms;
}

Terms multiply_terms(const Pullback& p) {
  Builder& b = p.builder;
  const ValueId lhs = p.op.operands[0], rhs = p.op.operands[1];
  Terms terms(2, kNoValue);
  if (p.wanted[0]) terms[0] = b.mul(p.gradient, rhs);
  if (p.wanted[1]) terms[1] = lhs == rhs ? terms[0] : b.mul(p.gradient, lhs);
  return terms;
}

Terms subtract_terms(const Pullback& p) {
  const ValueId g = p.gradient;
  return {g, p.wanted[1] ? p.builder.unary(OpKind::negate, g) : kNoValue};
}

Terms add_terms(const Pullback& p) { return {p.gradient, p.gradient}; }

using D = double;

constexpr OpTraits kArithmeticRows[] = {
    binary<OpKind::add, kNumbers>(
        "add",
        each<[](D x, D y) { return x + y; },
             [](DType t, D x, D y) { return wrap_bits(t, bits(x) + bits(y)); }>,
        add_terms),
    binary<OpKind::subtract, kNumbers>(
        "subtract",
        each<[](D x, D y) { return x - y; },
             [](DType t, D x, D y) { return wrap_bits(t, bits(x) - bits(y)); }>,
        subtract_terms),
    binary<OpKind::multiply, kNumbers>(
        "multiply",
        each<[](D x, D y) { return x * y; },
             [](DType t, D x, D y) { return wrap_bits(t, bits(x) * bits(y)); }>,
        multiply_terms),
    ranging(0.5, 2,
            binary<OpKind::divide, kNumbers>(
                "divide", each<[](D x, D y) { return x / y; }, divide_integers>, divide_terms)),
    binary<OpKind::maximum, kAll>("maximum", each<maximum>, extremum_terms),
    binary<OpKind::minimum, kAll>("minimum", each<minimum>, extremum_terms),
    ranging(0.01, 2,
            binary<OpKind::power, kNumbers>(
                "power", each<[](D x, D y) { return std::pow(x, y); }, power_of_integers>,
                power_terms)),
    ranging(0.5, 2,
            binary<OpKind::remainder, kNumbers>(
                "remainder",
                each<[](D x, D y) { return std::fmod(x, y); },
                     [](DType, D x, D y) { return y == 0 ? x : std::fmod(x, y); }>,
                remainder_terms)),
    binary<OpKind::logical_and, kBits>(
        "and", each_integer<[](DType t, D x, D y) { return wrap_bits(t, bits(x) & bits(y)); }>),
    binary<OpKind::logical_or, kBits>(
        "or", each_integer<[](DType t, D x, D y) { return wrap_bits(t, bits(x) | bits(y)); }>),
    binary<OpKind::logical_xor, kBits>(
        "xor", each_integer<[](DType t, D x, D y) { return wrap_bits(t, bits(x) ^ bits(y)); }>),
    ranging(-40, 40, binary<OpKind::shift_left, kInteger>("shift-left", each_integer<shift_left>)),
    ranging(-40, 40,
            binary<OpKind::shift_right_logical, kInteger>("shift-right-logical",
                                                          each_integer<shift_right_logical>)),
    ranging(-40, 40,
            binary<OpKind::shift_right_arithmetic, kInteger>("shift-right-arithmetic",
                                                             each_integer<shift_right_arithmetic>)),
};

}  // namespace

std::span<const OpTraits> arithmetic_ops() { return kArithmeticRows; }

}  // namespace rhino::ir
