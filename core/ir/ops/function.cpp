// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include "ir/element.hpp"
#include "ir/ops/elementwise.hpp"

/// Elementwise functions of one value: a row each.
namespace rhino::ir {
namespace {

using namespace elementwise;

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

// floor(x + 0.5) but ties to even, whatever the rounding mode; of x's sign where it is 0. The
// remainder of an infinity is NaN.
double round_to_even(double x) {
  return std::isinf(x) ? x : std::copysign(x - std::remainder(x, 1.0), x);
}

Shape infer_is_finite(const Site& site) { return {DType::pred, same(site).dims}; }

// Derivatives. `x` and `y` are operand and result, `g` the gradient.

struct Unary {
  Builder& b;
  ValueId x, y, g;
};

template <auto term>
Terms unary_term(const Pullback& p) {
  return {term(Unary{p.builder, p.op.operands[0], p.id, p.gradient})};
}

ValueId square(Builder& b, ValueId a) { return b.mul(a, a); }
ValueId one_minus(Builder& b, ValueId a) { return b.shift(b.unary(OpKind::negate, a), 1); }

ValueId erf_term(const Unary& u) {
  Builder& b = u.b;
  const ValueId bell = b.unary(OpKind::exponential, b.unary(OpKind::negate, square(b, u.x)));
  return b.mul(b.scale(u.g, 2 * std::numbers::inv_sqrtpi), bell);
}
using U = Unary;
using D = double;

constexpr OpTraits kFunctionRows[] = {
    unary<OpKind::negate, kNumbers>(
        "negate", each<[](D x) { return -x; }, [](DType t, D x) { return round_to(t, 0 - x); }>,
        unary_term<[](U u) { return u.b.unary(OpKind::negate, u.g); }>),
    unary<OpKind::absolute, kNumbers>(
        "abs",
        each<[](D x) { return std::abs(x); },
             [](DType t, D x) { return round_to(t, std::abs(x)); }>,
        unary_term<[](U u) { return u.b.mul(u.g, u.b.unary(OpKind::sign, u.x)); }>),
    flat(unary<OpKind::sign, kNumbers>("sign", each<sign>)),
    unary<OpKind::exponential, kFloating>("exponential", each<[](D x) { return std::exp(x); }>,
                                          unary_term<[](U u) { return u.b.mul(u.g, u.y); }>),
    unary<OpKind::exponential_minus_one, kFloating>(
        "exponential-minus-one", each<[](D x) { return std::expm1(x); }>,
        unary_term<[](U u) { return u.b.mul(u.g, u.b.shift(u.y, 1)); }>),
    ranging(0.01, 2,
            unary<OpKind::log, kFloating>("log", each<[](D x) { return std::log(x); }>,
                                          unary_term<[](U u) { return u.b.div(u.g, u.x); }>)),
    ranging(0.01, 2,
            unary<OpKind::log_plus_one, kFloating>(
                "log-plus-one", each<[](D x) { return std::log1p(x); }>,
                unary_term<[](U u) { return u.b.div(u.g, u.b.shift(u.x, 1)); }>)),
    ranging(0.01, 2,
            unary<OpKind::sqrt, kFloating>(
                "sqrt", each<[](D x) { return std::sqrt(x); }>,
                unary_term<[](U u) { return u.b.div(u.b.scale(u.g, 0.5), u.y); }>)),
    ranging(0.01, 2,
            unary<OpKind::rsqrt, kFloating>(
                "rsqrt", each<[](D x) { return 1 / std::sqrt(x); }>, unary_term<[](U u) {
                  return u.b.mul(u.b.scale(u.g, -0.5), u.b.mul(square(u.b, u.y), u.y));
                }>)),
    ranging(0.1, 2,
            unary<OpKind::cbrt, kFloating>(
                "cbrt", each<[](D x) { return std::cbrt(x); }>,
                unary_term<[](U u) { return u.b.div(u.g, u.b.scale(square(u.b, u.y), 3)); }>)),
    unary<OpKind::tanh, kFloating>(
        "tanh", each<[](D x) { return std::tanh(x); }>,
        unary_term<[](U u) { return u.b.mul(u.g, one_minus(u.b, square(u.b, u.y))); }>),
    unary<OpKind::logistic, kFloating>(
        "logistic", each<[](D x) { return 1 / (1 + std::exp(-x)); }>,
        unary_term<[](U u) { return u.b.mul(u.g, u.b.mul(u.y, one_minus(u.b, u.y))); }>),
    unary<OpKind::sine, kFloating>(
        "sine", each<[](D x) { return std::sin(x); }>,
        unary_term<[](U u) { return u.b.mul(u.g, u.b.unary(OpKind::cosine, u.x)); }>),
    unary<OpKind::cosine, kFloating>(
        "cosine", each<[](D x) { return std::cos(x); }>, unary_term<[](U u) {
          return u.b.mul(u.g, u.b.unary(OpKind::negate, u.b.unary(OpKind::sine, u.x)));
        }>),
    unary<OpKind::erf, kFloating>("erf", each<[](D x) { return std::erf(x); }>,
                                  unary_term<erf_term>),
    flat(unary<OpKind::floor, kFloating>("floor", each<[](D x) { return std::floor(x); }>)),
    flat(unary<OpKind::ceil, kFloating>("ceil", each<[](D x) { return std::ceil(x); }>)),
    flat(unary<OpKind::round, kFloating>("round-nearest-even", each<round_to_even>)),
    unary<OpKind::logical_not, kBits>(
        "not", each_integer<[](DType t, D x) { return wrap_bits(t, ~bits(x)); }>),
    inferring(infer_is_finite,
              unary<OpKind::is_finite, kFloating>(
                  "is-finite", each<[](D x) { return std::isfinite(x) ? 1.0 : 0.0; }>)),
};

}  // namespace

std::span<const OpTraits> function_ops() { return kFunctionRows; }

}  // namespace rhino::ir
