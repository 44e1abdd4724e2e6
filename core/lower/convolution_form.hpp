// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lower/lower.hpp"

namespace rhino::lower {

/// An operand or the result of a convolution in the order of dims that libraries have: samples,
/// features, space; of kernels groups, output and input features of a group, space. Strides and
/// offset count elements.
struct ConvolutionTensor {
  View view;
  std::vector<std::int64_t> dims;
  bool is_packed = false;  ///< has to be copied to dense memory first: some stride is not positive
};

/// A convolution as one of those that oneDNN and cuDNN know, `forward` being the one of `image` by
/// `kernel` to `result` in all three of them.
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
std::optional<ConvolutionForm> convolution_form(const LoweredProgram& lowered, ValueId id);

}  // namespace rhino::lower
