// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/device/cpu/kernel.hpp"

namespace rhino::runtime {

/// Slices of a table at indices of s32, u32 or s64; nullptr for other types.
std::unique_ptr<Kernel> make_gather_kernel(const lower::LoweredProgram& lowered, ValueId id,
                                           int num_threads);

/// Reduces slices into a table at indices of the same types, each element by one thread in the
/// order of the indices; nullptr for other types of indices, and elements of 16 bits.
std::unique_ptr<Kernel> make_scatter_kernel(const lower::LoweredProgram& lowered, ValueId id,
                                            int num_threads);

}  // namespace rhino::runtime
