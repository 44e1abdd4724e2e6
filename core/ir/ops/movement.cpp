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

/// Ops that show the elements of one tensor otherwise: broadcast, reshape, transpose, slice,
/// reverse.
namespace rhino::ir {
namespace {

// Shape inference.

Shape broadcast(const Site& site) {
  site.require_operands(1);
  const Dims& dims = site.attributes<DimsAttr>().dims;
  const Shape& result = site.op.shape;
  site.require_length(dims, site.rank(0), "broadcast dims");
  site.require_dims(dims, static_cast<std::int64_t>(result.dims.size()), "broadcast dims");
  site.require(std::is_sorted(dims.begin(), dims.end()), "broadcast dims do not increase");
  site.require(result.dtype == site.operand(0).dtype, "the result changes the element type");
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (result.dims[at(dims[i])] != site.operand(0).dims[i]) {
      site.fail("dim " + std::to_string(i) + " does not fit dim " + std::to_string(dims[i]) +
                " of " + to_string(result));
    }
  }
  return result;
}

Shape reshape(const Site& site) {
  site.require_operands(1);
  const Shape& result = site.op.shape;
  site.require(result.dtype == site.operand(0).dtype, "the result changes the element type");
  for (std::int64_t extent : result.dims) site.require(extent >= 0, "an extent is negative");
  if (num_elements(result) != num_elements(site.operand(0))) {
    site.fail(to_string(result) + " has another number of elements");
  }
  return result;
}

Shape transpose(const Site& site) {
  site.require_operands(1);
  const Dims& permutation = site.attributes<DimsAttr>().dims;
  site.require_length(permutation, site.rank(0), "permutation");
  site.require_dims(permutation, site.rank(0), "the permutation");
  Shape result = site.operand(0);
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    result.dims[i] = site.operand(0).dims[at(permutation[i])];
  }
  return result;
}

Shape slice(const Site& site) {
  site.require_operands(1);
  const auto& range = site.attributes<SliceAttr>();
  site.require_length(range.starts, site.rank(0), "starts");
  site.require_length(range.limits, site.rank(0), "limits");
  site.require_length(range.strides, site.rank(0), "strides");
  Shape result = site.operand(0);
  for (std::size_t i = 0; i < result.dims.size(); ++i) {
    const std::int64_t start = range.starts[i], limit = range.limits[i], stride = range.strides[i];
    if (start < 0 || limit < start || limit > result.dims[i] || stride < 1) {
      site.fail("[" + std::to_string(start) + ":" + std::to_string(limit) + ":" +
                std::to_string(stride) + "] is no range of dim " + std::to_string(i));
    }
    result.dims[i] = limit == start ? 0 : (limit - start - 1) / stride + 1;
  }
  return result;
}

Shape reverse(const Site& site) {
  site.require_operands(1);
  site.require_dims(site.attributes<DimsAttr>().dims, site.rank(0), "reversed dims");
  return site.operand(0);
}

// Reference.

Tensor broadcast(const Op& op, const Operands& operands) {
  const Tensor& a = *operands[0];
  const Dims& dims = op.attributes.get<DimsAttr>().dims;
  const Dims from = row_major_strides(a.shape.dims);
  Dims strides(op.shape.dims.size(), 0);
  for (std::size_t i = 0; i < dims.size(); ++i) strides[at(dims[i])] = from[i];
  return pick_elements(a, op.shape, 0, strides);
}

Tensor transpose(const Op& op, const Operands& operands) {
  const Tensor& a = *operands[0];
  const Dims from = row_major_strides(a.shape.dims);
  Dims strides;
  for (std::int64_t dim : op.attributes.get<DimsAttr>().dims) strides.push_back(from[at(dim)]);
  return pick_elements(a, op.shape, 0, strides);
}

Tensor slice(const Op& op, const Operands& operands) {
  const Tensor& a = *operands[0];
  const auto& range = op.attributes.get<SliceAttr>();
  Dims strides = row_major_strides(a.shape.dims);
  const std::int64_t offset = inner_product(range.starts, strides);
  for (std::size_t d = 0; d < strides.size(); ++d) strides[d] *= range.strides[d];
  return pick_elements(a, op.shape, offset, strides);
}

Tensor reverse(const Op& op, const Operands& operands) {
  const Tensor& a = *operands[0];
  Dims strides = row_major_strides(a.shape.dims);
  std::int64_t offset = 0;
  for (std::int64_t dim : op.attributes.get<DimsAttr>().dims) {
    offset += (a.shape.dims[at(dim)] - 1) * strides[at(dim)];
    strides[at(dim)] = -strides[at(dim)];
  }
  return pick_elements(a, op.shape, offset, strides);
}

Tensor reshape(const Op& op, const Operands& operands) { return {op.shape, operands[0]->elements}; }

// Derivatives.

Terms broadcast_terms(const Pullback& p) {
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
  return {p.builder.shape(term).dims == operand ? term : p.builder.reshape(term, operand)};
}

Terms transpose_terms(const Pullback& p) {
  const Dims& dims = p.op.attributes.get<DimsAttr>().dims;
  Dims inverse(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    inverse[static_cast<std::size_t>(dims[i])] = static_cast<std::int64_t>(i);
  }
  return {p.builder.transpose(p.gradient, inverse)};
}

Terms slice_terms(const Pullback& p) {
  const SliceAttr& slice = p.op.attributes.get<SliceAttr>();
  const Dims operand = p.operand_dims(0);
  Dims high(operand.size()), interior(operand.size());
  for (std::size_t i = 0; i < operand.size(); ++i) {
    const std::int64_t last = slice.starts[i] + (p.op.shape.dims[i] - 1) * slice.strides[i];
    high[i] = operand[i] - last - 1;
    interior[i] = slice.strides[i] - 1;
  }
  const ValueId zero = p.builder.constant(p.op.shape.dtype, 0);
  return {p.builder.pad(p.gradient, zero, slice.starts, high, interior)};
}

Terms reshape_terms(const Pullback& p) {
  return {p.builder.reshape(p.gradient, p.operand_dims(0))};
}

Terms reverse_terms(const Pullback& p) {
  return {p.builder.reverse(p.gradient, p.op.attributes.get<DimsAttr>().dims)};
}

// HLO text of attributes.

void write_dims(const Op& op, hlo::AttributeWriter& writer) {
  writer.print_dims("dimensions", op.attributes.get<DimsAttr>().dims);
}

Attributes read_dims(const hlo::Instruction& instruction, const hlo::AttributeReader&) {
  return DimsAttr{hlo::read_integers(instruction.attribute("dimensions"))};
}

void write_slice(const Op& op, hlo::AttributeWriter& writer) {
  const auto& a = op.attributes.get<SliceAttr>();
  writer.print(", slice={{");
  for (std::size_t d = 0; d < a.starts.size(); ++d) {
    writer.print("{}[{}:{}", d ? ", " : "", a.starts[d], a.limits[d]);
    if (a.strides[d] != 1) writer.print(":{}", a.strides[d]);
    writer.print("]");
  }
  writer.print("}}");
}

Attributes read_slice(const hlo::Instruction& instruction, const hlo::AttributeReader&) {
  return hlo::read_slice(instruction.attribute("slice"));
}

// Samples.

ValueId sample_broadcast(Sampler& s) {
  const Dims result = s.dims(4);
  Dims dims, from;
  for (std::size_t d = 0; d < result.size(); ++d) {
    if (s.draw(2)) continue;
    dims.push_back(static_cast<std::int64_t>(d));
    from.push_back(result[d]);
  }
  return s.builder.broadcast_in_dim(s.input(from), result, dims);
}

ValueId sample_reshape(Sampler& s) {
  static const std::vector<std::vector<Dims>> kAlike = {
      {{4, 6}, {24}, {6, 4}, {2, 12}, {2, 2, 6}, {3, 8}, {1, 24, 1}, {2, 3, 4}},
      {{8, 12}, {96}, {2, 4, 12}, {4, 24}, {8, 3, 4}, {6, 16}, {2, 48}, {4, 2, 3, 4}},
      {{4, 4, 6}, {16, 6}, {4, 24}, {8, 12}, {2, 8, 6}, {4, 6, 4}, {12, 8}, {4, 1, 24}}};
  const auto& alike = s.pick(kAlike);
  const Dims& from = s.pick(alike);
  return s.builder.reshape(s.input(from), s.pick(alike));
}

ValueId sample_transpose(Sampler& s) {
  const Dims dims = s.dims(4);
  Dims permutation(dims.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  for (std::size_t i = permutation.size(); i > 1; --i) {
    std::swap(permutation[i - 1], permutation[at(s.draw(static_cast<std::int64_t>(i)))]);
  }
  return s.builder.transpose(s.input(dims), permutation);
}

ValueId sample_slice(Sampler& s) {
  const Dims dims = s.dims(3);
  Dims starts(dims.size(), 0), limits = dims, strides(dims.size(), 1);
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (s.draw(2)) continue;
    starts[d] = s.draw(dims[d]);
    limits[d] = starts[d] + 1 + s.draw(dims[d] - starts[d]);
    strides[d] = 1 + s.draw(2);
  }
  return s.builder.slice(s.input(dims), starts, limits, strides);
}

ValueId sample_reverse(Sampler& s) {
  const Dims dims = s.dims(3);
  return s.builder.reverse(s.input(dims), s.some_of(dims.size()));
}

constexpr OpTraits kMovementRows[] = {
    {.kind = OpKind::broadcast,
     .name = "broadcast",
     .op_class = OpClass::movement,
     .arity = 1,
     .view = true,
     .free = true,
     .infer = broadcast,
     .evaluate = broadcast,
     .terms = broadcast_terms,
     .write = write_dims,
     .read = read_dims,
     .sample = sample_broadcast},
    {.kind = OpKind::reshape,
     .name = "reshape",
     .op_class = OpClass::movement,
     .arity = 1,
     .view = true,
     .free = true,
     .infer = reshape,
     .evaluate = reshape,
     .terms = reshape_terms,
     .sample = sample_reshape},
    {.kind = OpKind::transpose,
     .name = "transpose",
     .op_class = OpClass::movement,
     .arity = 1,
     .view = true,
     .free = true,
     .infer = transpose,
     .evaluate = transpose,
     .terms = transpose_terms,
     .write = write_dims,
     .read = read_dims,
     .sample = sample_transpose},
    {.kind = OpKind::slice,
     .name = "slice",
     .op_class = OpClass::movement,
     .arity = 1,
     .view = true,
     .free = true,
     .infer = slice,
     .evaluate = slice,
     .terms = slice_terms,
     .write = write_slice,
     .read = read_slice,
     .sample = sample_slice},
    {.kind = OpKind::reverse,
     .name = "reverse",
     .op_class = OpClass::movement,
     .arity = 1,
     .view = true,
     .infer = reverse,
     .evaluate = reverse,
     .terms = reverse_terms,
     .write = write_dims,
     .read = read_dims,
     .sample = sample_reverse},
};

}  // namespace

std::span<const OpTraits> movement_ops() { return kMovementRows; }

}  // namespace rhino::ir
