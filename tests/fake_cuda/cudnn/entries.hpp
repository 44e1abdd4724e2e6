// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "../driver/types.hpp"

namespace fake {

struct DnnHandle;
struct DnnTensor;
struct DnnFilter;
struct DnnWindows;

enum : int {
  kDnnSuccess = 0,
  kDnnNotInitialized = 1001,
  kDnnBadParam = 2000,
  kDnnMisalignedPointer = 2003,
  kDnnNotSupported = 3000,
  kDnnExecutionFailed = 5000,
};
enum class DnnType : int { kF32 = 0, kF64 = 1, kF16 = 2, kBf16 = 9 };
enum class DnnFormat : int { kFeaturesFirst = 0, kFeaturesLast = 1 };
enum class DnnMode : int { kConvolution = 0, kCrossCorrelation = 1 };
enum class DnnMath : int { kDefault = 0, kTensorOp = 1, kConverts = 2, kFma = 3 };
enum : int { kDnnNotDeterministic = 0, kDnnDeterministic = 1 };

struct DnnPerformance {
  int algorithm, status;
  float time;
  std::size_t memory;
  int determinism;
  DnnMath math;
  int reserved[3];
};

}  // namespace fake

/// Every entry point of the fake cuDNN, with its type.
#define RHINO_FAKE_CUDNN(X)                                                                       \
  X(cudnnGetVersion, std::size_t())                                                               \
  X(cudnnGetCudartVersion, std::size_t())                                                         \
  X(cudnnGetErrorString, const char*(int))                                                        \
  X(cudnnCreate, int(DnnHandle**))                                                                \
  X(cudnnDestroy, int(DnnHandle*))                                                                \
  X(cudnnSetStream, int(DnnHandle*, Stream*))                                                     \
  X(cudnnCreateTensorDescriptor, int(DnnTensor**))                                                \
  X(cudnnDestroyTensorDescriptor, int(DnnTensor*))                                                \
  X(cudnnSetTensorNdDescriptor, int(DnnTensor*, DnnType, int, const int*, const int*))            \
  X(cudnnCreateFilterDescriptor, int(DnnFilter**))                                                \
  X(cudnnDestroyFilterDescriptor, int(DnnFilter*))                                                \
  X(cudnnSetFilterNdDescriptor, int(DnnFilter*, DnnType, DnnFormat, int, const int*))             \
  X(cudnnCreateConvolutionDescriptor, int(DnnWindows**))                                          \
  X(cudnnDestroyConvolutionDescriptor, int(DnnWindows*))                                          \
  X(cudnnSetConvolutionNdDescriptor,                                                              \
    int(DnnWindows*, int, const int*, const int*, const int*, DnnMode, DnnType))                  \
  X(cudnnSetConvolutionMathType, int(DnnWindows*, DnnMath))                                       \
  X(cudnnSetConvolutionGroupCount, int(DnnWindows*, int))                                         \
  X(cudnnGetConvolutionForwardAlgorithm_v7,                                                       \
    int(DnnHandle*, DnnTensor*, DnnFilter*, DnnWindows*, DnnTensor*, int, int*, DnnPerformance*)) \
  X(cudnnGetConvolutionBackwardDataAlgorithm_v7,                                                  \
    int(DnnHandle*, DnnFilter*, DnnTensor*, DnnWindows*, DnnTensor*, int, int*, DnnPerformance*)) \
  X(cudnnGetConvolutionBackwardFilterAlgorithm_v7,                                                \
    int(DnnHandle*, DnnTensor*, DnnTensor*, DnnWindows*, DnnFilter*, int, int*, DnnPerformance*)) \
  X(cudnnGetConvolutionForwardWorkspaceSize,                                                      \
    int(DnnHandle*, DnnTensor*, DnnFilter*, DnnWindows*, DnnTensor*, int, std::size_t*))          \
  X(cudnnGetConvolutionBackwardDataWorkspaceSize,                                                 \
    int(DnnHandle*, DnnFilter*, DnnTensor*, DnnWindows*, DnnTensor*, int, std::size_t*))          \
  X(cudnnGetConvolutionBackwardFilterWorkspaceSize,                                               \
    int(DnnHandle*, DnnTensor*, DnnTensor*, DnnWindows*, DnnFilter*, int, std::size_t*))          \
  X(cudnnConvolutionForward,                                                                      \
    int(DnnHandle*, const void*, DnnTensor*, const void*, DnnFilter*, const void*, DnnWindows*,   \
        int, void*, std::size_t, const void*, DnnTensor*, void*))                                 \
  X(cudnnConvolutionBackwardData,                                                                 \
    int(DnnHandle*, const void*, DnnFilter*, const void*, DnnTensor*, const void*, DnnWindows*,   \
        int, void*, std::size_t, const void*, DnnTensor*, void*))                                 \
  X(cudnnConvolutionBackwardFilter,                                                               \
    int(DnnHandle*, const void*, DnnTensor*, const void*, DnnTensor*, const void*, DnnWindows*,   \
        int, void*, std::size_t, const void*, DnnFilter*, void*))

namespace fake::declared {
#define RHINO_FAKE_TYPE(name, ...) using name = __VA_ARGS__;
RHINO_FAKE_CUDNN(RHINO_FAKE_TYPE)
#undef RHINO_FAKE_TYPE
}  // namespace fake::declared
