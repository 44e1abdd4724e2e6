// SPDX-License-Identifier: Apache-2.0
#include "sharding/windows.hpp"

#include "rhino/index.hpp"

namespace rhino::sharding {

ConvolutionWindows convolution_windows(const ConvolutionAttr& dims, const Shape& input,
                                       const Shape& kernel, const Shape& result, std::size_t i) {
  const std::int64_t outputs = result.dims[at(dims.output_spatial[i])],
                     taps = kernel.dims[at(dims.kernel_spatial[i])];
  Windows windows{.input = input.dims[at(dims.input_spatial[i])],
                  .positions = outputs,
                  .step = dims.strides[i],
                  .low = dims.low[i],
                  .span = (taps - 1) * dims.rhs_dilation[i],
                  .dilation = dims.lhs_dilation[i]};
  if (taps <= outputs) return {windows, false};
  // Output o reads at k * rhs_dilation + o * stride - low for all k: the two change places.
  windows.positions = taps;
  windows.step = dims.rhs_dilation[i];
  windows.span = (outputs - 1) * dims.strides[i];
  return {windows, true};
}

Windows reduction_windows(const WindowAttr& window, const Shape& input, const Shape& result,
                          std::size_t d) {
  return {.input = input.dims[d],
          .positions = result.dims[d],
          .step = window.strides[d],
          .low = window.low[d],
          .span = window.sizes[d] - 1,
          .dilation = 1};
}

SelectionHalos selection_halos(const WindowAttr& window, std::size_t d) {
  const std::int64_t size = window.sizes[d], stride = window.strides[d], low = window.low[d];
  SelectionHalos halos;
  halos.source_before = std::max<std::int64_t>(0, (size - 1 - low) / stride);
  halos.source_behind = (low + stride - 1) / stride;
  halos.before = halos.source_before * stride + low;
  halos.behind = std::max<std::int64_t>(0, size - stride + halos.source_behind * stride - low);
  return halos;
}

}  // namespace rhino::sharding
