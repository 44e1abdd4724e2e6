// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/cuda/sums.hpp"

namespace rhino::runtime::cuda {

/// Kernels of these kinds have a thread, or blocks, per result.
inline constexpr const char* kSumsByThreadsKind = "sums by threads";
inline constexpr const char* kSumsByBlocksKind = "sums by blocks";

/// A reduction that keeps what it likes. Where results are few and each is of many elements,
/// blocks take parts of them, 16 bytes at a time where these lie side by side, and a second kernel
/// folds what the blocks made. In an order that repeats.
SumsSource other_sums(const SumsInputs& inputs, const lower::LoopNest::Member& reduce);

}  // namespace rhino::runtime::cuda
