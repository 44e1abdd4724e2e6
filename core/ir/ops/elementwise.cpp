// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "ir/derivative.hpp"
#include "ir/element.hpp"
#include "ir/hlo_read.hpp"
#include "ir/hlo_write.hpp"
#include "ir/op_info.hpp"
#include "ir/ops/rows.hpp"
#include "ir/reference_ops.hpp"
#include "ir/sampler.hpp"
#include "ir/site.hpp"

/// Elementwise ops of one, two and three operands: a row each.
namespace rhino::ir {
namespace {

// Reference.

template <typename F>
Tensor map(const Op& op, const Operands& operands, F f) {
  Tensor result{op.shape, operands[0]->elements};
  for (std::size_t i = 0; i < result.elements.size(); ++i) {
    double& element = result.elements[i];
    if constexpr (std::is_invocable_v<F, double>) element = f(element);
    else element = f(element, operands[1]->elements[i]);
  }
  return result;
}

/// `f` of one or two numbers.
template <auto f>
Tensor each(const Op& op, const Operands& operands) {
  return map(op, operands, f);
}

/// `integer` of the element type and one or two of its values.
template <auto integer>
Tensor each_integer(const Op& op, const Operands& operands) {
  const DType dtype = operands[0]->shape.dtype;
  return map(op, operands,
             [dtype](auto... x) -> decltype(integer(dtype, x...)) { return integer(dtype, x...); });
}

template <auto floating, auto integer>
Tensor each(const Op& op, const Operands& operands) {
  const bool is_float = is_floating(operands[0]->shape.dtype);
  return is_float ? each<floating>(op, operands) : each_integer<integer>(op, operands);
}

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

// floor(x + 0.5) but ties to even, whatever the rounding mode.
double round_to_even(double x) { return x - std::remainder(x, 1.0); }

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

Tensor evaluate_compare(const Op& op, const Operands& operands) {
  switch (op.attributes.get<CompareAttr>().comparison) {
    case Comparison::eq: return map(op, operands, [](double x, double y) { return x == y; });
    case Comparison::ne: return map(op, operands, [](double x, double y) { return x != y; });
    case Comparison::lt: return map(op, operands, [](double x, double y) { return x < y; });
    case Comparison::le: return map(op, operands, [](double x, double y) { return x <= y; });
    case Comparison::gt: return map(op, operands, [](double x, double y) { return x > y; });
    case Comparison::ge: break;
  }
  return map(op, operands, [](double x, double y) { return x >= y; });
}

Tensor evaluate_select(const Op&, const Operands& operands) {
  Tensor result = *operands[1];
  for (std::size_t i = 0; i < result.elements.size(); ++i) {
    if (operands[0]->elements[i] == 0) result.elements[i] = operands[2]->elements[i];
  }
  return result;
}

Tensor evaluate_clamp(const Op& op, const Operands& operands) {
  const Tensor raised = map(op, {operands[0], operands[1]}, maximum);
  return map(op, {&raised, operands[2]}, minimum);
}

// Fractions are dropped; what lies outside of an integer type becomes its nearest value, NaN zero.
double float_to_integer(DType dtype, double value) {
  const double highest = neutral_element(Reduction::min, dtype);
  const double lowest = neutral_element(Reduction::max, dtype);
  return std::isnan(value) ? 0 : std::clamp(std::trunc(value), lowest, highest);
}

Tensor evaluate_convert(const Op& op, const Operands& operands) {
  const DType from = operands[0]->shape.dtype, to = op.shape.dtype;
  Tensor result{op.shape, operands[0]->elements};
  if (is_floating(from) && !is_floating(to) && to != DType::pred) {
    for (double& element : result.elements) element = float_to_integer(to, element);
  }
  if (!is_floating(to)) round_all(to, result.elements);
  return result;
}

// Shape inference.

std::uint8_t set_of(DType dtype) {
  return is_floating(dtype) ? kFloating : dtype == DType::pred ? kPred : kInteger;
}

void require_taken(const Site& site, DType dtype) {
  const std::uint8_t takes = traits(site.op.kind).takes;
  if (takes & set_of(dtype)) return;
  site.fail(takes == kFloating            ? "takes floating-point values"
            : takes == (kInteger | kPred) ? "takes pred or integers"
                                          : "takes no pred");
}

/// Operands alike, of the types that the row names.
Shape same(const Site& site) {
  site.require_operands(static_cast<std::size_t>(traits(site.op.kind).arity));
  for (const Shape& shape : site.operands) {
    if (shape.dims != site.operand(0).dims) site.fail("operands differ in shape");
    if (shape.dtype != site.operand(0).dtype) site.fail("operands differ in element type");
  }
  require_taken(site, site.operand(0).dtype);
  return site.operand(0);
}

Shape infer_is_finite(const Site& site) { return {DType::pred, same(site).dims}; }

Shape infer_compare(const Site& site) {
  site.attributes<CompareAttr>();
  return {DType::pred, same(site).dims};
}

Shape infer_convert(const Site& site) {
  site.require_operands(1);
  site.require(site.op.shape.dims == site.operand(0).dims, "result dims differ from the operand's");
  return site.op.shape;
}

Shape infer_select(const Site& site) {
  site.require_operands(3);
  site.require(site.operand(0).dtype == DType::pred, "the first operand is not pred");
  site.require(site.operand(1) == site.operand(2), "the two choices differ in shape");
  site.require(site.operand(0).dims == site.operand(1).dims,
               "the predicate differs in shape from the choices");
  return site.operand(1);
}

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

Terms add_terms(const Pullback& p) { return {p.gradient, p.gradient}; }

Terms convert_terms(const Pullback& p) {
  return {p.builder.convert(p.gradient, p.builder.shape(p.op.operands[0]).dtype)};
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

// HLO text of attributes.

constexpr std::string_view kDirections[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};

void write_compare(const Op& op, hlo::AttributeWriter& writer) {
  const Comparison comparison = op.attributes.get<CompareAttr>().comparison;
  writer.print(", direction={}", kDirections[static_cast<std::size_t>(comparison)]);
}

Attributes read_compare(const hlo::Instruction& instruction, const hlo::AttributeReader&) {
  const std::string_view text = instruction.attribute("direction");
  const auto found = std::ranges::find(kDirections, text);
  if (found == std::end(kDirections)) throw Error("'" + std::string(text) + "' is no direction");
  return CompareAttr{static_cast<Comparison>(found - std::begin(kDirections))};
}

// Samples.

ValueId sample_same(OpKind kind, Sampler& s) {
  const OpTraits& row = traits(kind);
  const DType dtype = row.takes & kFloating ? DType::f32 : s.coin() ? DType::pred : DType::s32;
  const Sampler::Dims dims = s.dims(3);
  // Twice the same operand is a case of its own.
  const bool twice = row.arity == 2 && s.draw(8) == 0;
  Op op{.kind = kind};
  for (int i = 0; i < row.arity; ++i) {
    op.operands.push_back(i && twice ? op.operands[0] : s.input(dims, dtype, row.low, row.high));
  }
  if (kind == OpKind::compare) op.attributes = CompareAttr{static_cast<Comparison>(s.draw(6))};
  return s.builder.add(std::move(op));
}

template <OpKind kind>
ValueId sample(Sampler& s) {
  return sample_same(kind, s);
}

ValueId sample_convert(Sampler& s) {
  return s.builder.convert(s.input(s.dims(3)), s.coin() ? DType::f64 : DType::s32);
}

ValueId sample_select(Sampler& s) {
  const Sampler::Dims dims = s.dims(3);
  const ValueId predicate = s.input(dims, DType::pred), on_true = s.input(dims);
  return s.builder.select(predicate, on_true, s.input(dims));
}

double flops(const Program&, const Op& op) { return static_cast<double>(num_elements(op.shape)); }

/// What rows of the class have in common.
template <OpKind kind>
constexpr OpTraits row(OpTraits row) {
  row.kind = kind;
  row.op_class = OpClass::elementwise;
  row.flops = flops;
  if (!row.infer) row.infer = same;
  if (!row.sample) row.sample = sample<kind>;
  return row;
}

using U = Unary;
using D = double;

constexpr OpTraits kRows[] = {
    row<OpKind::negate>(
        {.name = "negate",
         .arity = 1,
         .evaluate = each<[](D x) { return -x; }, [](DType t, D x) { return round_to(t, 0 - x); }>,
         .terms = unary_term<[](U u) { return u.b.unary(OpKind::negate, u.g); }>}),
    row<OpKind::absolute>(
        {.name = "abs",
         .arity = 1,
         .evaluate = each<[](D x) { return std::abs(x); },
                          [](DType t, D x) { return round_to(t, std::abs(x)); }>,
         .terms = unary_term<[](U u) { return u.b.mul(u.g, u.b.unary(OpKind::sign, u.x)); }>}),
    row<OpKind::sign>({.name = "sign", .arity = 1, .flat = true, .evaluate = each<sign>}),
    row<OpKind::exponential>({.name = "exponential",
                              .arity = 1,
                              .takes = kFloating,
                              .evaluate = each<[](D x) { return std::exp(x); }>,
                              .terms = unary_term<[](U u) { return u.b.mul(u.g, u.y); }>}),
    row<OpKind::exponential_minus_one>(
        {.name = "exponential-minus-one",
         .arity = 1,
         .takes = kFloating,
         .evaluate = each<[](D x) { return std::expm1(x); }>,
         .terms = unary_term<[](U u) { return u.b.mul(u.g, u.b.shift(u.y, 1)); }>}),
    row<OpKind::log>({.name = "log",
                      .arity = 1,
                      .takes = kFloating,
                      .low = 0.01,
                      .evaluate = each<[](D x) { return std::log(x); }>,
                      .terms = unary_term<[](U u) { return u.b.div(u.g, u.x); }>}),
    row<OpKind::log_plus_one>(
        {.name = "log-plus-one",
         .arity = 1,
         .takes = kFloating,
         .low = 0.01,
         .evaluate = each<[](D x) { return std::log1p(x); }>,
         .terms = unary_term<[](U u) { return u.b.div(u.g, u.b.shift(u.x, 1)); }>}),
    row<OpKind::sqrt>({.name = "sqrt",
                       .arity = 1,
                       .takes = kFloating,
                       .low = 0.01,
                       .evaluate = each<[](D x) { return std::sqrt(x); }>,
                       .terms = unary_term<[](U u) { return u.b.div(u.b.scale(u.g, 0.5), u.y); }>}),
    row<OpKind::rsqrt>({.name = "rsqrt",
                        .arity = 1,
                        .takes = kFloating,
                        .low = 0.01,
                        .evaluate = each<[](D x) { return 1 / std::sqrt(x); }>,
                        .terms = unary_term<[](U u) {
                          return u.b.mul(u.b.scale(u.g, -0.5), u.b.mul(square(u.b, u.y), u.y));
                        }>}),
    row<OpKind::cbrt>(
        {.name = "cbrt",
         .arity = 1,
         .takes = kFloating,
         .low = 0.1,
         .evaluate = each<[](D x) { return std::cbrt(x); }>,
         .terms = unary_term<[](U u) { return u.b.div(u.g, u.b.scale(square(u.b, u.y), 3)); }>}),
    row<OpKind::tanh>(
        {.name = "tanh",
         .arity = 1,
         .takes = kFloating,
         .evaluate = each<[](D x) { return std::tanh(x); }>,
         .terms = unary_term<[](U u) { return u.b.mul(u.g, one_minus(u.b, square(u.b, u.y))); }>}),
    row<OpKind::logistic>(
        {.name = "logistic",
         .arity = 1,
         .takes = kFloating,
         .evaluate = each<[](D x) { return 1 / (1 + std::exp(-x)); }>,
         .terms = unary_term<[](U u) { return u.b.mul(u.g, u.b.mul(u.y, one_minus(u.b, u.y))); }>}),
    row<OpKind::sine>(
        {.name = "sine",
         .arity = 1,
         .takes = kFloating,
         .evaluate = each<[](D x) { return std::sin(x); }>,
         .terms = unary_term<[](U u) { return u.b.mul(u.g, u.b.unary(OpKind::cosine, u.x)); }>}),
    row<OpKind::cosine>({.name = "cosine",
                         .arity = 1,
                         .takes = kFloating,
                         .evaluate = each<[](D x) { return std::cos(x); }>,
                         .terms = unary_term<[](U u) {
                           return u.b.mul(u.g,
                                          u.b.unary(OpKind::negate, u.b.unary(OpKind::sine, u.x)));
                         }>}),
    row<OpKind::erf>({.name = "erf",
                      .arity = 1,
                      .takes = kFloating,
                      .evaluate = each<[](D x) { return std::erf(x); }>,
                      .terms = unary_term<erf_term>}),
    row<OpKind::floor>({.name = "floor",
                        .arity = 1,
                        .flat = true,
                        .takes = kFloating,
                        .evaluate = each<[](D x) { return std::floor(x); }>}),
    row<OpKind::ceil>({.name = "ceil",
                       .arity = 1,
                       .flat = true,
                       .takes = kFloating,
                       .evaluate = each<[](D x) { return std::ceil(x); }>}),
    row<OpKind::round>({.name = "round-nearest-even",
                        .arity = 1,
                        .flat = true,
                        .takes = kFloating,
                        .evaluate = each<round_to_even>}),
    row<OpKind::logical_not>(
        {.name = "not",
         .arity = 1,
         .takes = kInteger | kPred,
         .evaluate = each_integer<[](DType t, D x) { return wrap_bits(t, ~bits(x)); }>}),
    row<OpKind::is_finite>({.name = "is-finite",
                            .arity = 1,
                            .takes = kFloating,
                            .infer = infer_is_finite,
                            .evaluate = each<[](D x) { return std::isfinite(x) ? 1.0 : 0.0; }>}),
    row<OpKind::convert>({.name = "convert",
                          .arity = 1,
                          .takes = kFloating | kInteger | kPred,
                          .infer = infer_convert,
                          .evaluate = evaluate_convert,
                          .terms = convert_terms,
                          .sample = sample_convert}),
    row<OpKind::add>(
        {.name = "add",
         .arity = 2,
         .evaluate = each<[](D x, D y) { return x + y; },
                          [](DType t, D x, D y) { return wrap_bits(t, bits(x) + bits(y)); }>,
         .terms = add_terms}),
    row<OpKind::subtract>(
        {.name = "subtract",
         .arity = 2,
         .evaluate = each<[](D x, D y) { return x - y; },
                          [](DType t, D x, D y) { return wrap_bits(t, bits(x) - bits(y)); }>,
         .terms = subtract_terms}),
    row<OpKind::multiply>(
        {.name = "multiply",
         .arity = 2,
         .evaluate = each<[](D x, D y) { return x * y; },
                          [](DType t, D x, D y) { return wrap_bits(t, bits(x) * bits(y)); }>,
         .terms = multiply_terms}),
    row<OpKind::divide>({.name = "divide",
                         .arity = 2,
                         .low = 0.5,
                         .evaluate = each<[](D x, D y) { return x / y; }, divide_integers>,
                         .terms = divide_terms}),
    row<OpKind::maximum>({.name = "maximum",
                          .arity = 2,
                          .takes = kFloating | kInteger | kPred,
                          .evaluate = each<maximum>,
                          .terms = extremum_terms}),
    row<OpKind::minimum>({.name = "minimum",
                          .arity = 2,
                          .takes = kFloating | kInteger | kPred,
                          .evaluate = each<minimum>,
                          .terms = extremum_terms}),
    row<OpKind::power>(
        {.name = "power",
         .arity = 2,
         .low = 0.01,
         .evaluate = each<[](D x, D y) { return std::pow(x, y); }, power_of_integers>,
         .terms = power_terms}),
    row<OpKind::remainder>(
        {.name = "remainder",
         .arity = 2,
         .low = 0.5,
         .evaluate = each<[](D x, D y) { return std::fmod(x, y); },
                          [](DType, D x, D y) { return y == 0 ? x : std::fmod(x, y); }>,
         .terms = remainder_terms}),
    row<OpKind::logical_and>(
        {.name = "and",
         .arity = 2,
         .takes = kInteger | kPred,
         .evaluate =
             each_integer<[](DType t, D x, D y) { return wrap_bits(t, bits(x) & bits(y)); }>}),
    row<OpKind::logical_or>(
        {.name = "or",
         .arity = 2,
         .takes = kInteger | kPred,
         .evaluate =
             each_integer<[](DType t, D x, D y) { return wrap_bits(t, bits(x) | bits(y)); }>}),
    row<OpKind::logical_xor>(
        {.name = "xor",
         .arity = 2,
         .takes = kInteger | kPred,
         .evaluate =
             each_integer<[](DType t, D x, D y) { return wrap_bits(t, bits(x) ^ bits(y)); }>}),
    row<OpKind::compare>({.name = "compare",
                          .arity = 2,
                          .takes = kFloating | kInteger | kPred,
                          .infer = infer_compare,
                          .evaluate = evaluate_compare,
                          .write = write_compare,
                          .read = read_compare}),
    row<OpKind::select>({.name = "select",
                         .arity = 3,
                         .takes = kFloating | kInteger | kPred,
                         .infer = infer_select,
                         .evaluate = evaluate_select,
                         .terms = select_terms,
                         .sample = sample_select}),
    row<OpKind::clamp>(
        {.name = "clamp", .arity = 3, .evaluate = evaluate_clamp, .terms = clamp_terms}),
};

}  // namespace

std::span<const OpTraits> elementwise_ops() { return kRows; }

}  // namespace rhino::ir
