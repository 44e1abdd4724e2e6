// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ir/reference_ops.hpp"

namespace rhino::ir::reference {
namespace {

// Elements of `a` seen from `offset` with `strides` per result dim.
Tensor view(const Tensor& a, const Shape& shape, std::int64_t offset, const Dims& strides) {
  Tensor result{shape, {}};
  result.elements.reserve(at(num_elements(shape)));
  for_each_index<1>(shape.dims, {strides}, {offset}, [&](const Offsets<1>& from) {
    result.elements.push_back(a.elements[at(from[0])]);
  });
  return result;
}

// Writes the box of `size` elements that lies at `from` in `part` into `result`.
void place(const Tensor& part, std::int64_t from, const Dims& size, Tensor& result, std::int64_t to,
           const Dims& strides) {
  for_each_index<2>(size, {row_major_strides(part.shape.dims), strides}, {from, to},
                    [&](const Offsets<2>& offset) {
                      result.elements[at(offset[1])] = part.elements[at(offset[0])];
                    });
}

Tensor broadcast(const Op& op, const Tensor& a) {
  const Dims& dims = op.attributes.get<DimsAttr>().dims;
  const Dims from = row_major_strides(a.shape.dims);
  Dims strides(op.shape.dims.size(), 0);
  for (std::size_t i = 0; i < dims.size(); ++i) strides[at(dims[i])] = from[i];
  return view(a, op.shape, 0, strides);
}

Tensor transpose(const Op& op, const Tensor& a) {
  const Dims from = row_major_strides(a.shape.dims);
  Dims strides;
  for (std::int64_t dim : op.attributes.get<DimsAttr>().dims) strides.push_back(from[at(dim)]);
  return view(a, op.shape, 0, strides);
}

Tensor slice(const Op& op, const Tensor& a) {
  const auto& range = op.attributes.get<SliceAttr>();
  Dims strides = row_major_strides(a.shape.dims);
  const std::int64_t offset = inner_product(range.starts, strides);
  for (std::size_t d = 0; d < strides.size(); ++d) strides[d] *= range.strides[d];
  return view(a, op.shape, offset, strides);
}

Tensor reverse(const Op& op, const Tensor& a) {
  Dims strides = row_major_strides(a.shape.dims);
  std::int64_t offset = 0;
  for (std::int64_t dim : op.attributes.get<DimsAttr>().dims) {
    offset += (a.shape.dims[at(dim)] - 1) * strides[at(dim)];
    strides[at(dim)] = -strides[at(dim)];
  }
  return view(a, op.shape, offset, strides);
}

// Element i of a dim comes to lie at low + i * (interior + 1); those outside of [0, extent) are
// cropped.
Tensor pad(const Op& op, const Tensor& a, const Tensor& fill) {
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
  place(a, from, size, result, to, strides);
  return result;
}

Tensor concatenate(const Op& op, const Operands& operands) {
  const std::size_t dim = at(op.attributes.get<DimAttr>().dim);
  const Dims strides = row_major_strides(op.shape.dims);
  Tensor result = filled(op.shape);
  std::int64_t offset = 0;
  for (const Tensor* part : operands) {
    place(*part, 0, part->shape.dims, result, offset, strides);
    offset += part->shape.dims[dim] * strides[dim];
  }
  return result;
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
  return view(a, op.shape, offset, row_major_strides(a.shape.dims));
}

Tensor dynamic_update_slice(const Operands& operands) {
  Tensor result = *operands[0];
  const Tensor& update = *operands[1];
  const std::int64_t offset = clamped_offset(result, update.shape.dims, operands, 2);
  place(update, 0, update.shape.dims, result, offset, row_major_strides(result.shape.dims));
  return result;
}

}  // namespace

Tensor movement(const Op& op, const Operands& operands) {
  const Tensor& a = *operands[0];
  switch (op.kind) {
    case OpKind::broadcast: return broadcast(op, a);
    case OpKind::reshape: return {op.shape, a.elements};
    case OpKind::transpose: return transpose(op, a);
    case OpKind::slice: return slice(op, a);
    case OpKind::pad: return pad(op, a, *operands[1]);
    case OpKind::concatenate: return concatenate(op, operands);
    case OpKind::reverse: return reverse(op, a);
    case OpKind::dynamic_slice: return dynamic_slice(op, operands);
    default: return dynamic_update_slice(operands);
  }
}

}  // namespace rhino::ir::reference
