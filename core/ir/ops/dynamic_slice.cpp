// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ir/derivative.hpp"
#include "ir/hlo_attributes.hpp"
#include "ir/hlo_read.hpp"
#include "ir/hlo_write.hpp"
#include "ir/ops/rows.hpp"
#include "ir/reference_ops.hpp"
#include "ir/sampler.hpp"
#include "ir/site.hpp"

/// Slices whose place is a value.
namespace rhino::ir {
namespace {

void check_starts(const Site& site, std::size_t first) {
  site.require_operands(first + site.operand(0).dims.size());
  for (std::size_t i = first; i < site.operands.size(); ++i) {
    site.require(site.operand(i) == Shape{DType::s32, {}}, "starts are not one s32[] per dim");
  }
}

Shape dynamic_slice(const Site& site) {
  site.require(!site.operands.empty(), "takes a tensor and its starts");
  const Dims& sizes = site.attributes<DynamicSliceAttr>().sizes;
  check_starts(site, 1);
  site.require_length(sizes, site.rank(0), "sizes");
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    site.require(sizes[d] >= 0 && sizes[d] <= site.operand(0).dims[d],
                 "a slice is larger than the tensor");
  }
  return {site.operand(0).dtype, sizes};
}

Shape dynamic_update_slice(const Site& site) {
  site.require(site.operands.size() >= 2, "takes a tensor, its update and starts");
  const Shape &tensor = site.operand(0), &update = site.operand(1);
  check_starts(site, 2);
  site.require(tensor.dtype == update.dtype, "tensor and update differ in element type");
  site.require(tensor.dims.size() == update.dims.size(), "tensor and update differ in rank");
  for (std::size_t d = 0; d < tensor.dims.size(); ++d) {
    site.require(update.dims[d] <= tensor.dims[d], "the update is larger than the tensor");
  }
  return tensor;
}

// Starts are clamped so that the slice lies inside of the tensor.
std::int64_t clamped_offset(const Tensor& tensor, const Dims& sizes, const Operands& operands,
                            std::size_t first_start) {
  const Dims strides = row_major_strides(tensor.shape.dims);
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const auto start = static_cast<std::int64_t>(operands[first_start + d]->elements[0]);
    const std::int64_t last = tensor.shape.dims[d] - sizes[d];
    offset += std::clamp<std::int64_t>(start, 0, last) * strides[d];
  }
  return offset;
}

Tensor dynamic_slice(const Op& op, const Operands& operands) {
  const Tensor& a = *operands[0];
  const std::int64_t offset = clamped_offset(a, op.shape.dims, operands, 1);
  return pick_elements(a, op.shape, offset, row_major_strides(a.shape.dims));
}

Tensor dynamic_update_slice(const Op&, const Operands& operands) {
  Tensor result = *operands[0];
  const Tensor& update = *operands[1];
  const std::int64_t offset = clamped_offset(result, update.shape.dims, operands, 2);
  place_box(update, 0, update.shape.dims, result, offset, row_major_strides(result.shape.dims));
  return result;
}

Terms dynamic_slice_terms(const Pullback& p) {
  Builder& b = p.builder;
  const ValueId zeros = b.fill(b.shape(p.op.operands[0]), 0);
  const std::vector<ValueId> starts(p.op.operands.begin() + 1, p.op.operands.end());
  Terms terms(p.op.operands.size(), kNoValue);
  terms[0] = b.dynamic_update_slice(zeros, p.gradient, starts);
  return terms;
}

Terms dynamic_update_slice_terms(const Pullback& p) {
  Builder& b = p.builder;
  const std::vector<ValueId> starts(p.op.operands.begin() + 2, p.op.operands.end());
  const Shape update = b.shape(p.op.operands[1]);
  Terms terms(p.op.operands.size(), kNoValue);
  if (p.wanted[0]) terms[0] = b.dynamic_update_slice(p.gradient, b.fill(update, 0), starts);
  if (p.wanted[1]) terms[1] = b.dynamic_slice(p.gradient, starts, update.dims);
  return terms;
}

void write_dynamic_slice(const Op& op, hlo::AttributeWriter& writer) {
  writer.print_dims("dynamic_slice_sizes", op.attributes.get<DynamicSliceAttr>().sizes);
}

Attributes read_dynamic_slice(const hlo::Instruction& instruction, const hlo::AttributeReader&) {
  return DynamicSliceAttr{hlo::read_integers(instruction.attribute("dynamic_slice_sizes"))};
}

ValueId sample_dynamic_slice(Sampler& s) {
  const Dims dims = s.dims(2);
  Dims sizes = dims;
  std::vector<ValueId> starts;
  const ValueId tensor = s.input(dims);
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (s.draw(2)) sizes[d] = 1 + s.draw(dims[d]);
    starts.push_back(s.indices({}, dims[d] + 1));
  }
  return s.builder.dynamic_slice(tensor, starts, sizes);
}

ValueId sample_dynamic_update_slice(Sampler& s) {
  const Dims dims = s.dims(2);
  Dims sizes = dims;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (s.draw(2)) sizes[d] = 1 + s.draw(dims[d]);
  }
  const ValueId tensor = s.input(dims), update = s.input(sizes);
  std::vector<ValueId> starts;
  for (std::int64_t size : dims) starts.push_back(s.indices({}, size + 1));
  return s.builder.dynamic_update_slice(tensor, update, starts);
}

constexpr OpTraits kDynamicSliceRows[] = {
    {.kind = OpKind::dynamic_slice,
     .name = "dynamic-slice",
     .op_class = OpClass::indexing,
     .arity = kAnyArity,
     .infer = dynamic_slice,
     .evaluate = dynamic_slice,
     .terms = dynamic_slice_terms,
     .write = write_dynamic_slice,
     .read = read_dynamic_slice,
     .sample = sample_dynamic_slice},
    {.kind = OpKind::dynamic_update_slice,
     .name = "dynamic-update-slice",
     .op_class = OpClass::indexing,
     .arity = kAnyArity,
     .infer = dynamic_update_slice,
     .evaluate = dynamic_update_slice,
     .terms = dynamic_update_slice_terms,
     .sample = sample_dynamic_update_slice},
};

}  // namespace

std::span<const OpTraits> dynamic_slice_ops() { return kDynamicSliceRows; }

}  // namespace rhino::ir
