// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

struct FakeProgram;

/// Every entry point of the fake NVRTC, with its type.
#define RHINO_FAKE_NVRTC(X)                                                                    \
  X(nvrtcGetErrorString, const char*(int))                                                     \
  X(nvrtcVersion, int(int*, int*))                                                             \
  X(nvrtcGetNumSupportedArchs, int(int*))                                                      \
  X(nvrtcGetSupportedArchs, int(int*))                                                         \
  X(nvrtcCreateProgram,                                                                        \
    int(FakeProgram**, const char*, const char*, int, const char* const*, const char* const*)) \
  X(nvrtcDestroyProgram, int(FakeProgram**))                                                   \
  X(nvrtcCompileProgram, int(FakeProgram*, int, const char* const*))                           \
  X(nvrtcGetProgramLogSize, int(FakeProgram*, std::size_t*))                                   \
  X(nvrtcGetProgramLog, int(FakeProgram*, char*))                                              \
  X(nvrtcGetCUBINSize, int(FakeProgram*, std::size_t*))                                        \
  X(nvrtcGetCUBIN, int(FakeProgram*, char*))                                                   \
  X(nvrtcGetPTXSize, int(FakeProgram*, std::size_t*))                                          \
  X(nvrtcGetPTX, int(FakeProgram*, char*))

namespace fake::declared {
#define RHINO_FAKE_TYPE(name, ...) using name = __VA_ARGS__;
RHINO_FAKE_NVRTC(RHINO_FAKE_TYPE)
#undef RHINO_FAKE_TYPE
}  // namespace fake::declared
