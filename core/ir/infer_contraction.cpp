// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ir/infer.hpp"

namespace rhino::ir::infer {
namespace {

std::size_t at(std::int64_t dim) { return static_cast<std::size_t>(dim); }

bool contains(const Dims& dims, std::int64_t dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

Dims joined(Dims a, const Dims& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Shape reduce(const Site& site) {
  site.require_operands(1);
  const auto& attributes = site.attributes<ReduceAttr>();
  const Shape& operand = site.operand(0);
  site.require_dims(attributes.dims, site.rank(0), "reduced dims");
  require_reducible(site, attributes.reduction, operand.dtype);
  Shape result{operand.dtype, {}};
  for (std::int64_t d = 0; d < site.rank(0); ++d) {
    if (!contains(attributes.dims, d)) result.dims.push_back(operand.dims[at(d)]);
  }
  return result;
}

void require_pairs(const Site& site, const Dims& lhs, const Dims& rhs, const char* what) {
  if (lhs.size() != rhs.size()) site.fail(std::string("unequal numbers of ") + what);
  for (std::size_t i = 0; i < lhs.size(); ++i) {
    if (site.operand(0).dims[at(lhs[i])] != site.operand(1).dims[at(rhs[i])]) {
      site.fail(std::string(what) + " " + std::to_string(lhs[i]) + " and " +
                std::to_string(rhs[i]) + " differ in extent");
    }
  }
}

Shape dot(const Site& site) {
  site.require_operands(2);
  const auto& dims = site.attributes<DotAttr>();
  site.require(site.operand(0).dtype == site.operand(1).dtype, "operands differ in element type");
  site.require(site.operand(0).dtype != DType::pred, "takes no pred");
  const Dims lhs_used = joined(dims.lhs_batch, dims.lhs_contracting);
  const Dims rhs_used = joined(dims.rhs_batch, dims.rhs_contracting);
  site.require_dims(lhs_used, site.rank(0), "lhs batch and contracting dims");
  site.require_dims(rhs_used, site.rank(1), "rhs batch and contracting dims");
  require_pairs(site, dims.lhs_batch, dims.rhs_batch, "batch dims");
  require_pairs(site, dims.lhs_contracting, dims.rhs_contracting, "contracting dims");
  Shape result{site.operand(0).dtype, {}};
  for (std::int64_t d : dims.lhs_batch) result.dims.push_back(site.operand(0).dims[at(d)]);
  for (std::int64_t d = 0; d < site.rank(0); ++d) {
    if (!contains(lhs_used, d)) result.dims.push_back(site.operand(0).dims[at(d)]);
  }
  for (std::int64_t d = 0; d < site.rank(1); ++d) {
    if (!contains(rhs_used, d)) result.dims.push_back(site.operand(1).dims[at(d)]);
  }
  return result;
}

std::int64_t dilated(std::int64_t extent, std::int64_t dilation) {
  return extent == 0 ? 0 : (extent - 1) * dilation + 1;
}

void check_convolution_dims(const Site& site, const ConvolutionAttr& dims) {
  const std::int64_t rank = site.rank(0), num_spatial = rank - 2;
  site.require(rank >= 2 && site.rank(1) == rank, "operands differ in rank or have less than two");
  for (const Dims* entries :
       {&dims.input_spatial, &dims.kernel_spatial, &dims.output_spatial, &dims.strides, &dims.low,
        &dims.high, &dims.lhs_dilation, &dims.rhs_dilation}) {
    site.require_length(*entries, num_spatial, "a spatial attribute");
  }
  site.require_dims(joined({dims.input_batch, dims.input_feature}, dims.input_spatial), rank,
                    "input dims");
  site.require_dims(joined({dims.kernel_input, dims.kernel_output}, dims.kernel_spatial), rank,
                    "kernel dims");
  site.require_dims(joined({dims.output_batch, dims.output_feature}, dims.output_spatial), rank,
                    "output dims");
  for (const Dims* entries : {&dims.strides, &dims.lhs_dilation, &dims.rhs_dilation}) {
    for (std::int64_t entry : *entries) {
      site.require(entry >= 1, "a stride or dilation is below one");
    }
  }
}

void check_convolution_groups(const Site& site, const ConvolutionAttr& dims) {
  const Dims &input = site.operand(0).dims, &kernel = site.operand(1).dims;
  site.require(dims.feature_groups >= 1 && dims.batch_groups >= 1 &&
                   (dims.feature_groups == 1 || dims.batch_groups == 1),
               "group counts are positive and at most one of them exceeds one");
  site.require(input[at(dims.input_feature)] == kernel[at(dims.kernel_input)] * dims.feature_groups,
               "input features are not the kernel's times the feature groups");
  site.require(kernel[at(dims.kernel_output)] % dims.feature_groups == 0,
               "output features do not divide by the feature groups");
  site.require(kernel[at(dims.kernel_output)] % dims.batch_groups == 0,
               "output features do not divide by the batch groups");
  site.require(input[at(dims.input_batch)] % dims.batch_groups == 0,
               "the batch does not divide by the batch groups");
}

Shape convolution(const Site& site) {
  site.require_operands(2);
  const auto& dims = site.attributes<ConvolutionAttr>();
  const Shape &input = site.operand(0), &kernel = site.operand(1);
  site.require(input.dtype == kernel.dtype, "operands differ in element type");
  site.require(input.dtype != DType::pred, "takes no pred");
  check_convolution_dims(site, dims);
  check_convolution_groups(site, dims);
  Shape result = input;
  result.dims[at(dims.output_batch)] = input.dims[at(dims.input_batch)] / dims.batch_groups;
  result.dims[at(dims.output_feature)] = kernel.dims[at(dims.kernel_output)];
  for (std::size_t i = 0; i < dims.strides.size(); ++i) {
    const std::int64_t padded =
        dilated(input.dims[at(dims.input_spatial[i])], dims.lhs_dilation[i]) + dims.low[i] +
        dims.high[i];
    const std::int64_t window =
        dilated(kernel.dims[at(dims.kernel_spatial[i])], dims.rhs_dilation[i]);
    result.dims[at(dims.output_spatial[i])] = window_extent(padded, window, dims.strides[i]);
  }
  return result;
}

Shape windows(const Site& site) {
  const auto& window = site.attributes<WindowAttr>();
  for (const Dims* entries : {&window.sizes, &window.strides, &window.low, &window.high}) {
    site.require_length(*entries, site.rank(0), "a window attribute");
  }
  Shape result = site.operand(0);
  for (std::size_t i = 0; i < result.dims.size(); ++i) {
    site.require(window.sizes[i] >= 1 && window.strides[i] >= 1,
                 "a window size or stride is below one");
    const std::int64_t padded = result.dims[i] + window.low[i] + window.high[i];
    result.dims[i] = window_extent(padded, window.sizes[i], window.strides[i]);
  }
  return result;
}

Shape reduce_window(const Site& site) {
  site.require_operands(1);
  require_reducible(site, site.attributes<WindowAttr>().reduction, site.operand(0).dtype);
  return windows(site);
}

Shape select_and_scatter(const Site& site) {
  site.require_operands(2);
  const Reduction choice = site.attributes<WindowAttr>().reduction;
  site.require(choice == Reduction::max || choice == Reduction::min, "selects by max or min only");
  site.require(site.operand(0).dtype != DType::pred, "takes no pred");
  const Shape expected = windows(site);
  if (site.operand(1) != expected) {
    site.fail("the second operand is not one value per window, " + to_string(expected));
  }
  return site.operand(0);
}

Shape sort(const Site& site) {
  site.require(site.operands.size() == 1 || site.operands.size() == 2,
               "takes keys and at most one tensor that follows them");
  site.require_dims({site.attributes<DimAttr>().dim}, site.rank(0), "attributes");
  site.require(site.operands.back().dims == site.operand(0).dims, "operands differ in shape");
  return site.operands.back();
}

}  // namespace

Shape contraction(const Site& site) {
  switch (site.op.kind) {
    case OpKind::reduce: return reduce(site);
    case OpKind::dot: return dot(site);
    case OpKind::convolution: return convolution(site);
    case OpKind::reduce_window: return reduce_window(site);
    case OpKind::select_and_scatter: return select_and_scatter(site);
    default: return sort(site);
  }
}

}  // namespace rhino::ir::infer
