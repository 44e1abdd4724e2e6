// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "lower/matmul.hpp"
#include "runtime/device/cpu/kernel.hpp"

namespace rhino::runtime {

/// A dot of f32 or 16 bits whose products, as `matmul` has them, oneDNN takes longer to begin than
/// to compute: elements are gathered as f32 from wherever they lie, through tables of offsets.
/// nullptr for any other.
std::unique_ptr<Kernel> make_small_dot_kernel(const lower::LoweredProgram& lowered,
                                              const lower::KernelGroup& group,
                                              const lower::Matmul& matmul, int num_threads);

}  // namespace rhino::runtime
