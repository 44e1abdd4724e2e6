// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>

#include "runtime/cuda/driver_api.hpp"

namespace rhino::runtime::cuda {

using LtResult = int;  ///< 0: it went well
using LtHandle = struct LtHandleTag*;
using LtMatmulDesc = struct LtMatmulDescTag*;
using LtMatrixLayout = struct LtMatrixLayoutTag*;
using LtPreference = struct LtPreferenceTag*;

enum LtDataType : int { kLtF32 = 0, kLtF64 = 1, kLtF16 = 2, kLtBf16 = 14 };
enum LtComputeType : int { kLtComputeF32 = 68, kLtComputeF32AsTf32 = 77, kLtComputeF64 = 70 };
enum LtMatmulAttribute : int { kLtTransposeA = 3, kLtTransposeB = 4 };
enum LtLayoutAttribute : int { kLtBatchCount = 5, kLtBatchStride = 6 };
enum LtPreferenceAttribute : int {
  kLtMaxWorkspaceBytes = 1,
  kLtAlignmentA = 5,  ///< bytes; 256 where it is not set
  kLtAlignmentB = 6,
  kLtAlignmentC = 7,
  kLtAlignmentD = 8,
};
inline constexpr std::int32_t kLtNotTransposed = 0, kLtTransposed = 1;

struct LtAlgorithm {
  std::uint64_t data[8];
};
struct LtHeuristicResult {
  LtAlgorithm algorithm;
  std::size_t workspace_bytes;
  LtResult state;
  float waves;
  int reserved[4];
};

/// What is called of cuBLASLt, whose matrices are column-major.
struct CublasLtApi {
  std::string path;  ///< of the library
  std::size_t (*cublasLtGetVersion)() = nullptr;
  LtResult (*cublasLtCreate)(LtHandle* handle) = nullptr;
  LtResult (*cublasLtDestroy)(LtHandle handle) = nullptr;
  LtResult (*cublasLtMatmulDescCreate)(LtMatmulDesc* desc, LtComputeType compute,
                                       LtDataType scale) = nullptr;
  LtResult (*cublasLtMatmulDescDestroy)(LtMatmulDesc desc) = nullptr;
  LtResult (*cublasLtMatmulDescSetAttribute)(LtMatmulDesc desc, LtMatmulAttribute attribute,
                                             const void* value, std::size_t size) = nullptr;
  LtResult (*cublasLtMatrixLayoutCreate)(LtMatrixLayout* layout, LtDataType type,
                                         std::uint64_t rows, std::uint64_t columns,
                                         std::int64_t leading) = nullptr;
  LtResult (*cublasLtMatrixLayoutDestroy)(LtMatrixLayout layout) = nullptr;
  LtResult (*cublasLtMatrixLayoutSetAttribute)(LtMatrixLayout layout, LtLayoutAttribute attribute,
                                               const void* value, std::size_t size) = nullptr;
  LtResult (*cublasLtMatmulPreferenceCreate)(LtPreference* preference) = nullptr;
  LtResult (*cublasLtMatmulPreferenceDestroy)(LtPreference preference) = nullptr;
  LtResult (*cublasLtMatmulPreferenceSetAttribute)(LtPreference preference,
                                                   LtPreferenceAttribute attribute,
                                                   const void* value, std::size_t size) = nullptr;
  LtResult (*cublasLtMatmulAlgoGetHeuristic)(LtHandle handle, LtMatmulDesc desc, LtMatrixLayout a,
                                             LtMatrixLayout b, LtMatrixLayout c, LtMatrixLayout d,
                                             LtPreference preference, int num_wanted,
                                             LtHeuristicResult* results, int* num_found) = nullptr;
  LtResult (*cublasLtMatmul)(LtHandle handle, LtMatmulDesc desc, const void* alpha, const void* a,
                             LtMatrixLayout layout_a, const void* b, LtMatrixLayout layout_b,
                             const void* beta, const void* c, LtMatrixLayout layout_c, void* d,
                             LtMatrixLayout layout_d, const LtAlgorithm* algorithm, void* workspace,
                             std::size_t workspace_bytes, CuStream stream) = nullptr;
};

constexpr auto entries(const CublasLtApi*) {
  using A = CublasLtApi;
  return std::tuple(
      Entry{"cublasLtGetVersion", &A::cublasLtGetVersion},
      Entry{"cublasLtCreate", &A::cublasLtCreate}, Entry{"cublasLtDestroy", &A::cublasLtDestroy},
      Entry{"cublasLtMatmulDescCreate", &A::cublasLtMatmulDescCreate},
      Entry{"cublasLtMatmulDescDestroy", &A::cublasLtMatmulDescDestroy},
      Entry{"cublasLtMatmulDescSetAttribute", &A::cublasLtMatmulDescSetAttribute},
      Entry{"cublasLtMatrixLayoutCreate", &A::cublasLtMatrixLayoutCreate},
      Entry{"cublasLtMatrixLayoutDestroy", &A::cublasLtMatrixLayoutDestroy},
      Entry{"cublasLtMatrixLayoutSetAttribute", &A::cublasLtMatrixLayoutSetAttribute},
      Entry{"cublasLtMatmulPreferenceCreate", &A::cublasLtMatmulPreferenceCreate},
      Entry{"cublasLtMatmulPreferenceDestroy", &A::cublasLtMatmulPreferenceDestroy},
      Entry{"cublasLtMatmulPreferenceSetAttribute", &A::cublasLtMatmulPreferenceSetAttribute},
      Entry{"cublasLtMatmulAlgoGetHeuristic", &A::cublasLtMatmulAlgoGetHeuristic},
      Entry{"cublasLtMatmul", &A::cublasLtMatmul});
}

}  // namespace rhino::runtime::cuda
