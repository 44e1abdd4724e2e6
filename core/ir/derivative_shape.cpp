// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>

#include "ir/derivative.hpp"

namespace rhino::ir {
namespace {

using Dims = std::vector<std::int64_t>;

ValueId broadcast_term(const Pullback& p) {
  const Dims& to = p.op.attributes.get<DimsAttr>().dims;
  const Dims operand = p.operand_dims(0);
  Dims repeated;
  for (std::int64_t dim = 0; dim < std::ssize(p.op.shape.dims); ++dim) {
    const auto found = std::ranges::find(to, dim);
    const bool kept = found != to.end() && operand[static_cast<std::size_t>(found - to.begin())] ==
                                               p.op.shape.dims[static_cast<std::size_t>(dim)];
    if (!kept) repeated.push_back(dim);
  }
  ValueId term = p.gradient;
  if (!repeated.empty()) term = p.builder.reduce(term, repeated, Reduction::sum);
  return p.builder.shape(term).dims == operand ? term : p.builder.reshape(term, operand);
}

ValueId transpose_term(const Pullback& p) {
  const Dims& dims = p.op.attributes.get<DimsAttr>().dims;
  Dims inverse(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    inverse[static_cast<std::size_t>(dims[i])] = static_cast<std::int64_t>(i);
  }
  return p.builder.transpose(p.gradient, inverse);
}

ValueId slice_term(const Pullback& p) {
  const SliceAttr& slice = p.op.attributes.get<SliceAttr>();
  const Dims operand = p.operand_dims(0);
  Dims high(operand.size()), interior(operand.size());
  for (std::size_t i = 0; i < operand.size(); ++i) {
    const std::int64_t last = slice.starts[i] + (p.op.shape.dims[i] - 1) * slice.strides[i];
    high[i] = operand[i] - last - 1;
    interior[i] = slice.strides[i] - 1;
  }
  const ValueId zero = p.builder.constant(p.op.shape.dtype, 0);
  return p.builder.pad(p.gradient, zero, slice.starts, high, interior);
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

}  // namespace

Terms shape_terms(const Pullback& p) {
  switch (p.op.kind) {
    case OpKind::broadcast: return {broadcast_term(p)};
    case OpKind::reshape: return {p.builder.reshape(p.gradient, p.operand_dims(0))};
    case OpKind::transpose: return {transpose_term(p)};
    case OpKind::slice: return {slice_term(p)};
    case OpKind::reverse:
      return {p.builder.reverse(p.gradient, p.op.attributes.get<DimsAttr>().dims)};
    case OpKind::pad: return pad_terms(p);
    case OpKind::concatenate: return concatenate_terms(p);
    default: assert(false); return {};
  }
}

}  // namespace rhino::ir
