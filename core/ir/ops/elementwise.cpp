// SPDX-License-Identifier: Apache-2.0
#include "ir/ops/elementwise.hpp"

#include <algorithm>
#include <cmath>

#include "ir/element.hpp"
#include "ir/hlo_read.hpp"
#include "ir/hlo_write.hpp"
#include "ir/op_info.hpp"

namespace rhino::ir {
namespace elementwise {
namespace {

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

}  // namespace

Shape same(const Site& site) {
  site.require_operands(static_cast<std::size_t>(traits(site.op.kind).arity));
  for (const Shape* shape : site.operands) {
    if (shape->dims != site.operand(0).dims) site.fail("operands differ in shape");
    if (shape->dtype != site.operand(0).dtype) site.fail("operands differ in element type");
  }
  require_taken(site, site.operand(0).dtype);
  return site.operand(0);
}

double flops(const Program&, const Op& op) { return static_cast<double>(num_elements(op.shape)); }

ValueId sample_same(OpKind kind, Sampler& s) {
  const OpTraits& row = traits(kind);
  const DType integer = s.pick(std::vector{DType::s32, DType::u32, DType::s64});
  const bool is_pred = (row.takes & kPred) != 0 && s.coin();
  const DType dtype = row.takes & kFloating ? DType::f32 : is_pred ? DType::pred : integer;
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

ValueId masked(Builder& b, ValueId predicate, ValueId value, bool inverted) {
  const ValueId zero = b.fill(b.shape(value), 0);
  return inverted ? b.select(predicate, zero, value) : b.select(predicate, value, zero);
}

}  // namespace elementwise

namespace {

using namespace elementwise;

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

Tensor evaluate_bitcast(const Op& op, const Operands& operands) {
  Tensor result{op.shape, std::vector<double>(operands[0]->elements.size())};
  std::vector<std::byte> memory(static_cast<std::size_t>(num_bytes(op.shape)));
  write_elements(operands[0]->shape.dtype, operands[0]->elements, memory.data());
  read_elements(op.shape.dtype, memory.data(), result.elements);
  return result;
}

Shape infer_bitcast(const Site& site) {
  const Shape result = infer_convert(site);
  const DType from = site.operand(0).dtype;
  site.require(dtype_bytes(from) == dtype_bytes(result.dtype), "element types differ in size");
  site.require(from != DType::pred && result.dtype != DType::pred, "takes no pred");
  return result;
}

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

ValueId sample_convert(Sampler& s) {
  return s.builder.convert(s.input(s.dims(3)), s.coin() ? DType::f64 : DType::s32);
}

ValueId sample_bitcast(Sampler& s) {
  const bool from_floating = s.coin();
  const ValueId x = s.input(s.dims(3), from_floating ? DType::f32 : DType::s32, -100, 100);
  Op op{.kind = OpKind::bitcast_convert};
  op.shape = {from_floating ? (s.coin() ? DType::u32 : DType::s32) : DType::u32,
              s.builder.shape(x).dims};
  op.operands = {x};
  return s.builder.add(std::move(op));
}

ValueId sample_select(Sampler& s) {
  const Sampler::Dims dims = s.dims(3);
  const ValueId predicate = s.input(dims, DType::pred), on_true = s.input(dims);
  return s.builder.select(predicate, on_true, s.input(dims));
}

constexpr OpTraits kElementwiseRows[] = {
    inferring(infer_convert,
              sampled(sample_convert,
                      unary<OpKind::convert, kAll>("convert", evaluate_convert, convert_terms))),
    inferring(infer_bitcast, sampled(sample_bitcast, unary<OpKind::bitcast_convert, kNumbers>(
                                                         "bitcast-convert", evaluate_bitcast))),
    with_text(write_compare, read_compare,
              inferring(infer_compare, binary<OpKind::compare, kAll>("compare", evaluate_compare))),
    inferring(infer_select,
              sampled(sample_select,
                      row<OpKind::select, kAll>("select", 3, evaluate_select, select_terms))),
    row<OpKind::clamp, kNumbers>("clamp", 3, evaluate_clamp, clamp_terms),
};

}  // namespace

std::span<const OpTraits> elementwise_ops() { return kElementwiseRows; }

}  // namespace rhino::ir
