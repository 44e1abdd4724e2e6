// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <tuple>

#include "runtime/cuda/driver_api.hpp"

namespace rhino::runtime::cuda {

using DnnResult = int;  ///< 0: it went well
using DnnHandle = struct DnnHandleTag*;
using DnnTensorDesc = struct DnnTensorDescTag*;
using DnnFilterDesc = struct DnnFilterDescTag*;
using DnnConvolutionDesc = struct DnnConvolutionDescTag*;

enum DnnDataType : int { kDnnF32 = 0, kDnnF16 = 2, kDnnBf16 = 9 };
enum DnnFormat : int { kDnnFeaturesFirst = 0, kDnnFeaturesLast = 1 };
enum DnnMode : int { kDnnCrossCorrelation = 1 };
enum DnnMathType : int {
  kDnnDefaultMath = 0,  ///< f32 may be rounded to tf32
  kDnnTensorOpMath = 1,
  kDnnFmaMath = 3,  ///< no tensor cores
};
inline constexpr int kDnnDeterministic = 1;

/// What cuDNN says of one algorithm; the same struct for all three directions.
struct DnnAlgorithm {
  int algorithm;
  DnnResult status;
  float milliseconds;
  std::size_t workspace_bytes;
  int determinism;
  DnnMathType math;
  int reserved[3];
};

/// What is called of cuDNN, by its names of 8 and 9 alike. Algorithms are enums there, one for each
/// direction.
struct CudnnApi {
  std::string path;  ///< of the library
  std::size_t (*cudnnGetVersion)() = nullptr;
  std::size_t (*cudnnGetCudartVersion)() = nullptr;
  const char* (*cudnnGetErrorString)(DnnResult result) = nullptr;
  DnnResult (*cudnnCreate)(DnnHandle* handle) = nullptr;
  DnnResult (*cudnnDestroy)(DnnHandle handle) = nullptr;
  DnnResult (*cudnnSetStream)(DnnHandle handle, CuStream stream) = nullptr;
  DnnResult (*cudnnCreateTensorDescriptor)(DnnTensorDesc* desc) = nullptr;
  DnnResult (*cudnnDestroyTensorDescriptor)(DnnTensorDesc desc) = nullptr;
  DnnResult (*cudnnSetTensorNdDescriptor)(DnnTensorDesc desc, DnnDataType type, int num_dims,
                                          const int* dims, const int* strides) = nullptr;
  DnnResult (*cudnnCreateFilterDescriptor)(DnnFilterDesc* desc) = nullptr;
  DnnResult (*cudnnDestroyFilterDescriptor)(DnnFilterDesc desc) = nullptr;
  DnnResult (*cudnnSetFilterNdDescriptor)(DnnFilterDesc desc, DnnDataType type, DnnFormat format,
                                          int num_dims, const int* dims) = nullptr;
  DnnResult (*cudnnCreateConvolutionDescriptor)(DnnConvolutionDesc* desc) = nullptr;
  DnnResult (*cudnnDestroyConvolutionDescriptor)(DnnConvolutionDesc desc) = nullptr;
  DnnResult (*cudnnSetConvolutionNdDescriptor)(DnnConvolutionDesc desc, int num_spatial,
                                               const int* padding, const int* strides,
                                               const int* dilations, DnnMode mode,
                                               DnnDataType compute) = nullptr;
  DnnResult (*cudnnSetConvolutionMathType)(DnnConvolutionDesc desc, DnnMathType math) = nullptr;
  DnnResult (*cudnnSetConvolutionGroupCount)(DnnConvolutionDesc desc, int groups) = nullptr;
  DnnResult (*cudnnGetConvolutionForwardAlgorithm_v7)(DnnHandle handle, DnnTensorDesc image,
                                                      DnnFilterDesc kernel, DnnConvolutionDesc desc,
                                                      DnnTensorDesc result, int num_wanted,
                                                      int* num_found,
                                                      DnnAlgorithm* found) = nullptr;
  DnnResult (*cudnnGetConvolutionBackwardDataAlgorithm_v7)(
      DnnHandle handle, DnnFilterDesc kernel, DnnTensorDesc result, DnnConvolutionDesc desc,
      DnnTensorDesc image, int num_wanted, int* num_found, DnnAlgorithm* found) = nullptr;
  DnnResult (*cudnnGetConvolutionBackwardFilterAlgorithm_v7)(
      DnnHandle handle, DnnTensorDesc image, DnnTensorDesc result, DnnConvolutionDesc desc,
      DnnFilterDesc kernel, int num_wanted, int* num_found, DnnAlgorithm* found) = nullptr;
  DnnResult (*cudnnGetConvolutionForwardWorkspaceSize)(DnnHandle handle, DnnTensorDesc image,
                                                       DnnFilterDesc kernel,
                                                       DnnConvolutionDesc desc,
                                                       DnnTensorDesc result, int algorithm,
                                                       std::size_t* num_bytes) = nullptr;
  DnnResult (*cudnnGetConvolutionBackwardDataWorkspaceSize)(DnnHandle handle, DnnFilterDesc kernel,
                                                            DnnTensorDesc result,
                                                            DnnConvolutionDesc desc,
                                                            DnnTensorDesc image, int algorithm,
                                                            std::size_t* num_bytes) = nullptr;
  DnnResult (*cudnnGetConvolutionBackwardFilterWorkspaceSize)(DnnHandle handle, DnnTensorDesc image,
                                                              DnnTensorDesc result,
                                                              DnnConvolutionDesc desc,
                                                              DnnFilterDesc kernel, int algorithm,
                                                              std::size_t* num_bytes) = nullptr;
  DnnResult (*cudnnConvolutionForward)(DnnHandle handle, const void* alpha,
                                       DnnTensorDesc image_desc, const void* image,
                                       DnnFilterDesc kernel_desc, const void* kernel,
                                       DnnConvolutionDesc desc, int algorithm, void* workspace,
                                       std::size_t workspace_bytes, const void* beta,
                                       DnnTensorDesc result_desc, void* result) = nullptr;
  DnnResult (*cudnnConvolutionBackwardData)(DnnHandle handle, const void* alpha,
                                            DnnFilterDesc kernel_desc, const void* kernel,
                                            DnnTensorDesc result_desc, const void* result,
                                            DnnConvolutionDesc desc, int algorithm, void* workspace,
                                            std::size_t workspace_bytes, const void* beta,
                                            DnnTensorDesc image_desc, void* image) = nullptr;
  DnnResult (*cudnnConvolutionBackwardFilter)(DnnHandle handle, const void* alpha,
                                              DnnTensorDesc image_desc, const void* image,
                                              DnnTensorDesc result_desc, const void* result,
                                              DnnConvolutionDesc desc, int algorithm,
                                              void* workspace, std::size_t workspace_bytes,
                                              const void* beta, DnnFilterDesc kernel_desc,
                                              void* kernel) = nullptr;
};

constexpr auto entries(const CudnnApi*) {
  using A = CudnnApi;
  return std::tuple(
      Entry{"cudnnGetVersion", &A::cudnnGetVersion},
      Entry{"cudnnGetCudartVersion", &A::cudnnGetCudartVersion},
      Entry{"cudnnGetErrorString", &A::cudnnGetErrorString}, Entry{"cudnnCreate", &A::cudnnCreate},
      Entry{"cudnnDestroy", &A::cudnnDestroy}, Entry{"cudnnSetStream", &A::cudnnSetStream},
      Entry{"cudnnCreateTensorDescriptor", &A::cudnnCreateTensorDescriptor},
      Entry{"cudnnDestroyTensorDescriptor", &A::cudnnDestroyTensorDescriptor},
      Entry{"cudnnSetTensorNdDescriptor", &A::cudnnSetTensorNdDescriptor},
      Entry{"cudnnCreateFilterDescriptor", &A::cudnnCreateFilterDescriptor},
      Entry{"cudnnDestroyFilterDescriptor", &A::cudnnDestroyFilterDescriptor},
      Entry{"cudnnSetFilterNdDescriptor", &A::cudnnSetFilterNdDescriptor},
      Entry{"cudnnCreateConvolutionDescriptor", &A::cudnnCreateConvolutionDescriptor},
      Entry{"cudnnDestroyConvolutionDescriptor", &A::cudnnDestroyConvolutionDescriptor},
      Entry{"cudnnSetConvolutionNdDescriptor", &A::cudnnSetConvolutionNdDescriptor},
      Entry{"cudnnSetConvolutionMathType", &A::cudnnSetConvolutionMathType},
      Entry{"cudnnSetConvolutionGroupCount", &A::cudnnSetConvolutionGroupCount},
      Entry{"cudnnGetConvolutionForwardAlgorithm_v7", &A::cudnnGetConvolutionForwardAlgorithm_v7},
      Entry{"cudnnGetConvolutionBackwardDataAlgorithm_v7",
            &A::cudnnGetConvolutionBackwardDataAlgorithm_v7},
      Entry{"cudnnGetConvolutionBackwardFilterAlgorithm_v7",
            &A::cudnnGetConvolutionBackwardFilterAlgorithm_v7},
      Entry{"cudnnGetConvolutionForwardWorkspaceSize", &A::cudnnGetConvolutionForwardWorkspaceSize},
      Entry{"cudnnGetConvolutionBackwardDataWorkspaceSize",
            &A::cudnnGetConvolutionBackwardDataWorkspaceSize},
      Entry{"cudnnGetConvolutionBackwardFilterWorkspaceSize",
            &A::cudnnGetConvolutionBackwardFilterWorkspaceSize},
      Entry{"cudnnConvolutionForward", &A::cudnnConvolutionForward},
      Entry{"cudnnConvolutionBackwardData", &A::cudnnConvolutionBackwardData},
      Entry{"cudnnConvolutionBackwardFilter", &A::cudnnConvolutionBackwardFilter});
}

}  // namespace rhino::runtime::cuda
