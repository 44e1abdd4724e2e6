// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "../common/faults.hpp"
#include "../common/settings.hpp"
#include "../driver/entries.hpp"
#include "../driver/operations.hpp"
#include "convolution.hpp"

extern "C" fake::declared::cuCtxGetDevice cuCtxGetDevice;

namespace fake {

struct DnnHandle {
  Stream* stream = nullptr;
};

namespace {

constexpr std::int64_t kVersion = 91900, kCudart = 12090;
constexpr std::size_t kWorkspace = 1 << 16, kEndless = std::size_t{1} << 40;
constexpr std::uintptr_t kAlignment = 16;

/// Algorithms of any direction, by their numbers: none of those that come first will do.
enum : int { kSlowest, kHalving, kUnlike, kRefused, kEndlessWorkspace, kConverting };

template <class Body>
int call(const char* entry, Body body) {
  const Lock lock;
#define RHINO_FAKE_NAME(name, ...) #name,
  static auto* const faults = new Faults("cudnn", {RHINO_FAKE_CUDNN(RHINO_FAKE_NAME)});
#undef RHINO_FAKE_NAME
  if (const auto code = faults->next(entry)) return *code;
  int result = kDnnSuccess;
  try {
    result = body();
  } catch (Result) {  // of a stream that is not there
    result = kDnnBadParam;
  }
  close_memory();
  return result;
}

std::size_t workspace_of(int algorithm) {
  return algorithm == kHalving ? kWorkspace : algorithm == kEndlessWorkspace ? kEndless : 0;
}

std::vector<DnnPerformance> algorithms_of(const DnnProblem& p) {
  const DnnMath math = p.windows.math;
  const auto one = [&](int number) {
    return DnnPerformance{number,
                          number == kRefused ? kDnnNotSupported : kDnnSuccess,
                          number == kRefused ? -1.0f : 1.0f,
                          workspace_of(number),
                          number == kUnlike ? kDnnNotDeterministic : kDnnDeterministic,
                          number == kConverting ? DnnMath::kConverts : math,
                          {}};
  };
  std::vector<DnnPerformance> found{one(kEndlessWorkspace), one(kUnlike), one(kRefused)};
  if (p.x.type == DnnType::kF32) found.push_back(one(kConverting));
  found.push_back(one(kHalving));
  found.push_back(one(kSlowest));
  return found;
}

DnnProblem problem_of(DnnDirection direction, const DnnTensor* x, const DnnFilter* w,
                      const DnnWindows* windows, const DnnTensor* y) {
  DnnProblem p;
  p.direction = direction;
  p.x = *x;
  p.w = *w;
  p.y = *y;
  p.windows = *windows;
  return p;
}

int find(const DnnProblem& p, int wanted, int* count, DnnPerformance* results) {
  *count = 0;
  if (wanted < 1) return kDnnBadParam;
  if (const int code = check_problem(p)) return code;
  for (const DnnPerformance& one : algorithms_of(p)) {
    if (*count < wanted) results[(*count)++] = one;
  }
  return kDnnSuccess;
}

int ask_workspace(const DnnProblem& p, int algorithm, std::size_t* num_bytes) {
  if (const int code = check_problem(p)) return code;
  if (algorithm > kConverting) return kDnnNotSupported;
  *num_bytes = workspace_of(algorithm);
  return kDnnSuccess;
}

int refuse_call(int code, const std::string& sentence) {
  say("cudnn: " + sentence);
  return code;
}

/// The next call of an algorithm that does not repeat its sums adds up in another order.
DnnSummation summation_of(int algorithm) {
  static int calls = 0;
  if (algorithm == kHalving) return DnnSummation::kHalves;
  if (algorithm != kUnlike) return DnnSummation::kForward;
  return ++calls % 2 == 0 ? DnnSummation::kForward : DnnSummation::kBackward;
}

struct Call {
  int algorithm = 0;
  void* workspace = nullptr;
  std::size_t workspace_bytes = 0;
  const void *alpha = nullptr, *beta = nullptr;
};

bool touch_all(Operation& op, const DnnProblem& p, void* workspace, std::size_t workspace_bytes) {
  const auto access = [&](void* at, std::size_t bytes, DnnDirection made) {
    if (p.direction != made) return touch(op, at, bytes, false);
    if (p.beta != 0 && !touch(op, at, bytes, false)) return false;
    return touch(op, at, bytes, true);
  };
  return access(p.at_x, span_bytes(p.x), DnnDirection::kData) &&
         access(p.at_w, span_bytes(p.w), DnnDirection::kFilter) &&
         access(p.at_y, span_bytes(p.y), DnnDirection::kForward) &&
         touch(op, workspace, workspace_bytes, true);
}

int run(DnnHandle* handle, DnnProblem p, DnnWindows* windows, const Call& c) {
  if (const int code = check_problem(p)) return code;
  if (c.algorithm == kRefused || c.algorithm > kConverting) return kDnnNotSupported;
  const std::size_t needed = workspace_of(c.algorithm);
  if (c.workspace_bytes < needed || (needed > 0 && !c.workspace))
    return refuse_call(kDnnBadParam,
                       "the algorithm wants " + std::to_string(needed) + " bytes of workspace");
  for (const void* at : {p.at_x, p.at_w, p.at_y}) {
    if (reinterpret_cast<std::uintptr_t>(at) % kAlignment != 0)
      return refuse_call(kDnnMisalignedPointer, "a tensor is not aligned to 16 bytes");
  }
  p.alpha = *static_cast<const float*>(c.alpha);
  p.beta = *static_cast<const float*>(c.beta);
  p.summation = summation_of(c.algorithm);
  Stream& on = stream_of(handle->stream);
  if (!windows->was_run && captured(on)) {  // it loads code, which no capture permits
    refuse_captured(on);
    return kDnnExecutionFailed;
  }
  windows->was_run = true;
  enqueue(on, "convolution", [p, needed, workspace = c.workspace](Operation& op) {
    constexpr int kRubbish = 0xFF;
    if (!touch_all(op, p, workspace, needed)) return true;
    if (needed > 0) std::memset(workspace, kRubbish, needed);
    convolve(p);
    return true;
  });
  return kDnnSuccess;
}

template <class T>
int create(T** object) {
  *object = new T{};
  return kDnnSuccess;
}

template <class T>
int destroy(T* object) {
  if (!object) return kDnnBadParam;
  delete object;
  return kDnnSuccess;
}

std::vector<int> list(const int* entries, int count) { return {entries, entries + count}; }

void* writable(const void* at) { return const_cast<void*>(at); }

}  // namespace
}  // namespace fake

using namespace fake;

#pragma GCC visibility push(default)
extern "C" {

// A definition of another type is an error.
#define RHINO_FAKE_DECLARE(name, ...) fake::declared::name name;
RHINO_FAKE_CUDNN(RHINO_FAKE_DECLARE)
#undef RHINO_FAKE_DECLARE

const char* fake_cudnn_entries() {
#define RHINO_FAKE_LINE(name, ...) #name "\n"
  return RHINO_FAKE_CUDNN(RHINO_FAKE_LINE);
#undef RHINO_FAKE_LINE
}

std::size_t cudnnGetVersion() {
  return static_cast<std::size_t>(number_setting("FAKE_CUDNN_VERSION", kVersion));
}

std::size_t cudnnGetCudartVersion() {
  return static_cast<std::size_t>(number_setting("FAKE_CUDNN_CUDA", kCudart));
}

const char* cudnnGetErrorString(int code) {
  switch (code) {
    case kDnnSuccess: return "CUDNN_STATUS_SUCCESS";
    case kDnnNotInitialized: return "CUDNN_STATUS_NOT_INITIALIZED";
    case kDnnBadParam: return "CUDNN_STATUS_BAD_PARAM";
    case kDnnMisalignedPointer: return "CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER";
    case kDnnNotSupported: return "CUDNN_STATUS_NOT_SUPPORTED";
    case kDnnExecutionFailed: return "CUDNN_STATUS_EXECUTION_FAILED";
    default: return "unknown";
  }
}

int cudnnCreate(DnnHandle** handle) {
  return call(__func__, [&]() -> int {
    Ordinal device = 0;
    return cuCtxGetDevice(&device) ? kDnnNotInitialized : create(handle);
  });
}

int cudnnDestroy(DnnHandle* handle) {
  return call(__func__, [&] { return destroy(handle); });
}

int cudnnSetStream(DnnHandle* handle, Stream* stream) {
  return call(__func__, [&]() -> int {
    if (!handle) return kDnnBadParam;
    stream_of(stream);
    handle->stream = stream;
    return kDnnSuccess;
  });
}

int cudnnCreateTensorDescriptor(DnnTensor** desc) {
  return call(__func__, [&] { return create(desc); });
}

int cudnnDestroyTensorDescriptor(DnnTensor* desc) {
  return call(__func__, [&] { return destroy(desc); });
}

int cudnnSetTensorNdDescriptor(DnnTensor* desc, DnnType type, int count, const int* dims,
                               const int* strides) {
  return call(__func__, [&]() -> int {
    if (!desc || count < 4) return kDnnBadParam;
    *desc = {type, list(dims, count), list(strides, count)};
    return kDnnSuccess;
  });
}

int cudnnCreateFilterDescriptor(DnnFilter** desc) {
  return call(__func__, [&] { return create(desc); });
}

int cudnnDestroyFilterDescriptor(DnnFilter* desc) {
  return call(__func__, [&] { return destroy(desc); });
}

int cudnnSetFilterNdDescriptor(DnnFilter* desc, DnnType type, DnnFormat format, int count,
                               const int* dims) {
  return call(__func__, [&]() -> int {
    if (!desc || count < 4) return kDnnBadParam;
    *desc = {type, format, list(dims, count)};
    return kDnnSuccess;
  });
}

int cudnnCreateConvolutionDescriptor(DnnWindows** desc) {
  return call(__func__, [&] { return create(desc); });
}

int cudnnDestroyConvolutionDescriptor(DnnWindows* desc) {
  return call(__func__, [&] { return destroy(desc); });
}

int cudnnSetConvolutionNdDescriptor(DnnWindows* desc, int count, const int* padding,
                                    const int* strides, const int* dilations, DnnMode mode,
                                    DnnType compute) {
  return call(__func__, [&]() -> int {
    if (!desc || count < 2) return kDnnBadParam;
    desc->padding = list(padding, count);
    desc->strides = list(strides, count);
    desc->dilations = list(dilations, count);
    desc->mode = mode;
    desc->compute = compute;
    return kDnnSuccess;
  });
}

int cudnnSetConvolutionMathType(DnnWindows* desc, DnnMath math) {
  return call(__func__, [&]() -> int {
    if (!desc) return kDnnBadParam;
    desc->math = math;
    return kDnnSuccess;
  });
}

int cudnnSetConvolutionGroupCount(DnnWindows* desc, int groups) {
  return call(__func__, [&]() -> int {
    if (!desc || groups < 1) return kDnnBadParam;
    desc->groups = groups;
    return kDnnSuccess;
  });
}

int cudnnGetConvolutionForwardAlgorithm_v7(DnnHandle*, DnnTensor* x, DnnFilter* w,
                                           DnnWindows* windows, DnnTensor* y, int wanted,
                                           int* count, DnnPerformance* results) {
  return call(__func__, [&] {
    return find(problem_of(DnnDirection::kForward, x, w, windows, y), wanted, count, results);
  });
}

int cudnnGetConvolutionBackwardDataAlgorithm_v7(DnnHandle*, DnnFilter* w, DnnTensor* y,
                                                DnnWindows* windows, DnnTensor* x, int wanted,
                                                int* count, DnnPerformance* results) {
  return call(__func__, [&] {
    return find(problem_of(DnnDirection::kData, x, w, windows, y), wanted, count, results);
  });
}

int cudnnGetConvolutionBackwardFilterAlgorithm_v7(DnnHandle*, DnnTensor* x, DnnTensor* y,
                                                  DnnWindows* windows, DnnFilter* w, int wanted,
                                                  int* count, DnnPerformance* results) {
  return call(__func__, [&] {
    return find(problem_of(DnnDirection::kFilter, x, w, windows, y), wanted, count, results);
  });
}

int cudnnGetConvolutionForwardWorkspaceSize(DnnHandle*, DnnTensor* x, DnnFilter* w,
                                            DnnWindows* windows, DnnTensor* y, int algorithm,
                                            std::size_t* num_bytes) {
  return call(__func__, [&] {
    return ask_workspace(problem_of(DnnDirection::kForward, x, w, windows, y), algorithm,
                         num_bytes);
  });
}

int cudnnGetConvolutionBackwardDataWorkspaceSize(DnnHandle*, DnnFilter* w, DnnTensor* y,
                                                 DnnWindows* windows, DnnTensor* x, int algorithm,
                                                 std::size_t* num_bytes) {
  return call(__func__, [&] {
    return ask_workspace(problem_of(DnnDirection::kData, x, w, windows, y), algorithm, num_bytes);
  });
}

int cudnnGetConvolutionBackwardFilterWorkspaceSize(DnnHandle*, DnnTensor* x, DnnTensor* y,
                                                   DnnWindows* windows, DnnFilter* w, int algorithm,
                                                   std::size_t* num_bytes) {
  return call(__func__, [&] {
    return ask_workspace(problem_of(DnnDirection::kFilter, x, w, windows, y), algorithm, num_bytes);
  });
}

int cudnnConvolutionForward(DnnHandle* handle, const void* alpha, DnnTensor* x, const void* at_x,
                            DnnFilter* w, const void* at_w, DnnWindows* windows, int algorithm,
                            void* workspace, std::size_t workspace_bytes, const void* beta,
                            DnnTensor* y, void* at_y) {
  return call(__func__, [&] {
    DnnProblem p = problem_of(DnnDirection::kForward, x, w, windows, y);
    p.at_x = writable(at_x), p.at_w = writable(at_w), p.at_y = at_y;
    return run(handle, p, windows, {algorithm, workspace, workspace_bytes, alpha, beta});
  });
}

int cudnnConvolutionBackwardData(DnnHandle* handle, const void* alpha, DnnFilter* w,
                                 const void* at_w, DnnTensor* y, const void* at_y,
                                 DnnWindows* windows, int algorithm, void* workspace,
                                 std::size_t workspace_bytes, const void* beta, DnnTensor* x,
                                 void* at_x) {
  return call(__func__, [&] {
    DnnProblem p = problem_of(DnnDirection::kData, x, w, windows, y);
    p.at_x = at_x, p.at_w = writable(at_w), p.at_y = writable(at_y);
    return run(handle, p, windows, {algorithm, workspace, workspace_bytes, alpha, beta});
  });
}

int cudnnConvolutionBackwardFilter(DnnHandle* handle, const void* alpha, DnnTensor* x,
                                   const void* at_x, DnnTensor* y, const void* at_y,
                                   DnnWindows* windows, int algorithm, void* workspace,
                                   std::size_t workspace_bytes, const void* beta, DnnFilter* w,
                                   void* at_w) {
  return call(__func__, [&] {
    DnnProblem p = problem_of(DnnDirection::kFilter, x, w, windows, y);
    p.at_x = writable(at_x), p.at_w = at_w, p.at_y = writable(at_y);
    return run(handle, p, windows, {algorithm, workspace, workspace_bytes, alpha, beta});
  });
}
}
#pragma GCC visibility pop
