// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/cuda/kernel_text.hpp"

namespace rhino::runtime::cuda {

/// What a group does before its kernels: all memory of one value becomes that of another, unless
/// they are the same.
struct MemoryCopy {
  ValueId from = kNoValue, to = kNoValue;
  std::int64_t num_bytes = 0;
};
struct GroupSource {
  std::vector<MemoryCopy> copies;
  std::vector<KernelText> kernels;
};

/// A dot by tiles in shared memory, sums in f32 where elements have 16 bits.
GroupSource dot_source(const lower::LoweredProgram& lowered, const lower::KernelGroup& group);

/// Gather, scatter, concatenate, pad and dynamic slices, a thread per element. A scatter adds up in
/// the order of the updates, so that it repeats. Throws Error naming any other op.
GroupSource op_source(const lower::LoweredProgram& lowered, const lower::KernelGroup& group);

}  // namespace rhino::runtime::cuda
