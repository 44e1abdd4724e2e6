// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/lt_library.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "rhino/error.hpp"
#include "runtime/cuda/library_choice.hpp"

namespace rhino::runtime::cuda {
namespace {

/// What NVIDIA recommends for Hopper, and more than older ones ask for.
constexpr std::size_t kMaxWorkspaceBytes = 32 << 20;
constexpr int kTimedRuns = 3;

CublasLtApi load_cublaslt(const Driver& driver) {
  return load_table<CublasLtApi>(cublaslt_sonames(driver.version(), driver.architecture()),
                                 "cuBLASLt, the library of matrix products,");
}

LtDataType data_type(DType dtype) {
  switch (dtype) {
    case DType::f64: return kLtF64;
    case DType::bf16: return kLtBf16;
    case DType::f16: return kLtF16;
    default: return kLtF32;
  }
}

/// Bytes from a matrix's base to behind its last element in any launch.
std::int64_t span_bytes(const LtProblem& problem, const LtMatrix& matrix) {
  std::int64_t further = 0;
  for (const LtProblem::Launch& launch : problem.launches) {
    further = std::max(further, &matrix == &problem.a   ? launch.a
                                : &matrix == &problem.b ? launch.b
                                                        : launch.d);
  }
  return (matrix.offset + further + (problem.batch - 1) * matrix.batch_stride +
          matrix.columns * matrix.leading) *
         dtype_bytes(problem.dtype_of(matrix));
}

/// Memory for a while; none where there is no room.
class Scratch {
 public:
  Scratch(const Driver& driver, CuStream stream, std::int64_t num_bytes) : driver_(driver) {
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(num_bytes, 1));
    if (driver_->cuMemAlloc_v2(&memory_, size) != 0) memory_ = 0;
    if (memory_ != 0)
      driver_.check(driver_->cuMemsetD8Async(memory_, 0, size, stream), "filling memory");
  }
  ~Scratch() {
    if (memory_ != 0) driver_->cuMemFree_v2(memory_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::byte* data() const { return reinterpret_cast<std::byte*>(memory_); }

 private:
  const Driver& driver_;
  CuDevicePtr memory_ = 0;
};

/// A stream and two events to time it with.
class Stopwatch {
 public:
  explicit Stopwatch(const Driver& driver) : driver_(driver) {
    driver_.check(driver_->cuStreamCreate(&stream_, kCuStreamNonBlocking), "making a stream");
    for (CuEvent* event : {&start_, &end_})
      driver_.check(driver_->cuEventCreate(event, 0), "making an event");
  }
  ~Stopwatch() {
    driver_->cuStreamSynchronize(stream_);
    for (CuEvent event : {start_, end_}) driver_->cuEventDestroy_v2(event);
    driver_->cuStreamDestroy_v2(stream_);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  CuStream stream() const { return stream_; }
  template <class Body>
  float milliseconds(Body body) const {
    float result = 0;
    driver_.check(driver_->cuEventRecord(start_, stream_), "recording an event");
    body();
    driver_.check(driver_->cuEventRecord(end_, stream_), "recording an event");
    driver_.check(driver_->cuEventSynchronize(end_), "timing a matrix product");
    driver_.check(driver_->cuEventElapsedTime(&result, start_, end_), "timing a matrix product");
    return result;
  }

 private:
  const Driver& driver_;
  CuStream stream_ = nullptr;
  CuEvent start_ = nullptr, end_ = nullptr;
};

}  // namespace

LtLibrary::LtLibrary(const Driver& driver, LtOptions options)
    : driver_(driver), options_(options), api_(load_cublaslt(driver)) {
  check(api_.cublasLtCreate(&handle_), "starting cuBLASLt");
}

LtLibrary::~LtLibrary() { api_.cublasLtDestroy(handle_); }

void LtLibrary::check(LtResult result, const char* what) const {
  if (result != 0)
    throw Error(std::string(what) + " failed: cuBLASLt (" + api_.path + ") says " +
                std::to_string(result));
}

std::unique_ptr<LtProduct> LtLibrary::prepare(const LtProblem& problem) const {
  std::unique_ptr<LtProduct> product(new LtProduct(*this, problem));
  std::array<LtHeuristicResult, kTimedAlgorithms> found{};
  const int wanted =
      options_.is_timed ? kTimedAlgorithms : std::min(options_.algorithm + 1, kTimedAlgorithms);
  const int count = product->find(std::span(found).first(static_cast<std::size_t>(wanted)));
  if (count == 0) return nullptr;
  const std::span<const LtHeuristicResult> usable(found.data(), static_cast<std::size_t>(count));
  const LtHeuristicResult& chosen = options_.is_timed ? usable.front() : usable.back();
  product->algorithm_ = chosen.algorithm;
  product->workspace_bytes_ = chosen.workspace_bytes;
  if (options_.is_timed && usable.size() > 1) take_quickest(*product, usable);
  return product;
}

/// Where memory for operands is lacking, the first one stays.
void LtLibrary::take_quickest(LtProduct& product, std::span<const LtHeuristicResult> found) const {
  const LtProblem& p = product.problem_;
  const Stopwatch watch(driver_);
  std::size_t workspace_bytes = 0;
  for (const LtHeuristicResult& result : found)
    workspace_bytes = std::max(workspace_bytes, result.workspace_bytes);
  const Scratch a(driver_, watch.stream(), span_bytes(p, p.a)),
      b(driver_, watch.stream(), span_bytes(p, p.b)),
      d(driver_, watch.stream(), span_bytes(p, p.d)),
      workspace(driver_, watch.stream(), static_cast<std::int64_t>(workspace_bytes));
  if (!a.data() || !b.data() || !d.data() || !workspace.data()) return;
  const LtProduct::Memory memory{a.data(), b.data(), d.data(), workspace.data()};
  float least = std::numeric_limits<float>::infinity();
  LtHeuristicResult best = found[0];
  for (const LtHeuristicResult& candidate : found) {
    product.algorithm_ = candidate.algorithm;
    product.workspace_bytes_ = candidate.workspace_bytes;
    product.enqueue(watch.stream(), memory);  // the first run loads code
    const float time = watch.milliseconds([&] {
      for (int run = 0; run < kTimedRuns; ++run) product.enqueue(watch.stream(), memory);
    });
    if (time < least) least = time, best = candidate;
  }
  product.algorithm_ = best.algorithm;
  product.workspace_bytes_ = best.workspace_bytes;
}

LtProduct::LtProduct(const LtLibrary& library, LtProblem problem)
    : library_(library), problem_(std::move(problem)) {
  const CublasLtApi& api = library_.api_;
  const bool is_double = problem_.factors == DType::f64;
  const LtComputeType compute = is_double ? kLtComputeF64
                                : problem_.factors == DType::f32 && library_.options_.uses_tf32
                                    ? kLtComputeF32AsTf32
                                    : kLtComputeF32;
  library_.check(api.cublasLtMatmulDescCreate(&desc_, compute, is_double ? kLtF64 : kLtF32),
                 "describing a matrix product");
  const auto set = [&](LtMatmulAttribute which, bool is_transposed) {
    const std::int32_t value = is_transposed ? kLtTransposed : kLtNotTransposed;
    library_.check(api.cublasLtMatmulDescSetAttribute(desc_, which, &value, sizeof value),
                   "describing a matrix product");
  };
  set(kLtTransposeA, problem_.a.is_transposed);
  set(kLtTransposeB, problem_.b.is_transposed);
  a_ = layout(problem_.a);
  b_ = layout(problem_.b);
  d_ = layout(problem_.d);
}

LtProduct::~LtProduct() {
  const CublasLtApi& api = library_.api_;
  for (LtMatrixLayout layout : {a_, b_, d_}) {
    if (layout) api.cublasLtMatrixLayoutDestroy(layout);
  }
  if (desc_) api.cublasLtMatmulDescDestroy(desc_);
}

LtMatrixLayout LtProduct::layout(const LtMatrix& matrix) const {
  const CublasLtApi& api = library_.api_;
  constexpr const char* kWhat = "describing a matrix";
  LtMatrixLayout layout = nullptr;
  library_.check(
      api.cublasLtMatrixLayoutCreate(&layout, data_type(problem_.dtype_of(matrix)),
                                     static_cast<std::uint64_t>(matrix.rows),
                                     static_cast<std::uint64_t>(matrix.columns), matrix.leading),
      kWhat);
  const auto batch = static_cast<std::int32_t>(problem_.batch);
  library_.check(api.cublasLtMatrixLayoutSetAttribute(layout, kLtBatchCount, &batch, sizeof batch),
                 kWhat);
  library_.check(api.cublasLtMatrixLayoutSetAttribute(layout, kLtBatchStride, &matrix.batch_stride,
                                                      sizeof matrix.batch_stride),
                 kWhat);
  return layout;
}

int LtProduct::find(std::span<LtHeuristicResult> found) const {
  const CublasLtApi& api = library_.api_;
  constexpr const char* kWhat = "asking for an algorithm";
  LtPreference preference = nullptr;
  library_.check(api.cublasLtMatmulPreferenceCreate(&preference), kWhat);
  const auto destroy = [&](LtPreference made) { api.cublasLtMatmulPreferenceDestroy(made); };
  const std::unique_ptr<LtPreferenceTag, decltype(destroy)> owner(preference, destroy);
  const auto set = [&]<class T>(LtPreferenceAttribute which, T value) {
    library_.check(
        api.cublasLtMatmulPreferenceSetAttribute(preference, which, &value, sizeof value), kWhat);
  };
  set(kLtMaxWorkspaceBytes, kMaxWorkspaceBytes);
  set(kLtAlignmentA, problem_.alignment(problem_.a));
  set(kLtAlignmentB, problem_.alignment(problem_.b));
  set(kLtAlignmentC, problem_.alignment(problem_.d));
  set(kLtAlignmentD, problem_.alignment(problem_.d));
  int count = 0;
  const LtResult result =
      api.cublasLtMatmulAlgoGetHeuristic(library_.handle_, desc_, a_, b_, d_, d_, preference,
                                         static_cast<int>(found.size()), found.data(), &count);
  return result == 0 ? count : 0;  // "not supported" is an answer
}

void LtProduct::enqueue(CuStream stream, const Memory& memory) const {
  const LtProblem& p = problem_;
  const auto bytes = [&](const LtMatrix& matrix, std::int64_t further) {
    return (matrix.offset + further) * dtype_bytes(p.dtype_of(matrix));
  };
  const float one = 1, zero = 0;
  const double wide_one = 1, wide_zero = 0;
  const bool is_double = problem_.factors == DType::f64;
  const void* alpha = is_double ? static_cast<const void*>(&wide_one) : &one;
  const void* beta = problem_.adds ? alpha
                     : is_double   ? static_cast<const void*>(&wide_zero)
                                   : &zero;
  for (const LtProblem::Launch& launch : problem_.launches) {
    std::byte* d = memory.d + bytes(p.d, launch.d);
    library_.check(library_.api_.cublasLtMatmul(
                       library_.handle_, desc_, alpha, memory.a + bytes(p.a, launch.a), a_,
                       memory.b + bytes(p.b, launch.b), b_, beta, d, d_, d, d_, &algorithm_,
                       workspace_bytes_ ? memory.workspace : nullptr, workspace_bytes_, stream),
                   "starting a matrix product");
  }
}

}  // namespace rhino::runtime::cuda
