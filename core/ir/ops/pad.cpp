// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "ir/derivative.hpp"
#include "ir/hlo_attributes.hpp"
#include "ir/hlo_read.hpp"
#include "ir/hlo_write.hpp"
#include "ir/ops/rows.hpp"
#include "ir/reference_ops.hpp"
#include "ir/sampler.hpp"
#include "ir/site.hpp"

/// Ops that put tensors into larger ones: pad, concatenate.
namespace rhino::ir {
namespace {

Shape pad(const Site& site) {
  site.require_operands(2);
  const auto& padding = site.attributes<PadAttr>();
  site.require(site.operand(1) == Shape{site.operand(0).dtype, {}},
               "the fill is no scalar of the tensor's element type");
  const Dims& extents = site.operand(0).dims;
  site.require_amounts(padding.low, extents, "low padding");
  site.require_amounts(padding.high, extents, "high padding");
  site.require_amounts(padding.interior, extents, "interior padding");
  Shape result = site.operand(0);
  for (std::size_t i = 0; i < result.dims.size(); ++i) {
    site.require(padding.interior[i] >= 0, "interior padding is negative");
    std::int64_t& extent = result.dims[i];
    extent += std::max<std::int64_t>(extent - 1, 0) * padding.interior[i] + padding.low[i] +
              padding.high[i];
    if (extent < 0) site.fail("crops more than dim " + std::to_string(i) + " has");
  }
  return result;
}

Shape concatenate(const Site& site) {
  site.require(!site.operands.empty(), "takes at least one operand");
  const std::int64_t dim = site.attributes<DimAttr>().dim;
  site.require_dims({dim}, site.rank(0), "attributes");
  Shape result = site.operand(0);
  result.dims[at(dim)] = 0;
  for (const Shape* operand : site.operands) {
    const Shape& part = *operand;
    site.require(part.dims.size() == result.dims.size(), "operands differ in rank");
    Shape others = part;
    others.dims[at(dim)] = result.dims[at(dim)];
    site.require(others == result, "operands differ outside of the concatenated dim");
    result.dims[at(dim)] += part.dims[at(dim)];
  }
  return result;
}

// Element i of a dim comes to lie at low + i * (interior + 1); those outside of [0, extent) are
// cropped.
Tensor pad(const Op& op, const Operands& operands) {
  const Tensor& a = *operands[0];
  const Tensor& fill = *operands[1];
  const auto& padding = op.attributes.get<PadAttr>();
  Tensor result = filled(op.shape, fill.elements[0]);
  const Dims& from_dims = a.shape.dims;
  Dims strides = row_major_strides(op.shape.dims);
  std::int64_t from = 0, to = 0;
  const Dims from_strides = row_major_strides(from_dims);
  Dims size(strides.size());
  for (std::size_t d = 0; d < strides.size(); ++d) {
    const std::int64_t step = padding.interior[d] + 1, low = padding.low[d];
    const std::int64_t first = low >= 0 ? 0 : (-low + step - 1) / step;
    const std::int64_t room = op.shape.dims[d] - low;
    const std::int64_t end = room <= 0 ? 0 : std::min(from_dims[d], (room + step - 1) / step);
    size[d] = std::max<std::int64_t>(0, end - first);
    from += first * from_strides[d];
    to += (low + first * step) * strides[d];
    strides[d] *= step;
  }
  place_box(a, from, size, result, to, strides);
  return result;
}

Tensor concatenate(const Op& op, const Operands& operands) {
  const std::size_t dim = at(op.attributes.get<DimAttr>().dim);
  const Dims strides = row_major_strides(op.shape.dims);
  Tensor result = filled(op.shape);
  std::int64_t offset = 0;
  for (const Tensor* part : operands) {
    place_box(*part, 0, part->shape.dims, result, offset, strides);
    offset += part->shape.dims[dim] * strides[dim];
  }
  return result;
}

/// What of the gradient lies on elements of the padded tensor; zero for elements that a negative
/// pad cropped.
ValueId padded_term(const Pullback& p) {
  Builder& b = p.builder;
  const PadAttr& pad = p.op.attributes.get<PadAttr>();
  const Dims operand = p.operand_dims(0);
  const std::size_t rank = operand.size();
  Dims widen_low(rank), widen_high(rank), starts(rank), limits(rank), strides(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    widen_low[i] = std::max<std::int64_t>(0, -pad.low[i]);
    widen_high[i] = std::max<std::int64_t>(0, -pad.high[i]);
    strides[i] = pad.interior[i] + 1;
    starts[i] = pad.low[i] + widen_low[i];
    limits[i] = starts[i] + (operand[i] - 1) * strides[i] + 1;
  }
  ValueId term = p.gradient;
  if (widen_low != Dims(rank) || widen_high != Dims(rank)) {
    term = b.pad(term, b.constant(p.op.shape.dtype, 0), widen_low, widen_high, Dims(rank));
  }
  return b.slice(term, starts, limits, strides);
}

ValueId total(Builder& b, ValueId value) {
  Dims all(b.shape(value).dims.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
  return b.reduce(value, all, Reduction::sum);
}

Terms pad_terms(const Pullback& p) {
  const ValueId inner = padded_term(p);
  Terms terms{inner, kNoValue};
  if (p.wanted[1]) {
    Builder& b = p.builder;
    terms[1] = b.sub(total(b, p.gradient), total(b, inner));
  }
  return terms;
}

Terms concatenate_terms(const Pullback& p) {
  const auto dim = static_cast<std::size_t>(p.op.attributes.get<DimAttr>().dim);
  Terms terms(p.op.operands.size(), kNoValue);
  Dims starts(p.op.shape.dims.size()), limits = p.op.shape.dims;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    limits[dim] = starts[dim] + p.operand_dims(i)[dim];
    if (p.wanted[i]) terms[i] = p.builder.slice(p.gradient, starts, limits);
    starts[dim] = limits[dim];
  }
  return terms;
}

void write_pad(const Op& op, hlo::AttributeWriter& writer) {
  const auto& a = op.attributes.get<PadAttr>();
  for (std::size_t d = 0; d < a.low.size(); ++d) {
    writer.print("{}{}_{}_{}", d ? "x" : ", padding=", a.low[d], a.high[d], a.interior[d]);
  }
}

Attributes read_pad(const hlo::Instruction& instruction, const hlo::AttributeReader&) {
  return hlo::read_padding(instruction.attribute("padding"));
}

void write_concatenate(const Op& op, hlo::AttributeWriter& writer) {
  writer.print_dims("dimensions", {op.attributes.get<DimAttr>().dim});
}

Attributes read_concatenate(const hlo::Instruction& instruction, const hlo::AttributeReader&) {
  return DimAttr{hlo::read_only_dim(instruction.attribute("dimensions"))};
}

ValueId sample_pad(Sampler& s) {
  const Dims dims = s.dims(3);
  Dims low(dims.size()), high(dims.size()), interior(dims.size());
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (s.draw(2)) continue;
    low[d] = s.draw(3) - (dims[d] > 1 ? 1 : 0);
    high[d] = s.draw(3);
    interior[d] = s.draw(2);
  }
  const ValueId a = s.input(dims);
  const ValueId fill = s.builder.constant(DType::f32, static_cast<double>(s.draw(2)));
  return s.builder.pad(a, fill, low, high, interior);
}

ValueId sample_concatenate(Sampler& s) {
  const Dims dims = s.dims(3);
  const std::int64_t dim = s.draw(static_cast<std::int64_t>(dims.size()));
  std::vector<ValueId> parts;
  for (std::int64_t i = 0; i < 2; ++i) {
    Dims part = dims;
    part[static_cast<std::size_t>(dim)] = 1 + s.draw(4);
    parts.push_back(s.input(part));
  }
  return s.builder.concatenate(parts, dim);
}

constexpr OpTraits kPadRows[] = {
    {.kind = OpKind::pad,
     .name = "pad",
     .op_class = OpClass::movement,
     .arity = 2,
     .infer = pad,
     .evaluate = pad,
     .terms = pad_terms,
     .write = write_pad,
     .read = read_pad,
     .sample = sample_pad},
    {.kind = OpKind::concatenate,
     .name = "concatenate",
     .op_class = OpClass::movement,
     .arity = kAnyArity,
     .infer = concatenate,
     .evaluate = concatenate,
     .terms = concatenate_terms,
     .write = write_concatenate,
     .read = read_concatenate,
     .sample = sample_concatenate},
};

}  // namespace

std::span<const OpTraits> pad_ops() { return kPadRows; }

}  // namespace rhino::ir
