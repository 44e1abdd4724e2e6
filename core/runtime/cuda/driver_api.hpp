// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>

#include "runtime/cuda/entry_points.hpp"

/// What is called of the CUDA driver, declared anew: by the names of CUDA 12.0, which every driver
/// since has. tests/unit/runtime/cuda_api_test compares it with the real headers.
namespace rhino::runtime::cuda {

using CuResult = int;  ///< 0: it went well
using CuDevice = int;
using CuDevicePtr = std::uint64_t;
using CuContext = struct CuContextTag*;
using CuStream = struct CuStreamTag*;
using CuEvent = struct CuEventTag*;
using CuLibrary = struct CuLibraryTag*;
using CuKernel = struct CuKernelTag*;
using CuGraph = struct CuGraphTag*;
using CuGraphExec = struct CuGraphExecTag*;
using CuFunction = struct CuFunctionTag*;  ///< a CuKernel may be given in its place

inline constexpr CuResult kCuOutOfMemory = 2;
inline constexpr CuResult kCuNoDevice = 100;
inline constexpr CuResult kCuNotReady = 600;
inline constexpr unsigned kCuStreamNonBlocking = 1;
inline constexpr unsigned kCuMemHostPortable = 1;
inline constexpr unsigned kCuEventRecordExternal = 1;
inline constexpr int kCuCaptureThreadLocal = 1;
enum CuDeviceAttribute : int {
  kCuClockKilohertz = 13,
  kCuMultiprocessorCount = 16,
  kCuMemoryClockKilohertz = 36,
  kCuMemoryBusBits = 37,
  kCuComputeCapabilityMajor = 75,
  kCuComputeCapabilityMinor = 76,
};
enum CuFunctionAttribute : int { kCuMaxDynamicSharedBytes = 8 };

struct DriverApi {
  std::string path;  ///< of the library
  CuResult (*cuInit)(unsigned flags) = nullptr;
  CuResult (*cuDriverGetVersion)(int* version) = nullptr;  ///< 12000: 12.0
  CuResult (*cuGetErrorString)(CuResult result, const char** text) = nullptr;
  CuResult (*cuDeviceGetCount)(int* count) = nullptr;
  CuResult (*cuDeviceGet)(CuDevice* device, int ordinal) = nullptr;
  CuResult (*cuDeviceGetName)(char* name, int size, CuDevice device) = nullptr;
  CuResult (*cuDeviceGetPCIBusId)(char* id, int size, CuDevice device) = nullptr;
  CuResult (*cuDeviceTotalMem_v2)(std::size_t* bytes, CuDevice device) = nullptr;
  CuResult (*cuDeviceGetAttribute)(int* value, CuDeviceAttribute attribute,
                                   CuDevice device) = nullptr;
  CuResult (*cuDevicePrimaryCtxRetain)(CuContext* context, CuDevice device) = nullptr;
  CuResult (*cuDevicePrimaryCtxRelease_v2)(CuDevice device) = nullptr;
  CuResult (*cuCtxSetCurrent)(CuContext context) = nullptr;
  CuResult (*cuMemGetInfo_v2)(std::size_t* free, std::size_t* total) = nullptr;
  CuResult (*cuMemAlloc_v2)(CuDevicePtr* memory, std::size_t size) = nullptr;
  CuResult (*cuMemFree_v2)(CuDevicePtr memory) = nullptr;
  CuResult (*cuMemHostAlloc)(void** memory, std::size_t size, unsigned flags) = nullptr;
  CuResult (*cuMemFreeHost)(void* memory) = nullptr;
  CuResult (*cuMemcpyHtoDAsync_v2)(CuDevicePtr to, const void* from, std::size_t size,
                                   CuStream stream) = nullptr;
  CuResult (*cuMemcpyDtoHAsync_v2)(void* to, CuDevicePtr from, std::size_t size,
                                   CuStream stream) = nullptr;
  CuResult (*cuMemcpyDtoDAsync_v2)(CuDevicePtr to, CuDevicePtr from, std::size_t size,
                                   CuStream stream) = nullptr;
  CuResult (*cuMemsetD8Async)(CuDevicePtr to, unsigned char value, std::size_t count,
                              CuStream stream) = nullptr;
  CuResult (*cuStreamCreate)(CuStream* stream, unsigned flags) = nullptr;
  CuResult (*cuStreamDestroy_v2)(CuStream stream) = nullptr;
  CuResult (*cuStreamSynchronize)(CuStream stream) = nullptr;
  CuResult (*cuStreamWaitEvent)(CuStream stream, CuEvent event, unsigned flags) = nullptr;
  CuResult (*cuStreamBeginCapture_v2)(CuStream stream, int mode) = nullptr;
  CuResult (*cuStreamEndCapture)(CuStream stream, CuGraph* graph) = nullptr;
  CuResult (*cuGraphInstantiateWithFlags)(CuGraphExec* exec, CuGraph graph,
                                          unsigned long long flags) = nullptr;
  CuResult (*cuGraphLaunch)(CuGraphExec exec, CuStream stream) = nullptr;
  CuResult (*cuGraphDestroy)(CuGraph graph) = nullptr;
  CuResult (*cuGraphExecDestroy)(CuGraphExec exec) = nullptr;
  CuResult (*cuEventCreate)(CuEvent* event, unsigned flags) = nullptr;
  CuResult (*cuEventDestroy_v2)(CuEvent event) = nullptr;
  CuResult (*cuEventRecord)(CuEvent event, CuStream stream) = nullptr;
  CuResult (*cuEventRecordWithFlags)(CuEvent event, CuStream stream, unsigned flags) = nullptr;
  CuResult (*cuEventSynchronize)(CuEvent event) = nullptr;
  CuResult (*cuEventQuery)(CuEvent event) = nullptr;
  CuResult (*cuEventElapsedTime)(float* milliseconds, CuEvent from, CuEvent to) = nullptr;
  CuResult (*cuLibraryLoadData)(CuLibrary* library, const void* code, int* jit_options,
                                void** jit_values, unsigned num_jit_options, int* options,
                                void** values, unsigned num_options) = nullptr;
  CuResult (*cuLibraryUnload)(CuLibrary library) = nullptr;
  CuResult (*cuLibraryGetKernel)(CuKernel* kernel, CuLibrary library, const char* name) = nullptr;
  CuResult (*cuKernelSetAttribute)(CuFunctionAttribute attribute, int value, CuKernel kernel,
                                   CuDevice device) = nullptr;
  CuResult (*cuLaunchKernel)(CuFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                             unsigned block_x, unsigned block_y, unsigned block_z,
                             unsigned shared_bytes, CuStream stream, void** arguments,
                             void** extra) = nullptr;
};

constexpr auto entries(const DriverApi*) {
  using A = DriverApi;
  return std::tuple(
      Entry{"cuInit", &A::cuInit}, Entry{"cuDriverGetVersion", &A::cuDriverGetVersion},
      Entry{"cuGetErrorString", &A::cuGetErrorString},
      Entry{"cuDeviceGetCount", &A::cuDeviceGetCount}, Entry{"cuDeviceGet", &A::cuDeviceGet},
      Entry{"cuDeviceGetName", &A::cuDeviceGetName},
      Entry{"cuDeviceGetPCIBusId", &A::cuDeviceGetPCIBusId},
      Entry{"cuDeviceTotalMem_v2", &A::cuDeviceTotalMem_v2},
      Entry{"cuDeviceGetAttribute", &A::cuDeviceGetAttribute},
      Entry{"cuDevicePrimaryCtxRetain", &A::cuDevicePrimaryCtxRetain},
      Entry{"cuDevicePrimaryCtxRelease_v2", &A::cuDevicePrimaryCtxRelease_v2},
      Entry{"cuCtxSetCurrent", &A::cuCtxSetCurrent}, Entry{"cuMemGetInfo_v2", &A::cuMemGetInfo_v2},
      Entry{"cuMemAlloc_v2", &A::cuMemAlloc_v2}, Entry{"cuMemFree_v2", &A::cuMemFree_v2},
      Entry{"cuMemHostAlloc", &A::cuMemHostAlloc}, Entry{"cuMemFreeHost", &A::cuMemFreeHost},
      Entry{"cuMemcpyHtoDAsync_v2", &A::cuMemcpyHtoDAsync_v2},
      Entry{"cuMemcpyDtoHAsync_v2", &A::cuMemcpyDtoHAsync_v2},
      Entry{"cuMemcpyDtoDAsync_v2", &A::cuMemcpyDtoDAsync_v2},
      Entry{"cuMemsetD8Async", &A::cuMemsetD8Async}, Entry{"cuStreamCreate", &A::cuStreamCreate},
      Entry{"cuStreamDestroy_v2", &A::cuStreamDestroy_v2},
      Entry{"cuStreamSynchronize", &A::cuStreamSynchronize},
      Entry{"cuStreamWaitEvent", &A::cuStreamWaitEvent},
      Entry{"cuStreamBeginCapture_v2", &A::cuStreamBeginCapture_v2},
      Entry{"cuStreamEndCapture", &A::cuStreamEndCapture},
      Entry{"cuGraphInstantiateWithFlags", &A::cuGraphInstantiateWithFlags},
      Entry{"cuGraphLaunch", &A::cuGraphLaunch}, Entry{"cuGraphDestroy", &A::cuGraphDestroy},
      Entry{"cuGraphExecDestroy", &A::cuGraphExecDestroy},
      Entry{"cuEventCreate", &A::cuEventCreate}, Entry{"cuEventDestroy_v2", &A::cuEventDestroy_v2},
      Entry{"cuEventRecord", &A::cuEventRecord},
      Entry{"cuEventRecordWithFlags", &A::cuEventRecordWithFlags},
      Entry{"cuEventSynchronize", &A::cuEventSynchronize}, Entry{"cuEventQuery", &A::cuEventQuery},
      Entry{"cuEventElapsedTime", &A::cuEventElapsedTime},
      Entry{"cuLibraryLoadData", &A::cuLibraryLoadData},
      Entry{"cuLibraryUnload", &A::cuLibraryUnload},
      Entry{"cuLibraryGetKernel", &A::cuLibraryGetKernel},
      Entry{"cuKernelSetAttribute", &A::cuKernelSetAttribute},
      Entry{"cuLaunchKernel", &A::cuLaunchKernel});
}

/// The oldest driver that has all of it.
inline constexpr int kOldestDriver = 12000;

}  // namespace rhino::runtime::cuda
