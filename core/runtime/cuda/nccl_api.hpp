// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <tuple>

#include "runtime/cuda/driver_api.hpp"

namespace rhino::runtime::cuda {

using NcclResult = int;  ///< 0: it went well
using NcclComm = struct NcclCommTag*;

inline constexpr NcclResult kNcclInProgress = 7;
enum NcclDataType : int {
  kNcclInt8 = 0,
  kNcclUint8 = 1,
  kNcclInt32 = 2,
  kNcclUint32 = 3,
  kNcclInt64 = 4,
  kNcclUint64 = 5,
  kNcclF16 = 6,
  kNcclF32 = 7,
  kNcclF64 = 8,
  kNcclBf16 = 9,
};
enum NcclReduction : int { kNcclSum = 0, kNcclProduct = 1, kNcclMax = 2, kNcclMin = 3 };

struct NcclUniqueId {
  char internal[128];
};

/// ncclConfig_t as the oldest release with ncclCommInitRankConfig, 2.14, has it: a library looks at
/// `size` and takes what is missing for its defaults. What follows `blocking` up to `size`, and is
/// a member of later releases, they reset by `version`.
struct NcclConfig {
  std::size_t size = sizeof(NcclConfig);
  unsigned magic = 0xcafebeef;
  unsigned version = 21403;
  int blocking = 0;
};

/// What is called of NCCL.
struct NcclApi {
  std::string path;  ///< of the library
  NcclResult (*ncclGetVersion)(int* version) = nullptr;
  const char* (*ncclGetErrorString)(NcclResult result) = nullptr;
  const char* (*ncclGetLastError)(NcclComm comm) = nullptr;
  NcclResult (*ncclGetUniqueId)(NcclUniqueId* id) = nullptr;
  NcclResult (*ncclCommInitRankConfig)(NcclComm* comm, int num_ranks, NcclUniqueId id, int rank,
                                       NcclConfig* config) = nullptr;
  NcclResult (*ncclCommGetAsyncError)(NcclComm comm, NcclResult* result) = nullptr;
  NcclResult (*ncclCommFinalize)(NcclComm comm) = nullptr;
  NcclResult (*ncclCommDestroy)(NcclComm comm) = nullptr;
  NcclResult (*ncclCommAbort)(NcclComm comm) = nullptr;
  NcclResult (*ncclGroupStart)() = nullptr;
  NcclResult (*ncclGroupEnd)() = nullptr;
  NcclResult (*ncclAllReduce)(const void* from, void* to, std::size_t count, NcclDataType type,
                              NcclReduction reduction, NcclComm comm, CuStream stream) = nullptr;
  NcclResult (*ncclReduceScatter)(const void* from, void* to, std::size_t count, NcclDataType type,
                                  NcclReduction reduction, NcclComm comm,
                                  CuStream stream) = nullptr;
  NcclResult (*ncclAllGather)(const void* from, void* to, std::size_t count, NcclDataType type,
                              NcclComm comm, CuStream stream) = nullptr;
  NcclResult (*ncclBroadcast)(const void* from, void* to, std::size_t count, NcclDataType type,
                              int root, NcclComm comm, CuStream stream) = nullptr;
  NcclResult (*ncclSend)(const void* from, std::size_t count, NcclDataType type, int peer,
                         NcclComm comm, CuStream stream) = nullptr;
  NcclResult (*ncclRecv)(void* to, std::size_t count, NcclDataType type, int peer, NcclComm comm,
                         CuStream stream) = nullptr;
};

constexpr auto entries(const NcclApi*) {
  using A = NcclApi;
  return std::tuple(
      Entry{"ncclGetVersion", &A::ncclGetVersion},
      Entry{"ncclGetErrorString", &A::ncclGetErrorString},
      Entry{"ncclGetLastError", &A::ncclGetLastError},
      Entry{"ncclGetUniqueId", &A::ncclGetUniqueId},
      Entry{"ncclCommInitRankConfig", &A::ncclCommInitRankConfig},
      Entry{"ncclCommGetAsyncError", &A::ncclCommGetAsyncError},
      Entry{"ncclCommFinalize", &A::ncclCommFinalize},
      Entry{"ncclCommDestroy", &A::ncclCommDestroy}, Entry{"ncclCommAbort", &A::ncclCommAbort},
      Entry{"ncclGroupStart", &A::ncclGroupStart}, Entry{"ncclGroupEnd", &A::ncclGroupEnd},
      Entry{"ncclAllReduce", &A::ncclAllReduce}, Entry{"ncclReduceScatter", &A::ncclReduceScatter},
      Entry{"ncclAllGather", &A::ncclAllGather}, Entry{"ncclBroadcast", &A::ncclBroadcast},
      Entry{"ncclSend", &A::ncclSend}, Entry{"ncclRecv", &A::ncclRecv});
}

}  // namespace rhino::runtime::cuda
