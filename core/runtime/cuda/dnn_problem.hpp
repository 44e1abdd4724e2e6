// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lower/convolution_form.hpp"
#include "lower/lower.hpp"
#include "runtime/cuda/kernel_text.hpp"

namespace rhino::runtime::cuda {

/// A tensor as cuDNN takes it: samples, features, space; of a kernel, output features, input
/// features of a group, space. Dense, features last in memory or behind the samples.
struct DnnTensor {
  ValueId base = kNoValue;
  std::int64_t offset = 0;  ///< elements
  std::vector<std::int64_t> dims;
  bool operator==(const DnnTensor&) const = default;
};

/// `result` is the convolution of `image` by `kernel`; `kind` says which of the three is made.
struct DnnProblem {
  lower::ConvolutionForm::Kind kind = lower::ConvolutionForm::Kind::forward;
  DType dtype = DType::f32;
  bool features_last = true;
  DnnTensor image, kernel, result;
  std::int64_t groups = 1;
  std::vector<std::int64_t> padding, strides, dilations;  ///< at least two dims of space
  bool operator==(const DnnProblem&) const = default;
};

/// What cuDNN may run in the place of a convolution's kernels, between kernels that copy what lies
/// otherwise, or is padded on one side more than on the other.
struct DnnSource {
  DnnProblem problem;
  std::vector<KernelText> before, after;
  std::vector<std::int64_t> scratch_bytes;  ///< of scratch_base(0), (1), ...
};

/// What a copy into or out of the layout of cuDNN is counted as.
inline constexpr const char* kDnnLayoutKind = "convolution layout";

/// nullopt where it is none for cuDNN: of integers or f64, in two ways dilated, over more than
/// three dims of space, or beyond 2^31 elements.
std::optional<DnnSource> dnn_source(const lower::LoweredProgram& lowered, ValueId id);

}  // namespace rhino::runtime::cuda
