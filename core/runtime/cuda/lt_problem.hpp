// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lower/lower.hpp"

namespace rhino::runtime::cuda {

/// A matrix as cuBLASLt takes it: columns lie one behind the other, `leading` elements apart.
struct LtMatrix {
  ValueId base = kNoValue;
  std::int64_t offset = 0;  ///< elements, of the first matrix
  std::int64_t rows = 1, columns = 1, leading = 1;
  bool is_transposed = false;
  std::int64_t batch_stride = 0;
  bool operator==(const LtMatrix&) const = default;
};

/// A dot as D = A B, or D = A B + D, `batch` of them for each launch.
struct LtProblem {
  DType factors = DType::f32, result = DType::f32;  ///< f32 may be the result of 16-bit factors
  LtMatrix a, b, d;
  std::int64_t batch = 1;
  bool adds = false;
  /// Elements beyond the first matrix of each launch.
  struct Launch {
    std::int64_t a = 0, b = 0, d = 0;
    bool operator==(const Launch&) const = default;
  };
  std::vector<Launch> launches;
  DType dtype_of(const LtMatrix& matrix) const { return &matrix == &d ? result : factors; }
  /// Of every matrix of A, B or D, bytes, where bases are aligned to kBaseAlignment.
  std::uint32_t alignment(const LtMatrix& matrix) const;
};

/// What memory of values is aligned to, bytes: arenas see to it.
inline constexpr std::int64_t kBaseAlignment = 64;

/// nullopt where the dot of `group` is none for cuBLASLt: of integers, over nothing, of mixed
/// types, or more launches than its batch is worth.
std::optional<LtProblem> lt_problem(const lower::LoweredProgram& lowered,
                                    const lower::KernelGroup& group);

}  // namespace rhino::runtime::cuda
