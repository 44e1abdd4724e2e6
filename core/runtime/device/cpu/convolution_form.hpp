// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lower/lower.hpp"

namespace rhino::runtime {

/// An operand or the result of a convolution in the order of dims that oneDNN has: samples,
/// features, space; of kernels groups, output and input features of a group, space. Strides and
/// offset count elements; strides are positive.
struct ConvolutionTensor {
  lower::View view;
  std::vector<std::int64_t> dims;
  bool is_packed = false;  ///< has to be copied to dense memory first: strides cannot be said
};

/// A convolution as one of those that oneDNN knows, `forward` being the one of `image` by `kernel`
/// to `result` in all three of them.
struct ConvolutionForm {
  enum class Kind : std::uint8_t {
    forward,  ///< makes the result
    image,    ///< makes the image of the result (backward data): input is dilated, or kernel turned
    kernel,   ///< makes the kernel of image and result (backward weights): the window is an image
  } kind = Kind::forward;
  ConvolutionTensor image, kernel, result;
  std::vector<std::int64_t> strides, dilations, low, high;  ///< dilations: 1 where there is none
};

/// nullopt where it is none of them.
std::optional<ConvolutionForm> convolution_form(const lower::LoweredProgram& lowered, ValueId id);

}  // namespace rhino::runtime
