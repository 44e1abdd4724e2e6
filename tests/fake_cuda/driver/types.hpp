// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

/// The driver's types as its binary interface has them, written from its documentation: no header
/// of CUDA is needed. Values and signatures are compared with the real headers in headers_test.cpp,
/// where those are.
namespace fake {

using Result = int;
using Ordinal = int;  // CUdevice
using DevicePtr = unsigned long long;

struct Context;
struct Stream;
struct Event;
struct Graph;
struct GraphExec;
struct GraphNode;
struct Library;
struct Module;
struct Kernel;  // CUkernel and CUfunction alike

struct Uuid {
  char bytes[16];
};

/// CUlaunchConfig of CUDA 12.0.
struct LaunchConfig {
  unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
  Stream* stream;
  const void* attributes;
  unsigned num_attributes;
};

using HostFunction = void (*)(void*);

enum : Result {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kNoBinaryForGpu = 209,
  kInvalidPtx = 218,
  kIllegalState = 401,
  kInvalidHandle = 400,
  kNotFound = 500,
  kNotReady = 600,
  kIllegalAddress = 700,
  kLaunchOutOfResources = 701,
  kLaunchTimeout = 702,
  kHostMemoryAlreadyRegistered = 712,
  kHostMemoryNotRegistered = 713,
  kMisalignedAddress = 716,
  kLaunchFailed = 719,
  kNotPermitted = 800,
  kNotSupported = 801,
  kCaptureUnsupported = 900,
  kCaptureInvalidated = 901,
  kCaptureUnmatched = 903,
  kCaptureUnjoined = 904,
  kCaptureIsolation = 905,
  kCaptureImplicit = 906,
  kUnknown = 999,
};

enum : int {
  kAttributeMaxThreadsPerBlock = 1,
  kAttributeMaxBlockX = 2,
  kAttributeMaxBlockY = 3,
  kAttributeMaxBlockZ = 4,
  kAttributeMaxGridX = 5,
  kAttributeMaxGridY = 6,
  kAttributeMaxGridZ = 7,
  kAttributeMaxSharedPerBlock = 8,
  kAttributeWarpSize = 10,
  kAttributeMaxRegistersPerBlock = 12,
  kAttributeClockKhz = 13,
  kAttributeMultiprocessors = 16,
  kAttributeIntegrated = 18,
  kAttributeComputeMode = 20,
  kAttributeConcurrentKernels = 31,
  kAttributeEcc = 32,
  kAttributePciBus = 33,
  kAttributePciDevice = 34,
  kAttributeMemoryClockKhz = 36,
  kAttributeMemoryBusBits = 37,
  kAttributeL2Bytes = 38,
  kAttributeMaxThreadsPerMultiprocessor = 39,
  kAttributeAsyncEngines = 40,
  kAttributeUnifiedAddressing = 41,
  kAttributePciDomain = 50,
  kAttributeMajor = 75,
  kAttributeMinor = 76,
  kAttributeMaxSharedPerMultiprocessor = 81,
  kAttributeManagedMemory = 83,
  kAttributeMaxSharedOptin = 97,
  kAttributeMemoryPools = 115,
};

enum : int {
  kFunctionMaxThreads = 0,
  kFunctionSharedBytes = 1,
  kFunctionConstBytes = 2,
  kFunctionLocalBytes = 3,
  kFunctionRegisters = 4,
  kFunctionPtxVersion = 5,
  kFunctionBinaryVersion = 6,
  kFunctionMaxDynamicShared = 8,
};

enum : unsigned { kStreamNonBlocking = 1, kEventDisableTiming = 2, kEventRecordExternal = 1 };
enum : int { kCaptureGlobal = 0, kCaptureThreadLocal = 1, kCaptureRelaxed = 2 };
enum : int { kPointerMemoryType = 2, kMemoryTypeHost = 1, kMemoryTypeDevice = 2 };

}  // namespace fake
