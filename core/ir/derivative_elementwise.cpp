// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <numbers>

#include "ir/derivative.hpp"

namespace rhino::ir {
namespace {

ValueId square(Builder& b, ValueId a) { return b.mul(a, a); }
ValueId one_minus(Builder& b, ValueId a) { return b.shift(b.unary(OpKind::negate, a), 1); }

ValueId unary_term(const Pullback& p) {
  Builder& b = p.builder;
  const ValueId x = p.op.operands[0], y = p.id, g = p.gradient;
  switch (p.op.kind) {
    case OpKind::negate: return b.unary(OpKind::negate, g);
    case OpKind::absolute: return b.mul(g, b.unary(OpKind::sign, x));
    case OpKind::exponential: return b.mul(g, y);
    case OpKind::exponential_minus_one: return b.mul(g, b.shift(y, 1));
    case OpKind::log: return b.div(g, x);
    case OpKind::log_plus_one: return b.div(g, b.shift(x, 1));
    case OpKind::sqrt: return b.div(b.scale(g, 0.5), y);
    case OpKind::rsqrt: return b.mul(b.scale(g, -0.5), b.mul(square(b, y), y));
    case OpKind::cbrt: return b.div(g, b.scale(square(b, y), 3));
    case OpKind::tanh: return b.mul(g, one_minus(b, square(b, y)));
    case OpKind::logistic: return b.mul(g, b.mul(y, one_minus(b, y)));
    case OpKind::sine: return b.mul(g, b.unary(OpKind::cosine, x));
    case OpKind::cosine: return b.mul(g, b.unary(OpKind::negate, b.unary(OpKind::sine, x)));
    case OpKind::erf: {
      const ValueId bell = b.unary(OpKind::exponential, b.unary(OpKind::negate, square(b, x)));
      return b.mul(b.scale(g, 2 * std::numbers::inv_sqrtpi), bell);
    }
    case OpKind::convert: return b.convert(g, b.shape(x).dtype);
    default: assert(false); return kNoValue;
  }
}

/// `on_true` where the predicate holds, else zero; the other way round with `inverted`.
ValueId masked(Builder& b, ValueId predicate, ValueId value, bool inverted = false) {
  const ValueId zero = b.fill(b.shape(value), 0);
  return inverted ? b.select(predicate, zero, value) : b.select(predicate, value, zero);
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

Terms binary_terms(const Pullback& p) {
  switch (p.op.kind) {
    case OpKind::add: return {p.gradient, p.gradient};
    case OpKind::subtract: return subtract_terms(p);
    case OpKind::multiply: return multiply_terms(p);
    case OpKind::divide: return divide_terms(p);
    case OpKind::maximum:
    case OpKind::minimum: return extremum_terms(p);
    case OpKind::power: return power_terms(p);
    case OpKind::remainder: return remainder_terms(p);
    default: assert(false); return {};
  }
}

Terms select_terms(const Pullback& p) {
  Terms terms(3, kNoValue);
  for (std::size_t i : {1, 2}) {
    if (p.wanted[i]) terms[i] = masked(p.builder, p.op.operands[0], p.gradient, i == 2);
  }
  return terms;
}

/// clamp(low, x, high) = min(max(x, low), high).
Terms clamp_terms(const Pullback& p) {
  Builder& b = p.builder;
  const ValueId low = p.op.operands[0], x = p.op.operands[1], high = p.op.operands[2];
  const ValueId raised = b.binary(OpKind::maximum, x, low);
  const ValueId cut = b.compare(Comparison::gt, raised, high);
  const ValueId uncut_gradient = masked(b, cut, p.gradient, true);
  const ValueId inside = b.compare(Comparison::ge, x, low);
  Terms terms(3, kNoValue);
  if (p.wanted[0]) terms[0] = masked(b, inside, uncut_gradient, true);
  if (p.wanted[1]) terms[1] = masked(b, inside, uncut_gradient);
  if (p.wanted[2]) terms[2] = masked(b, cut, p.gradient);
  return terms;
}

}  // namespace

Terms elementwise_terms(const Pullback& p) {
  if (p.op.kind == OpKind::select) return select_terms(p);
  if (p.op.kind == OpKind::clamp) return clamp_terms(p);
  return p.op.operands.size() == 1 ? Terms{unary_term(p)} : binary_terms(p);
}

}  // namespace rhino::ir
