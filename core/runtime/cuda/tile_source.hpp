// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "runtime/cuda/kernel_text.hpp"

namespace rhino::runtime::cuda {

/// Products of matrices, one per `batch`, as text. Expressions may use the variables that are
/// named, of type Index.
struct TiledProduct {
  DType dtype = DType::f32;
  std::int64_t batches = 1, m = 0, n = 0, k = 0;
  std::string setup = {};   ///< statements; `batch`
  std::string load_a = {};  ///< statements that return an element; `batch`, `m`, `k`
  std::string load_b = {};  ///< likewise of `k`, `n`
  std::string store = {};   ///< statements; `batch`, `m`, `n` and the `sum`, not rounded yet
  bool a_by_k = false;  ///< elements of a row of the left matrix lie side by side, not of a column
  bool b_by_n = false;
};

/// A kernel of one block per tile: every thread holds a square of sums in registers, each added up
/// in the order of k. `largest`: see KernelWriter::finish().
KernelText tile_kernel(const KernelWriter& writer, const TiledProduct& product,
                       std::int64_t largest);

}  // namespace rhino::runtime::cuda
