// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/matmul.hpp"

namespace rhino::runtime {

/// Whether a product of f32 takes oneDNN's gemm longer to begin with than to compute.
bool is_small_product(const lower::Matmul& matmul);
/// One such product, in the caller's thread. Operands as in Matmul; `adds`: to what C holds.
void multiply_small(const lower::Matmul& matmul, const float* a, const float* b, float* c,
                    bool adds);

}  // namespace rhino::runtime
