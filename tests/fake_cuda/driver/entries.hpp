// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "types.hpp"

/// Every entry point of the fake driver by its name of CUDA 12.0, with its type. A new one gets a
/// line here and a definition in an api_*.cpp; the tests of faults and of declarations take it from
/// here.
#define RHINO_FAKE_DRIVER(X)                                                                    \
  X(cuInit, Result(unsigned))                                                                   \
  X(cuDriverGetVersion, Result(int*))                                                           \
  X(cuGetErrorName, Result(Result, const char**))                                               \
  X(cuGetErrorString, Result(Result, const char**))                                             \
  X(cuDeviceGetCount, Result(int*))                                                             \
  X(cuDeviceGet, Result(Ordinal*, int))                                                         \
  X(cuDeviceGetName, Result(char*, int, Ordinal))                                               \
  X(cuDeviceGetAttribute, Result(int*, int, Ordinal))                                           \
  X(cuDeviceGetUuid_v2, Result(Uuid*, Ordinal))                                                 \
  X(cuDeviceGetPCIBusId, Result(char*, int, Ordinal))                                           \
  X(cuDeviceTotalMem_v2, Result(std::size_t*, Ordinal))                                         \
  X(cuDeviceCanAccessPeer, Result(int*, Ordinal, Ordinal))                                      \
  X(cuDevicePrimaryCtxRetain, Result(Context**, Ordinal))                                       \
  X(cuDevicePrimaryCtxRelease_v2, Result(Ordinal))                                              \
  X(cuDevicePrimaryCtxSetFlags_v2, Result(Ordinal, unsigned))                                   \
  X(cuDevicePrimaryCtxGetState, Result(Ordinal, unsigned*, int*))                               \
  X(cuCtxSetCurrent, Result(Context*))                                                          \
  X(cuCtxGetCurrent, Result(Context**))                                                         \
  X(cuCtxPushCurrent_v2, Result(Context*))                                                      \
  X(cuCtxPopCurrent_v2, Result(Context**))                                                      \
  X(cuCtxGetDevice, Result(Ordinal*))                                                           \
  X(cuCtxSynchronize, Result())                                                                 \
  X(cuCtxGetStreamPriorityRange, Result(int*, int*))                                            \
  X(cuMemGetInfo_v2, Result(std::size_t*, std::size_t*))                                        \
  X(cuMemAlloc_v2, Result(DevicePtr*, std::size_t))                                             \
  X(cuMemFree_v2, Result(DevicePtr))                                                            \
  X(cuMemAllocHost_v2, Result(void**, std::size_t))                                             \
  X(cuMemHostAlloc, Result(void**, std::size_t, unsigned))                                      \
  X(cuMemFreeHost, Result(void*))                                                               \
  X(cuMemHostRegister_v2, Result(void*, std::size_t, unsigned))                                 \
  X(cuMemHostUnregister, Result(void*))                                                         \
  X(cuMemHostGetDevicePointer_v2, Result(DevicePtr*, void*, unsigned))                          \
  X(cuPointerGetAttribute, Result(void*, int, DevicePtr))                                       \
  X(cuMemcpy, Result(DevicePtr, DevicePtr, std::size_t))                                        \
  X(cuMemcpyAsync, Result(DevicePtr, DevicePtr, std::size_t, Stream*))                          \
  X(cuMemcpyHtoD_v2, Result(DevicePtr, const void*, std::size_t))                               \
  X(cuMemcpyDtoH_v2, Result(void*, DevicePtr, std::size_t))                                     \
  X(cuMemcpyDtoD_v2, Result(DevicePtr, DevicePtr, std::size_t))                                 \
  X(cuMemcpyHtoDAsync_v2, Result(DevicePtr, const void*, std::size_t, Stream*))                 \
  X(cuMemcpyDtoHAsync_v2, Result(void*, DevicePtr, std::size_t, Stream*))                       \
  X(cuMemcpyDtoDAsync_v2, Result(DevicePtr, DevicePtr, std::size_t, Stream*))                   \
  X(cuMemsetD8_v2, Result(DevicePtr, unsigned char, std::size_t))                               \
  X(cuMemsetD32_v2, Result(DevicePtr, unsigned, std::size_t))                                   \
  X(cuMemsetD8Async, Result(DevicePtr, unsigned char, std::size_t, Stream*))                    \
  X(cuMemsetD16Async, Result(DevicePtr, unsigned short, std::size_t, Stream*))                  \
  X(cuMemsetD32Async, Result(DevicePtr, unsigned, std::size_t, Stream*))                        \
  X(cuStreamCreate, Result(Stream**, unsigned))                                                 \
  X(cuStreamCreateWithPriority, Result(Stream**, unsigned, int))                                \
  X(cuStreamDestroy_v2, Result(Stream*))                                                        \
  X(cuStreamSynchronize, Result(Stream*))                                                       \
  X(cuStreamQuery, Result(Stream*))                                                             \
  X(cuStreamWaitEvent, Result(Stream*, Event*, unsigned))                                       \
  X(cuStreamBeginCapture_v2, Result(Stream*, int))                                              \
  X(cuStreamEndCapture, Result(Stream*, Graph**))                                               \
  X(cuStreamIsCapturing, Result(Stream*, int*))                                                 \
  X(cuLaunchHostFunc, Result(Stream*, HostFunction, void*))                                     \
  X(cuEventCreate, Result(Event**, unsigned))                                                   \
  X(cuEventDestroy_v2, Result(Event*))                                                          \
  X(cuEventRecord, Result(Event*, Stream*))                                                     \
  X(cuEventRecordWithFlags, Result(Event*, Stream*, unsigned))                                  \
  X(cuEventQuery, Result(Event*))                                                               \
  X(cuEventSynchronize, Result(Event*))                                                         \
  X(cuEventElapsedTime, Result(float*, Event*, Event*))                                         \
  X(cuGraphGetNodes, Result(Graph*, GraphNode**, std::size_t*))                                 \
  X(cuGraphInstantiateWithFlags, Result(GraphExec**, Graph*, unsigned long long))               \
  X(cuGraphUpload, Result(GraphExec*, Stream*))                                                 \
  X(cuGraphLaunch, Result(GraphExec*, Stream*))                                                 \
  X(cuGraphDestroy, Result(Graph*))                                                             \
  X(cuGraphExecDestroy, Result(GraphExec*))                                                     \
  X(cuModuleLoadData, Result(Module**, const void*))                                            \
  X(cuModuleLoadDataEx, Result(Module**, const void*, unsigned, int*, void**))                  \
  X(cuModuleUnload, Result(Module*))                                                            \
  X(cuModuleGetFunction, Result(Kernel**, Module*, const char*))                                \
  X(cuLibraryLoadData,                                                                          \
    Result(Library**, const void*, int*, void**, unsigned, int*, void**, unsigned))             \
  X(cuLibraryUnload, Result(Library*))                                                          \
  X(cuLibraryGetKernel, Result(Kernel**, Library*, const char*))                                \
  X(cuKernelGetFunction, Result(Kernel**, Kernel*))                                             \
  X(cuKernelGetAttribute, Result(int*, int, Kernel*, Ordinal))                                  \
  X(cuKernelSetAttribute, Result(int, int, Kernel*, Ordinal))                                   \
  X(cuFuncGetAttribute, Result(int*, int, Kernel*))                                             \
  X(cuFuncSetAttribute, Result(Kernel*, int, int))                                              \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor, Result(int*, Kernel*, int, std::size_t))       \
  X(cuLaunchKernel, Result(Kernel*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
                           unsigned, Stream*, void**, void**))                                  \
  X(cuLaunchKernelEx, Result(const LaunchConfig*, Kernel*, void**, void**))

namespace fake::declared {
#define RHINO_FAKE_TYPE(name, ...) using name = __VA_ARGS__;
RHINO_FAKE_DRIVER(RHINO_FAKE_TYPE)
#undef RHINO_FAKE_TYPE
}  // namespace fake::declared
