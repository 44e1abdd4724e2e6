// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ir/infer.hpp"

namespace rhino::ir::infer {
namespace {

std::size_t at(std::int64_t dim) { return static_cast<std::size_t>(dim); }

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
    result.dims[i] = (limit - start + stride - 1) / stride;
  }
  return result;
}

Shape pad(const Site& site) {
  site.require_operands(2);
  const auto& padding = site.attributes<PadAttr>();
  site.require(site.operand(1) == Shape{site.operand(0).dtype, {}},
               "the fill is no scalar of the tensor's element type");
  site.require_length(padding.low, site.rank(0), "low");
  site.require_length(padding.high, site.rank(0), "high");
  site.require_length(padding.interior, site.rank(0), "interior");
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
  for (const Shape& part : site.operands) {
    site.require(part.dims.size() == result.dims.size(), "operands differ in rank");
    Shape others = part;
    others.dims[at(dim)] = result.dims[at(dim)];
    site.require(others == result, "operands differ outside of the concatenated dim");
    result.dims[at(dim)] += part.dims[at(dim)];
  }
  return result;
}

Shape reverse(const Site& site) {
  site.require_operands(1);
  site.require_dims(site.attributes<DimsAttr>().dims, site.rank(0), "reversed dims");
  return site.operand(0);
}

}  // namespace

Shape movement(const Site& site) {
  switch (site.op.kind) {
    case OpKind::broadcast: return broadcast(site);
    case OpKind::reshape: return reshape(site);
    case OpKind::transpose: return transpose(site);
    case OpKind::slice: return slice(site);
    case OpKind::pad: return pad(site);
    case OpKind::concatenate: return concatenate(site);
    default: return reverse(site);
  }
}

}  // namespace rhino::ir::infer
