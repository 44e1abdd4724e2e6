// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/device/cpu/kernel.hpp"

namespace rhino::runtime {

/// Slices of a table at s32 indices; nullptr for other index types.
std::unique_ptr<Kernel> make_gather_kernel(const lower::LoweredProgram& lowered, ValueId id,
                                           int num_threads);

/// Adds slices to a table at s32 indices, each element by one thread in the order of the indices;
/// nullptr for other index types, reductions and element types.
std::unique_ptr<Kernel> make_scatter_kernel(const lower::LoweredProgram& lowered, ValueId id,
                                            int num_threads);

}  // namespace rhino::runtime
