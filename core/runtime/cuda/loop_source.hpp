// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/cuda/kernel_text.hpp"

namespace rhino::runtime::cuda {

/// Kernels of this kind have a block per row.
inline constexpr const char* kRowsKind = "rows";

struct LoopKernels {
  std::vector<KernelText> kernels;
  std::vector<std::int64_t> scratch_bytes;  ///< of memories `scratch`, `scratch` + 1, ...
};

/// Kernels of one nest, in order. A block takes a row where one is folded, else a thread an
/// element; a reduction that keeps other elements than rows is a kernel of its own, before any
/// memory is overwritten, and reads what rows fold to from scratch: the `i`th such fold in memory
/// of ValueId `scratch + i`, 8 bytes per row. What blocks make of
/// other_sums() and column_sums() is behind that.
LoopKernels loop_kernels(const lower::LoweredProgram& lowered, const lower::KernelGroup& group,
                         const lower::LoopNest& nest, ValueId scratch);

}  // namespace rhino::runtime::cuda
