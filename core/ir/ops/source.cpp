// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>

#include "ir/element.hpp"
#include "ir/hlo_attributes.hpp"
#include "ir/hlo_read.hpp"
#include "ir/hlo_write.hpp"
#include "ir/ops/rows.hpp"
#include "ir/philox.hpp"
#include "ir/reference_ops.hpp"
#include "ir/sampler.hpp"
#include "ir/site.hpp"

/// Ops without operands.
namespace rhino::ir {
namespace {

void check_elements(const Site& site, const ConstantAttr& constant) {
  const auto held = static_cast<std::int64_t>(constant.elements.size());
  if (held != 1 && held != num_elements(site.op.shape)) {
    site.fail("holds " + std::to_string(held) + " elements for " + to_string(site.op.shape));
  }
}

/// A shape that the op names itself.
Shape declared(const Site& site) {
  site.require_operands(0);
  for (std::int64_t extent : site.op.shape.dims) {
    site.require(extent >= 0, "an extent is negative");
  }
  return site.op.shape;
}

Shape constant(const Site& site) {
  check_elements(site, site.attributes<ConstantAttr>());
  return declared(site);
}

Shape iota(const Site& site) {
  site.require_dims({site.attributes<DimAttr>().dim}, std::ssize(site.op.shape.dims), "attributes");
  site.require(site.op.shape.dtype != DType::pred, "pred values cannot count");
  return declared(site);
}

Shape rng(const Site& site) {
  site.attributes<RngAttr>();
  site.require(is_floating(site.op.shape.dtype), "yields floating-point values only");
  return declared(site);
}

Shape axis_index(const Site& site) {
  site.attributes<CollectiveAttr>();
  site.require(site.op.shape == Shape{DType::s32, {}}, "yields s32[]");
  return declared(site);
}

Tensor constant(const Op& op, const Operands&) {
  const auto& elements = op.attributes.get<ConstantAttr>().elements;
  Tensor result = elements.size() == 1 ? filled(op.shape, elements[0]) : Tensor{op.shape, elements};
  if (!is_floating(op.shape.dtype)) round_all(op.shape.dtype, result.elements);
  return result;
}

Tensor iota(const Op& op, const Operands&) {
  const std::size_t dim = at(op.attributes.get<DimAttr>().dim);
  Tensor result{op.shape, {}};
  Dims strides(op.shape.dims.size(), 0);
  strides[dim] = 1;
  for_each_index<1>(op.shape.dims, {strides}, {0}, [&](const Offsets<1>& index) {
    result.elements.push_back(static_cast<double>(index[0]));
  });
  if (!is_floating(op.shape.dtype)) round_all(op.shape.dtype, result.elements);
  return result;
}

Tensor rng(const Op& op, const Operands&) {
  const auto& attributes = op.attributes.get<RngAttr>();
  PhiloxStream stream(attributes.stream, kRngStream);
  Tensor result = filled(op.shape);
  for (std::size_t i = 0; i < result.elements.size(); ++i) {
    result.elements[i] = attributes.low + (attributes.high - attributes.low) * stream.uniform(i);
  }
  return result;
}

// HLO text of attributes. The elements of constants stand between the parentheses, the attributes
// of rng among the frontend's: see print_hlo.

Attributes read_constant(const hlo::Instruction& instruction, const hlo::AttributeReader&) {
  const DType dtype = hlo::read_shape(instruction.shape).dtype;
  ConstantAttr constant{hlo::read_literal(instruction.arguments, dtype)};
  const bool is_integer = !is_floating(dtype);
  const auto is_large = [](double element) { return !(std::abs(element) < 0x1p53); };
  if (is_integer && std::ranges::any_of(constant.elements, is_large)) {
    hlo::require_exact_integers(instruction.arguments);
  }
  if (is_integer) round_all(dtype, constant.elements);
  return constant;
}

void write_iota(const Op& op, hlo::AttributeWriter& writer) {
  writer.print(", iota_dimension={}", op.attributes.get<DimAttr>().dim);
}

Attributes read_iota(const hlo::Instruction& instruction, const hlo::AttributeReader&) {
  return DimAttr{hlo::read_integer(instruction.attribute("iota_dimension"))};
}

double read_double(std::string_view text) {
  const std::vector<double> numbers = hlo::read_literal(text);
  if (numbers.size() != 1) throw Error("'" + std::string(text) + "' is no number");
  return numbers[0];
}

Attributes read_rng(const hlo::Instruction& instruction, const hlo::AttributeReader&) {
  const std::string_view attributes = instruction.attribute("frontend_attributes");
  RngAttr rng;
  const std::string stream = hlo::find_string(attributes, "stream");
  std::from_chars(stream.data(), stream.data() + stream.size(), rng.stream);
  rng.low = read_double(hlo::find_string(attributes, "low"));
  rng.high = read_double(hlo::find_string(attributes, "high"));
  return rng;
}

// Samples.

Shape any_shape(Sampler& s) { return {DType::f32, s.dims(3)}; }

ValueId sample_constant(Sampler& s) {
  const Shape shape = any_shape(s);
  ConstantAttr held;
  const std::int64_t count = s.coin() ? 1 : num_elements(shape);
  for (std::int64_t i = 0; i < count; ++i)
    held.elements.push_back(static_cast<double>(s.draw(9)) - 4);
  return s.builder.add(Op{.kind = OpKind::constant, .shape = shape, .attributes = std::move(held)});
}

ValueId sample_iota(Sampler& s) {
  const Shape shape = any_shape(s);
  return s.builder.iota(shape, s.draw(std::ssize(shape.dims)));
}

ValueId sample_rng(Sampler& s) {
  const RngAttr attributes{static_cast<std::uint64_t>(s.draw(1 << 30)), -1, 1};
  return s.builder.add(Op{.kind = OpKind::rng, .shape = any_shape(s), .attributes = attributes});
}

constexpr OpTraits kSourceRows[] = {
    {.kind = OpKind::parameter,
     .name = "parameter",
     .op_class = OpClass::source,
     .arity = 0,
     .free = true,
     .infer = declared},
    {.kind = OpKind::constant,
     .name = "constant",
     .op_class = OpClass::source,
     .arity = 0,
     .free = true,
     .infer = constant,
     .evaluate = constant,
     .read = read_constant,
     .sample = sample_constant},
    {.kind = OpKind::iota,
     .name = "iota",
     .op_class = OpClass::source,
     .arity = 0,
     .infer = iota,
     .evaluate = iota,
     .write = write_iota,
     .read = read_iota,
     .sample = sample_iota},
    {.kind = OpKind::rng,
     .name = "rng",
     .op_class = OpClass::source,
     .arity = 0,
     .infer = rng,
     .evaluate = rng,
     .read = read_rng,
     .sample = sample_rng},
    {.kind = OpKind::axis_index,
     .name = "axis-index",
     .op_class = OpClass::source,
     .arity = 0,
     .free = true,
     .infer = axis_index,
     .write = hlo::write_axes,
     .read = hlo::read_axes},
};

}  // namespace

std::span<const OpTraits> source_ops() { return kSourceRows; }

}  // namespace rhino::ir
