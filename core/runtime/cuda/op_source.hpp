// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "runtime/cuda/dnn_problem.hpp"
#include "runtime/cuda/kernel_text.hpp"
#include "runtime/cuda/lt_problem.hpp"

namespace rhino::runtime::cuda {

/// What a group does before its kernels: all memory of one value becomes that of another, unless
/// they are the same.
struct MemoryCopy {
  ValueId from = kNoValue, to = kNoValue;
  std::int64_t num_bytes = 0;
};
inline constexpr const char* kDotKind = "dot";
inline constexpr const char* kConvolutionKind = "convolution";
/// Kernels of this kind need kAttentionTiles and kAttentionPrelude.
inline constexpr const char* kAttentionKind = "attention";
inline constexpr int kAttentionThreads = 128;  ///< of a block

struct GroupSource {
  std::vector<MemoryCopy> copies;
  std::vector<KernelText> kernels;
  std::vector<std::int64_t> scratch_bytes = {};  ///< of scratch_base(0), (1), ...
  std::optional<LtProblem> product = {};         ///< what cuBLASLt may run in the kernels' place
  std::optional<DnnSource> convolution = {};     ///< likewise cuDNN
  std::vector<KernelText> kernels_behind = {};   ///< what a library computes in their place
};

/// A dot by tiles in shared memory, sums in f32 where elements have 16 bits.
GroupSource dot_source(const lower::LoweredProgram& lowered, const lower::KernelGroup& group);

/// Any op on its own: gather, scatter, concatenate, pad, dynamic slices and rng a thread per
/// element. A scatter adds up in the order of the updates, so that it repeats. Throws Error naming
/// an op that has no kernel.
GroupSource op_source(const lower::LoweredProgram& lowered, const lower::KernelGroup& group);

/// An attention without scores in memory: a softmax and the sums behind it in one pass, with sums
/// that are scaled where the maximum grows; else sums of rows first, in scratch_base(0), then each
/// result, in an order that repeats. Products of 16 bits by tensor cores.
GroupSource attention_source(const lower::LoweredProgram& lowered, const lower::KernelGroup& group);

/// A convolution as a product of matrices that are read where they lie, see dot_source().
GroupSource convolution_source(const lower::LoweredProgram& lowered, ValueId id);
/// reduce_window and select_and_scatter, in the order of windows and of their elements.
GroupSource window_source(const lower::LoweredProgram& lowered, ValueId id);
/// Merges runs until a line is one: stable, NaN last.
GroupSource sort_source(const lower::LoweredProgram& lowered, ValueId id);

/// The `index`-th scratch memory of a kernel, as a parameter.
inline ValueId scratch_base(const lower::LoweredProgram& lowered, std::int64_t index) {
  return static_cast<ValueId>(static_cast<std::int64_t>(lowered.program.ops.size()) + index);
}

}  // namespace rhino::runtime::cuda
