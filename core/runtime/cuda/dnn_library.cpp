// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/dnn_library.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "lower/view.hpp"
#include "rhino/error.hpp"
#include "runtime/cuda/taken_out.hpp"

namespace rhino::runtime::cuda {
namespace {

using Kind = lower::ConvolutionForm::Kind;

constexpr int kMostAlgorithms = 8;
/// The arena is laid out when programs are compiled: a workspace may take one part in so many of
/// the GPU's memory, the same on GPUs that are alike, so that replicas choose alike.
constexpr std::size_t kPartOfMemory = 64;
constexpr DnnResult kNoAlgorithm = -1;
constexpr std::size_t kOldest = 8000, kFirstOf9 = 90000, kBehind9 = 100000;
constexpr std::size_t kCudaMajor = 1000;

DnnDataType dnn_type(DType dtype) {
  switch (dtype) {
    case DType::bf16: return kDnnBf16;
    case DType::f16: return kDnnF16;
    default: return kDnnF32;
  }
}

std::vector<int> ints(const std::vector<std::int64_t>& entries) {
  return {entries.begin(), entries.end()};
}

/// Strides of samples, features, space.
std::vector<int> strides_of(const DnnTensor& tensor, bool features_last) {
  std::vector<std::int64_t> dims = tensor.dims;
  if (features_last) std::rotate(dims.begin() + 1, dims.begin() + 2, dims.end());
  std::vector<std::int64_t> strides = lower::dense_strides(dims);
  if (features_last) std::rotate(strides.begin() + 1, strides.end() - 1, strides.end());
  return ints(strides);
}

void check_version(const CudnnApi& api, int driver_version) {
  const std::size_t version = api.cudnnGetVersion(), cuda = api.cudnnGetCudartVersion();
  const std::string name = "cuDNN " + dnn_version(version) + " (" + api.path + ")";
  if (version < kOldest || version >= kBehind9)
    throw Error(name + " is not taken: 8 and 9 are known");
  if (cuda / kCudaMajor > static_cast<std::size_t>(driver_version) / kCudaMajor)
    throw Error(name + " is for CUDA " + std::to_string(cuda / kCudaMajor) +
                ", and the driver is for " +
                std::to_string(static_cast<std::size_t>(driver_version) / kCudaMajor));
}

}  // namespace

std::string dnn_version(std::size_t number) {
  const std::size_t major = number >= kFirstOf9 ? 10000 : 1000;
  return std::to_string(number / major) + "." + std::to_string(number % major / 100) + "." +
         std::to_string(number % 100);
}

DnnLibrary::DnnLibrary(const Driver& driver, bool uses_tf32)
    : api_(load_table<CudnnApi>({"libcudnn.so.9", "libcudnn.so.8"},
                                "cuDNN, the library of convolutions,")),
      uses_tf32_(uses_tf32) {
  check_version(api_, driver.version());
  std::size_t memory_bytes = 0;
  driver.check(driver->cuDeviceTotalMem_v2(&memory_bytes, driver.device()),
               "asking for the GPU's memory");
  most_workspace_bytes_ = memory_bytes / kPartOfMemory;
  if (const DnnResult result = api_.cudnnCreate(&handle_); result != 0)
    throw Error("starting cuDNN (" + api_.path + ") failed: it says " + words(result));
}

DnnLibrary::~DnnLibrary() { api_.cudnnDestroy(handle_); }

std::string DnnLibrary::name() const { return "cuDNN " + dnn_version(api_.cudnnGetVersion()); }

std::string DnnLibrary::words(DnnResult result) const {
  if (result == kNoAlgorithm) return "that it has no algorithm";
  return std::string(api_.cudnnGetErrorString(result)) + " (" + std::to_string(result) + ")";
}

std::unique_ptr<DnnConvolution> DnnLibrary::prepare(const DnnProblem& problem,
                                                    std::string& refusal) const {
  std::unique_ptr<DnnConvolution> convolution(new DnnConvolution(*this, problem));
  DnnResult result = convolution->describe();
  if (result == 0) result = convolution->find();
  if (result == 0) return convolution;
  refusal = words(result);
  return nullptr;
}

DnnConvolution::DnnConvolution(const DnnLibrary& library, DnnProblem problem)
    : library_(library), problem_(std::move(problem)) {}

DnnConvolution::~DnnConvolution() {
  const CudnnApi& api = library_.api_;
  for (DnnTensorDesc desc : {image_, result_}) {
    if (desc) api.cudnnDestroyTensorDescriptor(desc);
  }
  if (kernel_) api.cudnnDestroyFilterDescriptor(kernel_);
  if (desc_) api.cudnnDestroyConvolutionDescriptor(desc_);
}

DnnResult DnnConvolution::describe(DnnTensorDesc& desc, const DnnTensor& tensor) {
  const CudnnApi& api = library_.api_;
  if (const DnnResult result = api.cudnnCreateTensorDescriptor(&desc)) return result;
  return api.cudnnSetTensorNdDescriptor(
      desc, dnn_type(problem_.dtype), static_cast<int>(tensor.dims.size()),
      ints(tensor.dims).data(), strides_of(tensor, problem_.features_last).data());
}

/// Sums are in f32, of 16 bits too.
DnnResult DnnConvolution::describe() {
  const CudnnApi& api = library_.api_;
  const DnnProblem& p = problem_;
  if (const DnnResult result = describe(image_, p.image)) return result;
  if (const DnnResult result = describe(result_, p.result)) return result;
  if (const DnnResult result = api.cudnnCreateFilterDescriptor(&kernel_)) return result;
  if (const DnnResult result = api.cudnnSetFilterNdDescriptor(
          kernel_, dnn_type(p.dtype), p.features_last ? kDnnFeaturesLast : kDnnFeaturesFirst,
          static_cast<int>(p.kernel.dims.size()), ints(p.kernel.dims).data()))
    return result;
  if (const DnnResult result = api.cudnnCreateConvolutionDescriptor(&desc_)) return result;
  if (const DnnResult result = api.cudnnSetConvolutionNdDescriptor(
          desc_, static_cast<int>(p.strides.size()), ints(p.padding).data(), ints(p.strides).data(),
          ints(p.dilations).data(), kDnnCrossCorrelation, kDnnF32))
    return result;
  if (const DnnResult result = api.cudnnSetConvolutionGroupCount(desc_, static_cast<int>(p.groups)))
    return result;
  // What modes permit is from memory of NVIDIA's documentation; no header says it.
  const DnnMathType math = is_narrow(p.dtype)    ? kDnnTensorOpMath
                           : library_.uses_tf32_ ? kDnnDefaultMath
                                                 : kDnnFmaMath;
  return api.cudnnSetConvolutionMathType(desc_, math);
}

/// The first of those that the heuristics name that will do.
DnnResult DnnConvolution::find() {
  const CudnnApi& api = library_.api_;
  std::array<DnnAlgorithm, kMostAlgorithms> found{};
  int count = 0;
  const auto ask = [&](auto function, auto first, auto second, auto third) {
    return function(library_.handle_, first, second, desc_, third, kMostAlgorithms, &count,
                    found.data());
  };
  const DnnResult result =
      problem_.kind == Kind::forward
          ? ask(api.cudnnGetConvolutionForwardAlgorithm_v7, image_, kernel_, result_)
      : problem_.kind == Kind::image
          ? ask(api.cudnnGetConvolutionBackwardDataAlgorithm_v7, kernel_, result_, image_)
          : ask(api.cudnnGetConvolutionBackwardFilterAlgorithm_v7, image_, result_, kernel_);
  if (result != 0) return result;
  for (const DnnAlgorithm& candidate : std::span(found).first(static_cast<std::size_t>(count))) {
    if (take(candidate) == 0) return 0;
  }
  return kNoAlgorithm;
}

DnnResult DnnConvolution::take(const DnnAlgorithm& candidate) {
  const CudnnApi& api = library_.api_;
  const bool is_wide = !is_narrow(problem_.dtype);
  // With f32 the others convert to 16 bits, or to tf32.
  const bool keeps_word = !is_wide || candidate.math == kDnnFmaMath ||
                          candidate.math == kDnnDefaultMath ||
                          (library_.uses_tf32_ && candidate.math == kDnnTensorOpMath);
  if (candidate.status != 0 || candidate.determinism != kDnnDeterministic || !keeps_word)
    return kNoAlgorithm;
  const DnnMathType math = is_wide && !library_.uses_tf32_ ? kDnnFmaMath : candidate.math;
  if (const DnnResult result = api.cudnnSetConvolutionMathType(desc_, math)) return result;
  std::size_t num_bytes = 0;
  const auto ask = [&](auto function, auto first, auto second, auto third) {
    return function(library_.handle_, first, second, desc_, third, candidate.algorithm, &num_bytes);
  };
  const DnnResult result =
      problem_.kind == Kind::forward
          ? ask(api.cudnnGetConvolutionForwardWorkspaceSize, image_, kernel_, result_)
      : problem_.kind == Kind::image
          ? ask(api.cudnnGetConvolutionBackwardDataWorkspaceSize, kernel_, result_, image_)
          : ask(api.cudnnGetConvolutionBackwardFilterWorkspaceSize, image_, result_, kernel_);
  if (result != 0) return result;
  if (num_bytes > library_.most_workspace_bytes_) return kNoAlgorithm;
  algorithm_ = candidate.algorithm;
  workspace_bytes_ = num_bytes;
  return 0;
}

void DnnConvolution::enqueue(CuStream stream, const Memory& memory) const {
  const CudnnApi& api = library_.api_;
  const DnnProblem& p = problem_;
  const auto at = [&](std::byte* base, const DnnTensor& tensor) {
    return base + tensor.offset * dtype_bytes(p.dtype);
  };
  void *image = at(memory.image, p.image), *kernel = at(memory.kernel, p.kernel),
       *made = at(memory.result, p.result);
  const float one = 1, zero = 0;
  void* workspace = workspace_bytes_ > 0 ? memory.workspace : nullptr;
  DnnResult result =
      is_taken_out("stream:cudnn") ? 0 : api.cudnnSetStream(library_.handle_, stream);
  if (result == 0) {
    switch (p.kind) {
      case Kind::forward:
        result = api.cudnnConvolutionForward(library_.handle_, &one, image_, image, kernel_, kernel,
                                             desc_, algorithm_, workspace, workspace_bytes_, &zero,
                                             result_, made);
        break;
      case Kind::image:
        result = api.cudnnConvolutionBackwardData(library_.handle_, &one, kernel_, kernel, result_,
                                                  made, desc_, algorithm_, workspace,
                                                  workspace_bytes_, &zero, image_, image);
        break;
      case Kind::kernel:
        result = api.cudnnConvolutionBackwardFilter(library_.handle_, &one, image_, image, result_,
                                                    made, desc_, algorithm_, workspace,
                                                    workspace_bytes_, &zero, kernel_, kernel);
        break;
    }
  }
  if (result != 0)
    throw Error("starting a convolution failed: cuDNN (" + library_.api_.path + ") says " +
                library_.words(result));
}

}  // namespace rhino::runtime::cuda
