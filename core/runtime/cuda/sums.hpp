// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lower/loop_space.hpp"
#include "runtime/cuda/kernel_text.hpp"
#include "runtime/cuda/loop_values.hpp"

namespace rhino::runtime::cuda {

/// A GPU is full of so many blocks.
inline constexpr std::int64_t kBlocksOfSums = 1024;
inline constexpr std::int64_t kBytesOfSum = 8;  ///< in scratch
inline constexpr std::int64_t kMaxPackedRegistersOfSums = 32;

/// Kernels of reductions that are no folds of rows.
struct SumsSource {
  std::vector<KernelText> kernels;
  std::vector<std::int64_t> scratch_bytes;  ///< of memories `scratch`, `scratch` + 1, ...
};
struct SumsInputs {
  const lower::LoweredProgram& lowered;
  const lower::LoopNest& nest;
  std::int64_t widest = 1;   ///< elements that a thread takes at once, at most: a power of two
  std::int64_t largest = 0;  ///< index into any memory of the nest
  ValueId scratch = kNoValue;
  std::function<void(KernelWriter&, LoopValues&)> name_rows = {};  ///< what is known of rows
  /// Text that stores what else is made of an element; the sums meet each once. Empty: nothing is.
  std::function<std::string(LoopValues&)> store = {};
};

inline std::string decimal(std::int64_t value) { return std::to_string(value); }
inline std::int64_t parts(std::int64_t whole, std::int64_t part) {
  return (whole + part - 1) / part;
}

/// Loads for elements `first`, ..., and `each` for every one of them, `i`, behind its row's `rows`.
std::string for_width(const SumsInputs& inputs, LoopValues& values, std::int64_t width,
                      const std::string& rows, const std::string& each);

}  // namespace rhino::runtime::cuda
