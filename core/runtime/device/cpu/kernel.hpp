// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "lower/lower.hpp"

namespace rhino::runtime {

/// Where the bases of a program (see View) lie during one run: an address per ValueId, nullptr for
/// values without memory.
using Memory = std::byte* const*;

/// One kernel group, ready to run. Allocates nothing when it runs, unless its maker says so.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual void run(Memory memory) = 0;
};

/// A dot: small ones in vector registers (small_dot.hpp), f32 by oneDNN's sgemm, f64 and integers
/// by plain loops; 16 bits by NativeProduct, or as f32 in panels, whose memory belongs to the
/// thread (3 MiB, on the first run). With a fused add the result is added to what the add's other
/// operand holds.
std::unique_ptr<Kernel> make_dot_kernel(const lower::LoweredProgram& lowered,
                                        const lower::KernelGroup& group, int num_threads);

/// Loop nests, each as a list of operations on blocks that stay in cache; nullptr where an element
/// type has no block operations.
std::unique_ptr<Kernel> make_loop_kernel(const lower::LoweredProgram& lowered,
                                         const lower::KernelGroup& group, int num_threads);

/// Gather, scatter, concatenate, pad and dynamic slices of any type by copying rows; nullptr for
/// forms without such rows.
std::unique_ptr<Kernel> make_copy_kernel(const lower::LoweredProgram& lowered,
                                         const lower::KernelGroup& group, int num_threads);

/// A convolution of f32, bf16 or, as f32, f16 by oneDNN, whose memory for kernels as it likes them,
/// and for tensors that it cannot read as they lie, belongs to the kernel; nullptr for anything
/// else, and for forms that oneDNN does not have.
std::unique_ptr<Kernel> make_convolution_kernel(const lower::LoweredProgram& lowered,
                                                const lower::KernelGroup& group, int num_threads);

/// A convolution of any form and type by plain loops.
std::unique_ptr<Kernel> make_direct_convolution_kernel(const lower::LoweredProgram& lowered,
                                                       const lower::KernelGroup& group,
                                                       int num_threads);

/// Reductions over windows, and what selects an element of each (make_selection_kernel), of all
/// types but those of 16 bits, which lowering widens. Memory between the dims belongs to the
/// kernel.
std::unique_ptr<Kernel> make_window_kernel(const lower::LoweredProgram& lowered,
                                           const lower::KernelGroup& group, int num_threads);
std::unique_ptr<Kernel> make_selection_kernel(const lower::LoweredProgram& lowered, ValueId id,
                                              int num_threads);

/// Sorts of any types; rows are sorted in memory of the kernel.
std::unique_ptr<Kernel> make_sort_kernel(const lower::LoweredProgram& lowered,
                                         const lower::KernelGroup& group, int num_threads);

/// Any group, through the reference evaluator: slow, allocates.
std::unique_ptr<Kernel> make_reference_kernel(const lower::LoweredProgram& lowered,
                                              const lower::KernelGroup& group);

}  // namespace rhino::runtime
