// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "../driver/types.hpp"

namespace fake {

struct Communicator;

struct NcclId {
  char internal[128];
};

/// The beginning of ncclConfig_t, which says its own size: what a caller of the oldest release
/// hands over.
struct NcclConfig {
  std::size_t size;
  unsigned magic;
  unsigned version;
  int blocking;
};

enum : int {
  kNcclSuccess = 0,
  kNcclUnhandledCudaError = 1,
  kNcclSystemError = 2,
  kNcclInternalError = 3,
  kNcclInvalidArgument = 4,
  kNcclInvalidUsage = 5,
  kNcclRemoteError = 6,
  kNcclInProgress = 7,
};
enum class NcclType : int {
  kInt8,
  kUint8,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kF16,
  kF32,
  kF64,
  kBf16
};
enum class NcclReduction : int { kSum, kProduct, kMax, kMin, kAverage };

}  // namespace fake

/// Every entry point of the fake NCCL, with its type.
#define RHINO_FAKE_NCCL(X)                                                                      \
  X(ncclGetVersion, int(int*))                                                                  \
  X(ncclGetErrorString, const char*(int))                                                       \
  X(ncclGetLastError, const char*(Communicator*))                                               \
  X(ncclGetUniqueId, int(NcclId*))                                                              \
  X(ncclCommInitRank, int(Communicator**, int, NcclId, int))                                    \
  X(ncclCommInitRankConfig, int(Communicator**, int, NcclId, int, NcclConfig*))                 \
  X(ncclCommFinalize, int(Communicator*))                                                       \
  X(ncclCommDestroy, int(Communicator*))                                                        \
  X(ncclCommAbort, int(Communicator*))                                                          \
  X(ncclCommGetAsyncError, int(Communicator*, int*))                                            \
  X(ncclCommCount, int(Communicator*, int*))                                                    \
  X(ncclCommUserRank, int(Communicator*, int*))                                                 \
  X(ncclCommCuDevice, int(Communicator*, int*))                                                 \
  X(ncclGroupStart, int())                                                                      \
  X(ncclGroupEnd, int())                                                                        \
  X(ncclSend, int(const void*, std::size_t, NcclType, int, Communicator*, Stream*))             \
  X(ncclRecv, int(void*, std::size_t, NcclType, int, Communicator*, Stream*))                   \
  X(ncclAllReduce,                                                                              \
    int(const void*, void*, std::size_t, NcclType, NcclReduction, Communicator*, Stream*))      \
  X(ncclReduce,                                                                                 \
    int(const void*, void*, std::size_t, NcclType, NcclReduction, int, Communicator*, Stream*)) \
  X(ncclReduceScatter,                                                                          \
    int(const void*, void*, std::size_t, NcclType, NcclReduction, Communicator*, Stream*))      \
  X(ncclAllGather, int(const void*, void*, std::size_t, NcclType, Communicator*, Stream*))      \
  X(ncclBroadcast, int(const void*, void*, std::size_t, NcclType, int, Communicator*, Stream*))

namespace fake::declared {
#define RHINO_FAKE_TYPE(name, ...) using name = __VA_ARGS__;
RHINO_FAKE_NCCL(RHINO_FAKE_TYPE)
#undef RHINO_FAKE_TYPE
}  // namespace fake::declared
