// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "runtime/box_copy.hpp"
#include "runtime/cuda/compiler.hpp"

namespace rhino::runtime::cuda {

/// Copies boxes within the memory of the GPU: bytes in a row by the driver, others by a kernel, in
/// accesses as wide as extents, strides and addresses allow.
class BoxMover {
 public:
  /// Most dims of a box, adjacent ones merged.
  static constexpr std::size_t kMostDims = 8;

  /// `driver` lives longer. Compiles its kernels.
  BoxMover(const Driver& driver, const Compiler& compiler);
  /// Throws Error where the box has more dims than kMostDims.
  void enqueue(CuStream stream, const BoxCopy& box, const std::byte* from, std::byte* to) const;

 private:
  const Driver& driver_;
  std::unique_ptr<KernelLibrary> library_;
  std::vector<CuFunction> kernels_;  ///< per log2 of the width
};

}  // namespace rhino::runtime::cuda
