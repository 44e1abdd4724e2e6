// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ir/derivative.hpp"

namespace rhino::ir {

/// Elements that `extent` of them span, `dilation` apart.
inline std::int64_t dilated(std::int64_t extent, std::int64_t dilation) {
  return extent == 0 ? 0 : (extent - 1) * dilation + 1;
}

/// The derivatives of a convolution are convolutions: of the input, the gradient, dilated by the
/// strides, with the kernel turned round; of the kernel, the input with the gradient as kernel,
/// which runs over the samples as features. Feature groups become batch groups there. Throws Error
/// for batch groups.
Terms convolution_terms(const Pullback& pullback);

}  // namespace rhino::ir
