// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rhino::runtime::cuda {

/// What every unit of generated kernels begins with: types, elementwise ops, reductions. No include
/// and no inline PTX, so that any compiler of CUDA C++ takes it.
extern const char* const kPrelude;

}  // namespace rhino::runtime::cuda
