// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numeric>

#include "rhino/program.hpp"

namespace rhino::ir {

/// A convolution of images [batch, spatial dims, features] by kernels [spatial dims, in, out]: one
/// group, strides and dilations of 1, no padding.
inline ConvolutionAttr channels_last(std::int64_t num_spatial) {
  const auto count = static_cast<std::size_t>(num_spatial);
  const std::vector<std::int64_t> ones(count, 1), zeros(count, 0);
  std::vector<std::int64_t> image(count), kernel(count);
  std::iota(image.begin(), image.end(), 1);
  std::iota(kernel.begin(), kernel.end(), 0);
  return {.input_batch = 0,
          .input_feature = num_spatial + 1,
          .kernel_input = num_spatial,
          .kernel_output = num_spatial + 1,
          .output_batch = 0,
          .output_feature = num_spatial + 1,
          .input_spatial = image,
          .kernel_spatial = kernel,
          .output_spatial = image,
          .strides = ones,
          .low = zeros,
          .high = zeros,
          .lhs_dilation = ones,
          .rhs_dilation = ones};
}

}  // namespace rhino::ir
