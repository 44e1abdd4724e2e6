// SPDX-License-Identifier: Apache-2.0
#include "lower/view.hpp"

#include <algorithm>

namespace rhino::lower {
namespace {

View broadcast_view(const Op& op, const Dims& operand_dims, const View& operand) {
  const Dims& to = op.attributes.get<DimsAttr>().dims;
  View view{operand.base, operand.offset, Dims(op.shape.dims.size(), 0)};
  for (std::size_t i = 0; i < to.size(); ++i) {
    const auto dim = static_cast<std::size_t>(to[i]);
    if (operand_dims[i] == op.shape.dims[dim]) view.strides[dim] = operand.strides[i];
  }
  return view;
}

View transpose_view(const Op& op, const View& operand) {
  View view = operand;
  const Dims& from = op.attributes.get<DimsAttr>().dims;
  for (std::size_t i = 0; i < from.size(); ++i) {
    view.strides[i] = operand.strides[static_cast<std::size_t>(from[i])];
  }
  return view;
}

View slice_view(const Op& op, const View& operand) {
  const SliceAttr& slice = op.attributes.get<SliceAttr>();
  View view = operand;
  for (std::size_t i = 0; i < view.strides.size(); ++i) {
    view.offset += slice.starts[i] * operand.strides[i];
    view.strides[i] *= slice.strides[i];
  }
  return view;
}

View reverse_view(const Op& op, const View& operand) {
  View view = operand;
  for (std::int64_t dim : op.attributes.get<DimsAttr>().dims) {
    const auto i = static_cast<std::size_t>(dim);
    view.offset += (op.shape.dims[i] - 1) * operand.strides[i];
    view.strides[i] = -operand.strides[i];
  }
  return view;
}

}  // namespace

Dims dense_strides(const Dims& dims) {
  Dims strides(dims.size());
  std::int64_t stride = 1;
  for (std::size_t i = dims.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= dims[i];
  }
  return strides;
}

View dense_view(ValueId base, const Dims& dims) { return {base, 0, dense_strides(dims)}; }

bool has_dense_strides(const Dims& dims, const Dims& strides) {
  std::int64_t stride = 1;
  for (std::size_t i = dims.size(); i-- > 0;) {
    if (dims[i] == 1) continue;
    if (strides[i] != stride) return false;
    stride *= dims[i];
  }
  return true;
}

bool is_dense(const View& view, const Dims& dims) {
  return view.offset == 0 && has_dense_strides(dims, view.strides);
}

std::vector<StridedDim> collapsed(const Dims& dims, const Dims& strides) {
  std::vector<StridedDim> result;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 1) continue;
    if (!result.empty() && result.back().stride == strides[i] * dims[i]) {
      result.back().extent *= dims[i];
      result.back().stride = strides[i];
    } else {
      result.push_back({dims[i], strides[i]});
    }
  }
  return result;
}

std::optional<Dims> reshaped_strides(const Dims& from, const Dims& strides, const Dims& to) {
  if (num_elements(to) == 0) return dense_strides(to);
  const std::vector<StridedDim> runs = collapsed(from, strides);
  Dims result(to.size());
  std::size_t run = runs.size();
  std::int64_t left = 1,
               stride = 1;  // of the current run: extent not yet used, stride of the next dim
  for (std::size_t i = to.size(); i-- > 0;) {
    if (to[i] == 1) continue;
    if (left == 1) {
      --run;
      left = runs[run].extent;
      stride = runs[run].stride;
    }
    if (left % to[i] != 0) return std::nullopt;
    result[i] = stride;
    stride *= to[i];
    left /= to[i];
  }
  return result;
}

std::optional<View> view_of(const Op& op, const Dims& operand_dims, const View& operand) {
  switch (op.kind) {
    case OpKind::broadcast: return broadcast_view(op, operand_dims, operand);
    case OpKind::transpose: return transpose_view(op, operand);
    case OpKind::slice: return slice_view(op, operand);
    case OpKind::reverse: return reverse_view(op, operand);
    case OpKind::reshape: {
      std::optional<Dims> strides = reshaped_strides(operand_dims, operand.strides, op.shape.dims);
      if (!strides) return std::nullopt;
      return View{operand.base, operand.offset, std::move(*strides)};
    }
    default: return std::nullopt;
  }
}

}  // namespace rhino::lower
