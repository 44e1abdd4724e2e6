// SPDX-License-Identifier: Apache-2.0
// The fakes' own declarations against the headers of CUDA and NCCL, by the compiler; skipped where
// those are not installed.
#include <cstdio>

#ifdef RHINO_NO_CUDA_HEADERS
int main() {
  std::puts("skipped: the headers of CUDA and NCCL are not in /usr/local/cuda/include");
  return 77;
}
#else

#include <cublasLt.h>
#include <nccl.h>
#include <nvrtc.h>

#if __has_include(<cudnn.h>)
#include <cudnn.h>
#define RHINO_CUDNN_HEADER
#endif

// The names of CUDA 12.0, which later headers declare for the driver's own use only.
#define __CUDA_API_VERSION_INTERNAL 1
#include <cuda.h>

#include "common/abi.hpp"
#include "cublaslt/entries.hpp"
#include "cudnn/entries.hpp"
#include "driver/entries.hpp"
#include "nccl/entries.hpp"
#include "nvrtc/entries.hpp"

#define RHINO_FAKE_SAME(name, ...) \
  static_assert(fake::same_function<fake::declared::name, decltype(::name)>, #name " differs");
RHINO_FAKE_DRIVER(RHINO_FAKE_SAME)
RHINO_FAKE_NVRTC(RHINO_FAKE_SAME)
RHINO_FAKE_NCCL(RHINO_FAKE_SAME)
RHINO_FAKE_CUBLASLT(RHINO_FAKE_SAME)

template <auto A, auto B>
constexpr bool same = static_cast<long long>(A) == static_cast<long long>(B);

static_assert(same<fake::kInvalidValue, CUDA_ERROR_INVALID_VALUE> &&
              same<fake::kOutOfMemory, CUDA_ERROR_OUT_OF_MEMORY>);
static_assert(same<fake::kNotInitialized, CUDA_ERROR_NOT_INITIALIZED> &&
              same<fake::kNoDevice, CUDA_ERROR_NO_DEVICE>);
static_assert(same<fake::kInvalidDevice, CUDA_ERROR_INVALID_DEVICE> &&
              same<fake::kInvalidImage, CUDA_ERROR_INVALID_IMAGE>);
static_assert(same<fake::kInvalidContext, CUDA_ERROR_INVALID_CONTEXT> &&
              same<fake::kNotFound, CUDA_ERROR_NOT_FOUND>);
static_assert(same<fake::kNoBinaryForGpu, CUDA_ERROR_NO_BINARY_FOR_GPU> &&
              same<fake::kInvalidPtx, CUDA_ERROR_INVALID_PTX>);
static_assert(same<fake::kInvalidHandle, CUDA_ERROR_INVALID_HANDLE> &&
              same<fake::kIllegalState, CUDA_ERROR_ILLEGAL_STATE>);
static_assert(same<fake::kNotReady, CUDA_ERROR_NOT_READY> &&
              same<fake::kIllegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS>);
static_assert(same<fake::kLaunchOutOfResources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES>);
static_assert(same<fake::kLaunchTimeout, CUDA_ERROR_LAUNCH_TIMEOUT> &&
              same<fake::kLaunchFailed, CUDA_ERROR_LAUNCH_FAILED>);
static_assert(same<fake::kHostMemoryAlreadyRegistered, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED>);
static_assert(same<fake::kHostMemoryNotRegistered, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED>);
static_assert(same<fake::kMisalignedAddress, CUDA_ERROR_MISALIGNED_ADDRESS> &&
              same<fake::kUnknown, CUDA_ERROR_UNKNOWN>);
static_assert(same<fake::kNotPermitted, CUDA_ERROR_NOT_PERMITTED> &&
              same<fake::kNotSupported, CUDA_ERROR_NOT_SUPPORTED>);
static_assert(same<fake::kCaptureUnsupported, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED>);
static_assert(same<fake::kCaptureInvalidated, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED>);
static_assert(same<fake::kCaptureUnmatched, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED>);
static_assert(same<fake::kCaptureUnjoined, CUDA_ERROR_STREAM_CAPTURE_UNJOINED>);
static_assert(same<fake::kCaptureIsolation, CUDA_ERROR_STREAM_CAPTURE_ISOLATION>);
static_assert(same<fake::kCaptureImplicit, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT>);

static_assert(same<fake::kAttributeMaxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK>);
static_assert(same<fake::kAttributeMaxBlockX, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X> &&
              same<fake::kAttributeMaxBlockZ, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z>);
static_assert(same<fake::kAttributeMaxGridX, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X> &&
              same<fake::kAttributeMaxGridZ, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z>);
static_assert(
    same<fake::kAttributeMaxSharedPerBlock, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK>);
static_assert(same<fake::kAttributeWarpSize, CU_DEVICE_ATTRIBUTE_WARP_SIZE> &&
              same<fake::kAttributeMultiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT>);
static_assert(
    same<fake::kAttributeMaxRegistersPerBlock, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK> &&
    same<fake::kAttributeClockKhz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE>);
static_assert(same<fake::kAttributeIntegrated, CU_DEVICE_ATTRIBUTE_INTEGRATED> &&
              same<fake::kAttributeComputeMode, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE>);
static_assert(same<fake::kAttributeConcurrentKernels, CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS> &&
              same<fake::kAttributeEcc, CU_DEVICE_ATTRIBUTE_ECC_ENABLED>);
static_assert(same<fake::kAttributePciBus, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID> &&
              same<fake::kAttributePciDevice, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID> &&
              same<fake::kAttributePciDomain, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID>);
static_assert(same<fake::kAttributeMemoryClockKhz, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE> &&
              same<fake::kAttributeMemoryBusBits, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH>);
static_assert(same<fake::kAttributeL2Bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE> &&
              same<fake::kAttributeAsyncEngines, CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT>);
static_assert(same<fake::kAttributeMaxThreadsPerMultiprocessor,
                   CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR>);
static_assert(same<fake::kAttributeUnifiedAddressing, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING> &&
              same<fake::kAttributeManagedMemory, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY>);
static_assert(same<fake::kAttributeMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR> &&
              same<fake::kAttributeMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR>);
static_assert(same<fake::kAttributeMaxSharedPerMultiprocessor,
                   CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR>);
static_assert(
    same<fake::kAttributeMaxSharedOptin, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN> &&
    same<fake::kAttributeMemoryPools, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED>);
static_assert(same<fake::kFunctionMaxThreads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK> &&
              same<fake::kFunctionSharedBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES>);
static_assert(same<fake::kFunctionConstBytes, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES> &&
              same<fake::kFunctionLocalBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES>);
static_assert(same<fake::kFunctionRegisters, CU_FUNC_ATTRIBUTE_NUM_REGS> &&
              same<fake::kFunctionPtxVersion, CU_FUNC_ATTRIBUTE_PTX_VERSION>);
static_assert(
    same<fake::kFunctionBinaryVersion, CU_FUNC_ATTRIBUTE_BINARY_VERSION> &&
    same<fake::kFunctionMaxDynamicShared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES>);
static_assert(same<fake::kStreamNonBlocking, CU_STREAM_NON_BLOCKING> &&
              same<fake::kEventDisableTiming, CU_EVENT_DISABLE_TIMING> &&
              same<fake::kEventRecordExternal, CU_EVENT_RECORD_EXTERNAL>);
static_assert(same<fake::kCaptureGlobal, CU_STREAM_CAPTURE_MODE_GLOBAL> &&
              same<fake::kCaptureThreadLocal, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL> &&
              same<fake::kCaptureRelaxed, CU_STREAM_CAPTURE_MODE_RELAXED>);
static_assert(same<fake::kPointerMemoryType, CU_POINTER_ATTRIBUTE_MEMORY_TYPE> &&
              same<fake::kMemoryTypeDevice, CU_MEMORYTYPE_DEVICE> &&
              same<fake::kMemoryTypeHost, CU_MEMORYTYPE_HOST>);
static_assert(sizeof(fake::LaunchConfig) == sizeof(CUlaunchConfig) &&
              offsetof(fake::LaunchConfig, stream) == offsetof(CUlaunchConfig, hStream) &&
              offsetof(fake::LaunchConfig, num_attributes) == offsetof(CUlaunchConfig, numAttrs));

static_assert(same<fake::kNcclUnhandledCudaError, ncclUnhandledCudaError> &&
              same<fake::kNcclSystemError, ncclSystemError> &&
              same<fake::kNcclInternalError, ncclInternalError>);
static_assert(same<fake::kNcclInvalidArgument, ncclInvalidArgument> &&
              same<fake::kNcclInvalidUsage, ncclInvalidUsage>);
static_assert(same<fake::kNcclRemoteError, ncclRemoteError> &&
              same<fake::kNcclInProgress, ncclInProgress>);
static_assert(same<fake::NcclType::kInt8, ncclInt8> && same<fake::NcclType::kUint8, ncclUint8> &&
              same<fake::NcclType::kInt32, ncclInt32> && same<fake::NcclType::kUint32, ncclUint32>);
static_assert(same<fake::NcclType::kInt64, ncclInt64> &&
              same<fake::NcclType::kUint64, ncclUint64> && same<fake::NcclType::kF16, ncclFloat16>);
static_assert(same<fake::NcclType::kF32, ncclFloat32> && same<fake::NcclType::kF64, ncclFloat64> &&
              same<fake::NcclType::kBf16, ncclBfloat16>);
static_assert(same<fake::NcclReduction::kSum, ncclSum> &&
              same<fake::NcclReduction::kProduct, ncclProd> &&
              same<fake::NcclReduction::kMax, ncclMax>);
static_assert(same<fake::NcclReduction::kMin, ncclMin> &&
              same<fake::NcclReduction::kAverage, ncclAvg>);
static_assert(offsetof(fake::NcclConfig, blocking) == offsetof(ncclConfig_t, blocking) &&
              offsetof(fake::NcclConfig, magic) == offsetof(ncclConfig_t, magic));

static_assert(same<fake::kLtNotInitialized, CUBLAS_STATUS_NOT_INITIALIZED> &&
              same<fake::kLtInvalidValue, CUBLAS_STATUS_INVALID_VALUE> &&
              same<fake::kLtNotSupported, CUBLAS_STATUS_NOT_SUPPORTED>);
static_assert(same<fake::LtType::kF32, CUDA_R_32F> && same<fake::LtType::kF64, CUDA_R_64F> &&
              same<fake::LtType::kF16, CUDA_R_16F> && same<fake::LtType::kBf16, CUDA_R_16BF>);
static_assert(same<fake::LtCompute::kF32, CUBLAS_COMPUTE_32F> &&
              same<fake::LtCompute::kF32Pedantic, CUBLAS_COMPUTE_32F_PEDANTIC> &&
              same<fake::LtCompute::kF64, CUBLAS_COMPUTE_64F> &&
              same<fake::LtCompute::kTf32, CUBLAS_COMPUTE_32F_FAST_TF32>);
static_assert(same<fake::kLtColumns, CUBLASLT_ORDER_COL> &&
              same<fake::kLtRows, CUBLASLT_ORDER_ROW>);
static_assert(same<fake::kLtDescPointerMode, CUBLASLT_MATMUL_DESC_POINTER_MODE> &&
              same<fake::kLtDescTransposeA, CUBLASLT_MATMUL_DESC_TRANSA> &&
              same<fake::kLtDescTransposeB, CUBLASLT_MATMUL_DESC_TRANSB>);
static_assert(same<fake::kLtDescEpilogue, CUBLASLT_MATMUL_DESC_EPILOGUE> &&
              same<fake::kLtDescBias, CUBLASLT_MATMUL_DESC_BIAS_POINTER>);
static_assert(same<fake::kLtLayoutType, CUBLASLT_MATRIX_LAYOUT_TYPE> &&
              same<fake::kLtLayoutOrder, CUBLASLT_MATRIX_LAYOUT_ORDER> &&
              same<fake::kLtLayoutNumRows, CUBLASLT_MATRIX_LAYOUT_ROWS>);
static_assert(same<fake::kLtLayoutNumColumns, CUBLASLT_MATRIX_LAYOUT_COLS> &&
              same<fake::kLtLayoutLeading, CUBLASLT_MATRIX_LAYOUT_LD> &&
              same<fake::kLtLayoutBatch, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT> &&
              same<fake::kLtLayoutStride, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET>);
static_assert(same<fake::kLtPreferenceWorkspace, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES> &&
              same<fake::kLtPreferenceAlignmentA, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES> &&
              same<fake::kLtPreferenceAlignmentD, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES>);
static_assert(same<fake::kLtEpilogueRelu, CUBLASLT_EPILOGUE_RELU> &&
              same<fake::kLtEpilogueBias, CUBLASLT_EPILOGUE_BIAS> &&
              same<fake::kLtEpilogueGelu, CUBLASLT_EPILOGUE_GELU>);
static_assert(sizeof(fake::LtHeuristicResult) == sizeof(cublasLtMatmulHeuristicResult_t) &&
              offsetof(fake::LtHeuristicResult, workspace_bytes) ==
                  offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));

#ifdef RHINO_CUDNN_HEADER
RHINO_FAKE_CUDNN(RHINO_FAKE_SAME)
static_assert(same<fake::kDnnNotInitialized, CUDNN_STATUS_NOT_INITIALIZED> &&
              same<fake::kDnnBadParam, CUDNN_STATUS_BAD_PARAM> &&
              same<fake::kDnnMisalignedPointer, CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER>);
static_assert(same<fake::kDnnNotSupported, CUDNN_STATUS_NOT_SUPPORTED> &&
              same<fake::kDnnExecutionFailed, CUDNN_STATUS_EXECUTION_FAILED>);
static_assert(same<fake::DnnType::kF32, CUDNN_DATA_FLOAT> &&
              same<fake::DnnType::kF64, CUDNN_DATA_DOUBLE> &&
              same<fake::DnnType::kF16, CUDNN_DATA_HALF> &&
              same<fake::DnnType::kBf16, CUDNN_DATA_BFLOAT16>);
static_assert(same<fake::DnnFormat::kFeaturesFirst, CUDNN_TENSOR_NCHW> &&
              same<fake::DnnFormat::kFeaturesLast, CUDNN_TENSOR_NHWC> &&
              same<fake::DnnMode::kCrossCorrelation, CUDNN_CROSS_CORRELATION>);
static_assert(same<fake::DnnMath::kDefault, CUDNN_DEFAULT_MATH> &&
              same<fake::DnnMath::kTensorOp, CUDNN_TENSOR_OP_MATH> &&
              same<fake::DnnMath::kConverts, CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION> &&
              same<fake::DnnMath::kFma, CUDNN_FMA_MATH>);
static_assert(same<fake::kDnnNotDeterministic, CUDNN_NON_DETERMINISTIC> &&
              same<fake::kDnnDeterministic, CUDNN_DETERMINISTIC>);
static_assert(sizeof(fake::DnnPerformance) == sizeof(cudnnConvolutionFwdAlgoPerf_t) &&
              offsetof(fake::DnnPerformance, memory) ==
                  offsetof(cudnnConvolutionFwdAlgoPerf_t, memory) &&
              offsetof(fake::DnnPerformance, math) ==
                  offsetof(cudnnConvolutionFwdAlgoPerf_t, mathType));
#endif

int main() {
#ifndef RHINO_CUDNN_HEADER
  std::puts("those of cuDNN were not compared: there is no cudnn.h");
#endif
  std::puts("the fakes' declarations are those of the headers");
}
#endif
