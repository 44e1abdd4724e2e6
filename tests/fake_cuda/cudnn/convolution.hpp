// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "entries.hpp"

namespace fake {

/// Samples, features, space.
struct DnnTensor {
  DnnType type = DnnType::kF32;
  std::vector<int> dims, strides;
};
/// Output features, input features of a group, space.
struct DnnFilter {
  DnnType type = DnnType::kF32;
  DnnFormat format = DnnFormat::kFeaturesFirst;
  std::vector<int> dims;
};
struct DnnWindows {
  std::vector<int> padding, strides, dilations;
  DnnMode mode = DnnMode::kCrossCorrelation;
  DnnType compute = DnnType::kF32;
  DnnMath math = DnnMath::kDefault;
  int groups = 1;
  bool was_run = false;
};

enum class DnnDirection : int { kForward, kData, kFilter };
/// How sums are added up: what tells algorithms apart.
enum class DnnSummation : int { kForward, kBackward, kHalves };

/// `y` is the convolution of `x` by `w`; the direction says which of them is made.
struct DnnProblem {
  DnnDirection direction = DnnDirection::kForward;
  DnnTensor x, y;
  DnnFilter w;
  DnnWindows windows;
  void *at_x = nullptr, *at_w = nullptr, *at_y = nullptr;
  float alpha = 1, beta = 0;
  DnnSummation summation = DnnSummation::kForward;
};

std::size_t bytes_of(DnnType type);
std::size_t span_bytes(const DnnTensor& tensor);
std::size_t span_bytes(const DnnFilter& filter);
/// A code of cuDNN for what does not fit together, or is not faked.
int check_problem(const DnnProblem& problem);
void convolve(const DnnProblem& problem);

}  // namespace fake
