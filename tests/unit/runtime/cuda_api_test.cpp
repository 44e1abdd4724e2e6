// SPDX-License-Identifier: Apache-2.0
/// The declarations of core/runtime/cuda against the real headers, when those are there as this is
/// compiled: functions by the sizes and kinds of what they take, constants by their values.
#include <cstdio>

#ifdef RHINO_CUDA_HEADERS
#include <cublasLt.h>
#include <cuda.h>
#include <nccl.h>
#include <nvrtc.h>

#if __has_include(<nvml.h>)
#define NVML_NO_UNVERSIONED_FUNC_DEFS  // the names of all releases since 11
#include <nvml.h>
#define RHINO_NVML_HEADER
#endif

#if __has_include(<cudnn.h>)
#include <cudnn.h>
#define RHINO_CUDNN_HEADER
#endif

#include <cstdint>
#include <type_traits>

#include "runtime/cuda/cublaslt_api.hpp"
#include "runtime/cuda/cudnn_api.hpp"
#include "runtime/cuda/driver_api.hpp"
#include "runtime/cuda/nccl_api.hpp"
#include "runtime/cuda/nvml_api.hpp"
#include "runtime/cuda/nvrtc_api.hpp"

namespace rhino::runtime::cuda {
namespace {

struct Opaque;

/// What a call passes: enums and integers by their size, handles as pointers to something, structs
/// by size.
template <class T, class = void>
struct Passed {
  using type = std::conditional_t<std::is_class_v<T>, char[sizeof(T)], T>;
};
template <std::size_t size>
using Integer =
    std::conditional_t<size == 8, std::int64_t, std::conditional_t<size == 4, std::int32_t, char>>;
template <class T>
struct Passed<T, std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>>> {
  using type = Integer<sizeof(T)>;
};
template <class T, class = void>
struct Pointee {
  using type = typename Passed<std::remove_cv_t<T>>::type;
};
template <class T>
struct Pointee<T, std::enable_if_t<std::is_class_v<T> || std::is_void_v<T>>> {
  using type = Opaque;
};
template <class T>
struct Passed<T*, void> {
  using type = typename Pointee<T>::type*;
};
template <class Result, class... Arguments>
struct Passed<Result (*)(Arguments...), void> {
  using type = typename Passed<Result>::type (*)(typename Passed<Arguments>::type*...);
};

template <auto member, class Real>
constexpr bool same_call() {
  using Table =
      std::remove_reference_t<decltype([]<class C, class F>(F C::*) -> C { return {}; }(member))>;
  using Own = std::remove_reference_t<decltype(std::declval<Table&>().*member)>;
  return std::is_same_v<typename Passed<Own>::type, typename Passed<Real>::type>;
}

#define RHINO_SAME_CALL(Table, name) \
  static_assert(same_call<&Table::name, decltype(&::name)>(), #name)

RHINO_SAME_CALL(DriverApi, cuInit);
RHINO_SAME_CALL(DriverApi, cuDriverGetVersion);
RHINO_SAME_CALL(DriverApi, cuGetErrorString);
RHINO_SAME_CALL(DriverApi, cuDeviceGetCount);
RHINO_SAME_CALL(DriverApi, cuDeviceGet);
RHINO_SAME_CALL(DriverApi, cuDeviceGetName);
RHINO_SAME_CALL(DriverApi, cuDeviceGetPCIBusId);
RHINO_SAME_CALL(DriverApi, cuDeviceTotalMem_v2);
RHINO_SAME_CALL(DriverApi, cuDeviceGetAttribute);
RHINO_SAME_CALL(DriverApi, cuDevicePrimaryCtxRetain);
RHINO_SAME_CALL(DriverApi, cuDevicePrimaryCtxRelease_v2);
RHINO_SAME_CALL(DriverApi, cuCtxSetCurrent);
RHINO_SAME_CALL(DriverApi, cuMemGetInfo_v2);
RHINO_SAME_CALL(DriverApi, cuMemAlloc_v2);
RHINO_SAME_CALL(DriverApi, cuMemFree_v2);
RHINO_SAME_CALL(DriverApi, cuMemHostAlloc);
RHINO_SAME_CALL(DriverApi, cuMemFreeHost);
RHINO_SAME_CALL(DriverApi, cuMemcpyHtoDAsync_v2);
RHINO_SAME_CALL(DriverApi, cuMemcpyDtoHAsync_v2);
RHINO_SAME_CALL(DriverApi, cuMemcpyDtoDAsync_v2);
RHINO_SAME_CALL(DriverApi, cuMemsetD8Async);
RHINO_SAME_CALL(DriverApi, cuStreamCreate);
RHINO_SAME_CALL(DriverApi, cuStreamDestroy_v2);
RHINO_SAME_CALL(DriverApi, cuStreamSynchronize);
RHINO_SAME_CALL(DriverApi, cuStreamWaitEvent);
RHINO_SAME_CALL(DriverApi, cuEventCreate);
RHINO_SAME_CALL(DriverApi, cuEventDestroy_v2);
RHINO_SAME_CALL(DriverApi, cuEventRecord);
RHINO_SAME_CALL(DriverApi, cuEventRecordWithFlags);
RHINO_SAME_CALL(DriverApi, cuGraphDestroy);
RHINO_SAME_CALL(DriverApi, cuGraphExecDestroy);
RHINO_SAME_CALL(DriverApi, cuGraphInstantiateWithFlags);
RHINO_SAME_CALL(DriverApi, cuGraphLaunch);
RHINO_SAME_CALL(DriverApi, cuStreamBeginCapture_v2);
RHINO_SAME_CALL(DriverApi, cuStreamEndCapture);
RHINO_SAME_CALL(DriverApi, cuEventSynchronize);
RHINO_SAME_CALL(DriverApi, cuEventQuery);
RHINO_SAME_CALL(DriverApi, cuEventElapsedTime);
RHINO_SAME_CALL(DriverApi, cuLibraryLoadData);
RHINO_SAME_CALL(DriverApi, cuLibraryUnload);
RHINO_SAME_CALL(DriverApi, cuLibraryGetKernel);
RHINO_SAME_CALL(DriverApi, cuKernelSetAttribute);
RHINO_SAME_CALL(DriverApi, cuLaunchKernel);
RHINO_SAME_CALL(NvrtcApi, nvrtcVersion);
RHINO_SAME_CALL(NvrtcApi, nvrtcGetErrorString);
RHINO_SAME_CALL(NvrtcApi, nvrtcGetNumSupportedArchs);
RHINO_SAME_CALL(NvrtcApi, nvrtcGetSupportedArchs);
RHINO_SAME_CALL(NvrtcApi, nvrtcCreateProgram);
RHINO_SAME_CALL(NvrtcApi, nvrtcDestroyProgram);
RHINO_SAME_CALL(NvrtcApi, nvrtcCompileProgram);
RHINO_SAME_CALL(NvrtcApi, nvrtcGetCUBINSize);
RHINO_SAME_CALL(NvrtcApi, nvrtcGetCUBIN);
RHINO_SAME_CALL(NvrtcApi, nvrtcGetPTXSize);
RHINO_SAME_CALL(NvrtcApi, nvrtcGetPTX);
RHINO_SAME_CALL(NvrtcApi, nvrtcGetProgramLogSize);
RHINO_SAME_CALL(NvrtcApi, nvrtcGetProgramLog);
RHINO_SAME_CALL(CublasLtApi, cublasLtGetVersion);
RHINO_SAME_CALL(CublasLtApi, cublasLtCreate);
RHINO_SAME_CALL(CublasLtApi, cublasLtDestroy);
RHINO_SAME_CALL(CublasLtApi, cublasLtMatmulDescCreate);
RHINO_SAME_CALL(CublasLtApi, cublasLtMatmulDescDestroy);
RHINO_SAME_CALL(CublasLtApi, cublasLtMatmulDescSetAttribute);
RHINO_SAME_CALL(CublasLtApi, cublasLtMatrixLayoutCreate);
RHINO_SAME_CALL(CublasLtApi, cublasLtMatrixLayoutDestroy);
RHINO_SAME_CALL(CublasLtApi, cublasLtMatrixLayoutSetAttribute);
RHINO_SAME_CALL(CublasLtApi, cublasLtMatmulPreferenceCreate);
RHINO_SAME_CALL(CublasLtApi, cublasLtMatmulPreferenceDestroy);
RHINO_SAME_CALL(CublasLtApi, cublasLtMatmulPreferenceSetAttribute);
RHINO_SAME_CALL(CublasLtApi, cublasLtMatmulAlgoGetHeuristic);
RHINO_SAME_CALL(CublasLtApi, cublasLtMatmul);
RHINO_SAME_CALL(NcclApi, ncclGetVersion);
RHINO_SAME_CALL(NcclApi, ncclGetErrorString);
RHINO_SAME_CALL(NcclApi, ncclGetLastError);
RHINO_SAME_CALL(NcclApi, ncclGetUniqueId);
RHINO_SAME_CALL(NcclApi, ncclCommInitRankConfig);
RHINO_SAME_CALL(NcclApi, ncclCommGetAsyncError);
RHINO_SAME_CALL(NcclApi, ncclCommFinalize);
RHINO_SAME_CALL(NcclApi, ncclCommDestroy);
RHINO_SAME_CALL(NcclApi, ncclCommAbort);
RHINO_SAME_CALL(NcclApi, ncclGroupStart);
RHINO_SAME_CALL(NcclApi, ncclGroupEnd);
RHINO_SAME_CALL(NcclApi, ncclAllReduce);
RHINO_SAME_CALL(NcclApi, ncclReduceScatter);
RHINO_SAME_CALL(NcclApi, ncclAllGather);
RHINO_SAME_CALL(NcclApi, ncclBroadcast);
RHINO_SAME_CALL(NcclApi, ncclSend);
RHINO_SAME_CALL(NcclApi, ncclRecv);

static_assert(kCuOutOfMemory == CUDA_ERROR_OUT_OF_MEMORY && kCuNoDevice == CUDA_ERROR_NO_DEVICE);
static_assert(kCuNotReady == CUDA_ERROR_NOT_READY);
static_assert(kCuStreamNonBlocking == CU_STREAM_NON_BLOCKING);
static_assert(kCuMemHostPortable == CU_MEMHOSTALLOC_PORTABLE);
static_assert(kCuEventRecordExternal == CU_EVENT_RECORD_EXTERNAL);
static_assert(kCuCaptureThreadLocal == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
static_assert(kCuClockKilohertz == int{CU_DEVICE_ATTRIBUTE_CLOCK_RATE});
static_assert(kCuMemoryClockKilohertz == int{CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE});
static_assert(kCuMemoryBusBits == int{CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH});
static_assert(kCuMultiprocessorCount == int{CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT});
static_assert(kCuComputeCapabilityMajor == int{CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR});
static_assert(kCuComputeCapabilityMinor == int{CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR});
static_assert(kCuMaxDynamicSharedBytes == int{CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES});

static_assert(kLtF32 == int{CUDA_R_32F} && kLtF64 == int{CUDA_R_64F});
static_assert(kLtF16 == int{CUDA_R_16F} && kLtBf16 == int{CUDA_R_16BF});
static_assert(kLtComputeF32 == int{CUBLAS_COMPUTE_32F});
static_assert(kLtComputeF64 == int{CUBLAS_COMPUTE_64F});
static_assert(kLtComputeF32AsTf32 == int{CUBLAS_COMPUTE_32F_FAST_TF32});
static_assert(kLtTransposeA == int{CUBLASLT_MATMUL_DESC_TRANSA});
static_assert(kLtTransposeB == int{CUBLASLT_MATMUL_DESC_TRANSB});
static_assert(kLtNotTransposed == int{CUBLAS_OP_N} && kLtTransposed == int{CUBLAS_OP_T});
static_assert(kLtBatchCount == int{CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT});
static_assert(kLtBatchStride == int{CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET});
static_assert(kLtMaxWorkspaceBytes == int{CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES});
static_assert(kLtAlignmentA == int{CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES});
static_assert(kLtAlignmentB == int{CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES});
static_assert(kLtAlignmentC == int{CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES});
static_assert(kLtAlignmentD == int{CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES});
static_assert(sizeof(LtAlgorithm) == sizeof(cublasLtMatmulAlgo_t));
static_assert(sizeof(LtHeuristicResult) == sizeof(cublasLtMatmulHeuristicResult_t));
static_assert(offsetof(LtHeuristicResult, workspace_bytes) ==
              offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));
static_assert(offsetof(LtHeuristicResult, state) ==
              offsetof(cublasLtMatmulHeuristicResult_t, state));

static_assert(kNcclInProgress == int{::ncclInProgress});
static_assert(kNcclInt8 == int{::ncclInt8} && kNcclUint8 == int{::ncclUint8});
static_assert(kNcclInt32 == int{::ncclInt32} && kNcclUint32 == int{::ncclUint32});
static_assert(kNcclInt64 == int{::ncclInt64} && kNcclUint64 == int{::ncclUint64});
static_assert(kNcclF16 == int{::ncclFloat16} && kNcclF32 == int{::ncclFloat32});
static_assert(kNcclF64 == int{::ncclFloat64} && kNcclBf16 == int{::ncclBfloat16});
static_assert(kNcclSum == int{::ncclSum} && kNcclProduct == int{::ncclProd});
static_assert(kNcclMax == int{::ncclMax} && kNcclMin == int{::ncclMin});
static_assert(sizeof(NcclUniqueId) == sizeof(::ncclUniqueId));
static_assert(offsetof(NcclConfig, size) == offsetof(ncclConfig_t, size));
static_assert(offsetof(NcclConfig, magic) == offsetof(ncclConfig_t, magic));
static_assert(offsetof(NcclConfig, version) == offsetof(ncclConfig_t, version));
static_assert(offsetof(NcclConfig, blocking) == offsetof(ncclConfig_t, blocking));

#ifdef RHINO_CUDNN_HEADER
RHINO_SAME_CALL(CudnnApi, cudnnGetVersion);
RHINO_SAME_CALL(CudnnApi, cudnnGetCudartVersion);
RHINO_SAME_CALL(CudnnApi, cudnnGetErrorString);
RHINO_SAME_CALL(CudnnApi, cudnnCreate);
RHINO_SAME_CALL(CudnnApi, cudnnDestroy);
RHINO_SAME_CALL(CudnnApi, cudnnSetStream);
RHINO_SAME_CALL(CudnnApi, cudnnCreateTensorDescriptor);
RHINO_SAME_CALL(CudnnApi, cudnnDestroyTensorDescriptor);
RHINO_SAME_CALL(CudnnApi, cudnnSetTensorNdDescriptor);
RHINO_SAME_CALL(CudnnApi, cudnnCreateFilterDescriptor);
RHINO_SAME_CALL(CudnnApi, cudnnDestroyFilterDescriptor);
RHINO_SAME_CALL(CudnnApi, cudnnSetFilterNdDescriptor);
RHINO_SAME_CALL(CudnnApi, cudnnCreateConvolutionDescriptor);
RHINO_SAME_CALL(CudnnApi, cudnnDestroyConvolutionDescriptor);
RHINO_SAME_CALL(CudnnApi, cudnnSetConvolutionNdDescriptor);
RHINO_SAME_CALL(CudnnApi, cudnnSetConvolutionMathType);
RHINO_SAME_CALL(CudnnApi, cudnnSetConvolutionGroupCount);
RHINO_SAME_CALL(CudnnApi, cudnnGetConvolutionForwardAlgorithm_v7);
RHINO_SAME_CALL(CudnnApi, cudnnGetConvolutionBackwardDataAlgorithm_v7);
RHINO_SAME_CALL(CudnnApi, cudnnGetConvolutionBackwardFilterAlgorithm_v7);
RHINO_SAME_CALL(CudnnApi, cudnnGetConvolutionForwardWorkspaceSize);
RHINO_SAME_CALL(CudnnApi, cudnnGetConvolutionBackwardDataWorkspaceSize);
RHINO_SAME_CALL(CudnnApi, cudnnGetConvolutionBackwardFilterWorkspaceSize);
RHINO_SAME_CALL(CudnnApi, cudnnConvolutionForward);
RHINO_SAME_CALL(CudnnApi, cudnnConvolutionBackwardData);
RHINO_SAME_CALL(CudnnApi, cudnnConvolutionBackwardFilter);
static_assert(kDnnF32 == int{CUDNN_DATA_FLOAT} && kDnnF16 == int{CUDNN_DATA_HALF});
static_assert(kDnnBf16 == int{CUDNN_DATA_BFLOAT16});
static_assert(kDnnFeaturesFirst == int{CUDNN_TENSOR_NCHW});
static_assert(kDnnFeaturesLast == int{CUDNN_TENSOR_NHWC});
static_assert(kDnnCrossCorrelation == int{CUDNN_CROSS_CORRELATION});
static_assert(kDnnDefaultMath == int{CUDNN_DEFAULT_MATH} && kDnnFmaMath == int{CUDNN_FMA_MATH});
static_assert(kDnnTensorOpMath == int{CUDNN_TENSOR_OP_MATH});
static_assert(kDnnDeterministic == int{CUDNN_DETERMINISTIC} && CUDNN_STATUS_SUCCESS == 0);

template <class Real>
constexpr bool same_algorithm() {
  return sizeof(DnnAlgorithm) == sizeof(Real) &&
         offsetof(DnnAlgorithm, algorithm) == offsetof(Real, algo) &&
         offsetof(DnnAlgorithm, status) == offsetof(Real, status) &&
         offsetof(DnnAlgorithm, milliseconds) == offsetof(Real, time) &&
         offsetof(DnnAlgorithm, workspace_bytes) == offsetof(Real, memory) &&
         offsetof(DnnAlgorithm, determinism) == offsetof(Real, determinism) &&
         offsetof(DnnAlgorithm, math) == offsetof(Real, mathType);
}
static_assert(same_algorithm<cudnnConvolutionFwdAlgoPerf_t>());
static_assert(same_algorithm<cudnnConvolutionBwdDataAlgoPerf_t>());
static_assert(same_algorithm<cudnnConvolutionBwdFilterAlgoPerf_t>());
#endif

#ifdef RHINO_NVML_HEADER
RHINO_SAME_CALL(NvmlApi, nvmlInit_v2);
RHINO_SAME_CALL(NvmlApi, nvmlShutdown);
RHINO_SAME_CALL(NvmlApi, nvmlErrorString);
RHINO_SAME_CALL(NvmlApi, nvmlSystemGetDriverVersion);
RHINO_SAME_CALL(NvmlApi, nvmlDeviceGetHandleByPciBusId_v2);
RHINO_SAME_CALL(NvmlApi, nvmlDeviceGetClockInfo);
RHINO_SAME_CALL(NvmlApi, nvmlDeviceGetMaxClockInfo);
RHINO_SAME_CALL(NvmlApi, nvmlDeviceGetPowerUsage);
RHINO_SAME_CALL(NvmlApi, nvmlDeviceGetEnforcedPowerLimit);
RHINO_SAME_CALL(NvmlApi, nvmlDeviceGetTemperature);
RHINO_SAME_CALL(NvmlApi, nvmlDeviceGetCurrentClocksThrottleReasons);
RHINO_SAME_CALL(NvmlApi, nvmlDeviceGetTotalEccErrors);
RHINO_SAME_CALL(NvmlApi, nvmlDeviceGetMaxPcieLinkGeneration);
RHINO_SAME_CALL(NvmlApi, nvmlDeviceGetMaxPcieLinkWidth);
RHINO_SAME_CALL(NvmlApi, nvmlDeviceGetNvLinkState);
RHINO_SAME_CALL(NvmlApi, nvmlDeviceGetNvLinkVersion);
RHINO_SAME_CALL(NvmlApi, nvmlDeviceGetNvLinkRemotePciInfo_v2);
static_assert(kNvmlMaxLinks == NVML_NVLINK_MAX_LINKS);
static_assert(kNvmlNotSupported == int{NVML_ERROR_NOT_SUPPORTED});
static_assert(kNvmlSmClock == int{NVML_CLOCK_SM} && kNvmlMemoryClock == int{NVML_CLOCK_MEM});
static_assert(kNvmlCorrected == int{NVML_MEMORY_ERROR_TYPE_CORRECTED});
static_assert(kNvmlUncorrected == int{NVML_MEMORY_ERROR_TYPE_UNCORRECTED});
static_assert(kNvmlSinceBoot == int{NVML_VOLATILE_ECC} &&
              kNvmlEnabled == int{NVML_FEATURE_ENABLED});
static_assert(kNvmlGpuSensor == int{NVML_TEMPERATURE_GPU});
static_assert(kNvmlPowerCap == nvmlClocksThrottleReasonSwPowerCap);
static_assert(kNvmlHardwareSlowdown == nvmlClocksThrottleReasonHwSlowdown);
static_assert(kNvmlSoftwareThermal == nvmlClocksThrottleReasonSwThermalSlowdown);
static_assert(kNvmlHardwareThermal == nvmlClocksThrottleReasonHwThermalSlowdown);
static_assert(kNvmlPowerBrake == nvmlClocksThrottleReasonHwPowerBrakeSlowdown);
static_assert(sizeof(NvmlPciInfo) == sizeof(nvmlPciInfo_t));
static_assert(offsetof(NvmlPciInfo, device_id) == offsetof(nvmlPciInfo_t, pciDeviceId));
static_assert(offsetof(NvmlPciInfo, bus_id) == offsetof(nvmlPciInfo_t, busId));
#endif

}  // namespace
}  // namespace rhino::runtime::cuda

int main() {
#ifndef RHINO_CUDNN_HEADER
  std::puts("those of cuDNN were not compared: there is no cudnn.h");
#endif
#ifndef RHINO_NVML_HEADER
  std::puts("those of NVML were not compared: there is no nvml.h");
#endif
  std::puts("the declarations of core/runtime/cuda are those of the headers");
  return 0;
}

#else

int main() {
  std::puts("skipped: no CUDA headers were found when this was built (/usr/local/cuda/include)");
  return 77;
}

#endif
