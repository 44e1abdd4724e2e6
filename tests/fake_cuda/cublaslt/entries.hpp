// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "../driver/types.hpp"

namespace fake {

struct LtHandle;
struct LtDesc;
struct LtLayout;
struct LtPreference;

struct LtAlgorithm {
  std::uint64_t data[8];
};
struct LtHeuristicResult {
  LtAlgorithm algorithm;
  std::size_t workspace_bytes;
  int state;
  float waves;
  int reserved[4];
};

enum : int {
  kLtSuccess = 0,
  kLtNotInitialized = 1,
  kLtInvalidValue = 7,
  kLtExecutionFailed = 13,
  kLtNotSupported = 15,
};
enum class LtType : int { kF32 = 0, kF64 = 1, kF16 = 2, kBf16 = 14 };
enum class LtCompute : int { kF32 = 68, kF32Pedantic = 69, kF64 = 70, kTf32 = 77 };
enum : int { kLtColumns = 0, kLtRows = 1 };
enum : int {
  kLtDescPointerMode = 2,
  kLtDescTransposeA = 3,
  kLtDescTransposeB = 4,
  kLtDescEpilogue = 7,
  kLtDescBias = 8
};
enum : int {
  kLtLayoutType,
  kLtLayoutOrder,
  kLtLayoutNumRows,
  kLtLayoutNumColumns,
  kLtLayoutLeading,
  kLtLayoutBatch,
  kLtLayoutStride
};
enum : int { kLtPreferenceWorkspace = 1, kLtPreferenceAlignmentA = 5, kLtPreferenceAlignmentD = 8 };
enum : int {
  kLtEpilogueDefault = 1,
  kLtEpilogueRelu = 2,
  kLtEpilogueBias = 4,
  kLtEpilogueGelu = 32
};

}  // namespace fake

/// Every entry point of the fake cuBLASLt, with its type.
#define RHINO_FAKE_CUBLASLT(X)                                                                    \
  X(cublasLtGetVersion, std::size_t())                                                            \
  X(cublasLtGetStatusString, const char*(int))                                                    \
  X(cublasLtCreate, int(LtHandle**))                                                              \
  X(cublasLtDestroy, int(LtHandle*))                                                              \
  X(cublasLtMatmulDescCreate, int(LtDesc**, LtCompute, LtType))                                   \
  X(cublasLtMatmulDescDestroy, int(LtDesc*))                                                      \
  X(cublasLtMatmulDescSetAttribute, int(LtDesc*, int, const void*, std::size_t))                  \
  X(cublasLtMatrixLayoutCreate,                                                                   \
    int(LtLayout**, LtType, std::uint64_t, std::uint64_t, std::int64_t))                          \
  X(cublasLtMatrixLayoutDestroy, int(LtLayout*))                                                  \
  X(cublasLtMatrixLayoutSetAttribute, int(LtLayout*, int, const void*, std::size_t))              \
  X(cublasLtMatmulPreferenceCreate, int(LtPreference**))                                          \
  X(cublasLtMatmulPreferenceDestroy, int(LtPreference*))                                          \
  X(cublasLtMatmulPreferenceSetAttribute, int(LtPreference*, int, const void*, std::size_t))      \
  X(cublasLtMatmulAlgoGetHeuristic, int(LtHandle*, LtDesc*, LtLayout*, LtLayout*, LtLayout*,      \
                                        LtLayout*, LtPreference*, int, LtHeuristicResult*, int*)) \
  X(cublasLtMatmul, int(LtHandle*, LtDesc*, const void*, const void*, LtLayout*, const void*,     \
                        LtLayout*, const void*, const void*, LtLayout*, void*, LtLayout*,         \
                        const LtAlgorithm*, void*, std::size_t, Stream*))

namespace fake::declared {
#define RHINO_FAKE_TYPE(name, ...) using name = __VA_ARGS__;
RHINO_FAKE_CUBLASLT(RHINO_FAKE_TYPE)
#undef RHINO_FAKE_TYPE
}  // namespace fake::declared
