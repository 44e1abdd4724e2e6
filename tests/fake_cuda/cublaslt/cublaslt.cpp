// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <string>

#include "../common/faults.hpp"
#include "../common/settings.hpp"
#include "../driver/entries.hpp"
#include "../driver/operations.hpp"
#include "entries.hpp"
#include "product.hpp"

extern "C" fake::declared::cuCtxGetDevice cuCtxGetDevice;

namespace fake {

struct LtHandle {
  Ordinal device = 0;
};

namespace {

constexpr std::size_t kVersion = 120900;
constexpr std::uint64_t kMark = 0x66616b65;  // of our algorithms
constexpr std::uint64_t kWorkspace = 1 << 16;
constexpr std::uint64_t kWorkspaceAlignment = 256;

/// What an algorithm's opaque words hold.
struct Choice {
  std::uint64_t mark, summation, workspace_bytes, alignment, problem, unused[3];
};
static_assert(sizeof(Choice) == sizeof(LtAlgorithm));

template <class Body>
int call(const char* entry, Body body) {
  const Lock lock;
#define RHINO_FAKE_NAME(name, ...) #name,
  static auto* const faults = new Faults("cublasLt", {RHINO_FAKE_CUBLASLT(RHINO_FAKE_NAME)});
#undef RHINO_FAKE_NAME
  if (const auto code = faults->next(entry)) return *code;
  int result = kLtSuccess;
  try {
    result = body();
  } catch (Result) {  // of a stream that is not there
    result = kLtInvalidValue;
  }
  close_memory();
  return result;
}

template <class T>
int set(T& field, const void* value, std::size_t size) {
  if (!value || size != sizeof field) return kLtInvalidValue;
  std::memcpy(&field, value, size);
  return kLtSuccess;
}

/// An algorithm is for the problem that it was found for.
std::uint64_t problem_of(const Product& p) {
  std::uint64_t h = 14695981039346656037u;
  const auto mix = [&](std::uint64_t v) { h = (h ^ v) * 1099511628211u; };
  for (const LtLayout* l : {&p.a, &p.b, &p.c, &p.d}) {
    for (const auto v :
         {static_cast<std::uint64_t>(l->type), l->rows, l->columns,
          static_cast<std::uint64_t>(l->leading), static_cast<std::uint64_t>(l->batch),
          static_cast<std::uint64_t>(l->order)}) {
      mix(v);
    }
  }
  for (const int v : {static_cast<int>(p.desc.compute), p.desc.transpose_a, p.desc.transpose_b,
                      p.desc.epilogue}) {
    mix(static_cast<std::uint64_t>(v));
  }
  return h;
}

std::uint64_t pack(const std::uint32_t alignment[4]) {
  std::uint64_t packed = 0;
  for (int i = 0; i < 4; ++i)
    packed |= std::uint64_t{std::min<std::uint32_t>(alignment[i], 0xffff)} << (16 * i);
  return packed;
}

int find_algorithms(const Product& p, const LtPreference& preference, int wanted,
                    LtHeuristicResult* results) {
  int found = 0;
  for (const Summation s : {Summation::kHalves, Summation::kForward, Summation::kBackward}) {
    const std::uint64_t workspace = s == Summation::kHalves ? kWorkspace : 0;
    if (found == wanted || workspace > preference.workspace_bytes) continue;
    const Choice choice{kMark,         static_cast<std::uint64_t>(s),
                        workspace,     pack(preference.alignment),
                        problem_of(p), {}};
    LtHeuristicResult& r = results[found++] = {};
    std::memcpy(&r.algorithm, &choice, sizeof choice);
    r.workspace_bytes = workspace;
    r.waves = 1;
  }
  return found;
}

bool aligned(const void* at, std::uint64_t unit) {
  return unit < 2 || reinterpret_cast<std::uintptr_t>(at) % unit == 0;
}

int refuse_call(const std::string& sentence) {
  say("cublasLt: " + sentence);
  return kLtInvalidValue;
}

/// Whether the call keeps what its algorithm was promised.
int check_choice(const Product& p, const Choice& choice, const void* workspace,
                 std::size_t workspace_bytes) {
  if (choice.mark != kMark || choice.problem != problem_of(p)) {
    return refuse_call("the algorithm was not found for this problem");
  }
  if (workspace_bytes < choice.workspace_bytes || (choice.workspace_bytes && !workspace)) {
    return refuse_call("the algorithm wants " + std::to_string(choice.workspace_bytes) +
                       " bytes of workspace");
  }
  if (choice.workspace_bytes && !aligned(workspace, kWorkspaceAlignment))
    return refuse_call("the workspace is not aligned to 256 bytes");
  const void* pointers[] = {p.at_a, p.at_b, p.at_c, p.at_d};
  for (int i = 0; i < 4; ++i) {
    if (i == 2 && p.beta == 0) continue;
    if (!aligned(pointers[i], choice.alignment >> (16 * i) & 0xffff)) {
      fail(kMisalignedAddress,
           std::string("cublasLt: ") + "ABCD"[i] +
               " is less aligned than the preference said that found the algorithm");
    }
  }
  return kLtSuccess;
}

bool touch_all(Operation& op, const Product& p, void* workspace, std::size_t workspace_bytes) {
  if (!touch(op, p.at_a, span_bytes(p.a), false) || !touch(op, p.at_b, span_bytes(p.b), false))
    return false;
  if (p.beta != 0 && !touch(op, p.at_c, span_bytes(p.c), false)) return false;
  if (has_bias(p.desc) && !touch(op, p.desc.bias, p.d.rows * bytes_of(p.d.type), false))
    return false;
  // Between columns lies what is not the product's.
  const LtLayout& d = p.d;
  const std::uint64_t major = d.order == kLtRows ? d.rows : d.columns,
                      minor = d.order == kLtRows ? d.columns : d.rows;
  for (std::int64_t z = 0; z < d.batch; ++z) {
    for (std::uint64_t i = 0; i < major; ++i) {
      const std::int64_t first = z * d.stride + static_cast<std::int64_t>(i) * d.leading;
      char* at = static_cast<char*>(p.at_d) + static_cast<std::size_t>(first) * bytes_of(d.type);
      if (!touch(op, at, minor * bytes_of(d.type), true)) return false;
    }
  }
  return touch(op, workspace, workspace_bytes, true);
}

double scalar(const void* at, LtType type) {
  if (type == LtType::kF64) return *static_cast<const double*>(at);
  return *static_cast<const float*>(at);
}

void enqueue_product(const Product& p, void* workspace, std::size_t workspace_bytes,
                     Stream& stream) {
  enqueue(stream, "matmul", [=](Operation& op) {
    if (!touch_all(op, p, workspace, workspace_bytes)) return true;
    constexpr int kRubbish = 0xFF;
    if (workspace_bytes) std::memset(workspace, kRubbish, workspace_bytes);
    multiply(p);
    return true;
  });
}

Product product_of(const LtDesc* desc, const LtLayout* a, const LtLayout* b, const LtLayout* c,
                   const LtLayout* d) {
  Product p;
  p.desc = *desc;
  p.a = *a;
  p.b = *b;
  p.c = *c;
  p.d = *d;
  return p;
}

template <class T>
int destroy(T* object) {
  if (!object) return kLtInvalidValue;
  delete object;
  return kLtSuccess;
}

}  // namespace
}  // namespace fake

using namespace fake;

#pragma GCC visibility push(default)
extern "C" {

// A definition of another type is an error.
#define RHINO_FAKE_DECLARE(name, ...) fake::declared::name name;
RHINO_FAKE_CUBLASLT(RHINO_FAKE_DECLARE)
#undef RHINO_FAKE_DECLARE

const char* fake_cublaslt_entries() {
#define RHINO_FAKE_LINE(name, ...) #name "\n"
  return RHINO_FAKE_CUBLASLT(RHINO_FAKE_LINE);
#undef RHINO_FAKE_LINE
}

std::size_t cublasLtGetVersion() { return kVersion; }

const char* cublasLtGetStatusString(int code) {
  return code == kLtSuccess          ? "CUBLAS_STATUS_SUCCESS"
         : code == kLtInvalidValue   ? "CUBLAS_STATUS_INVALID_VALUE"
         : code == kLtNotSupported   ? "CUBLAS_STATUS_NOT_SUPPORTED"
         : code == kLtNotInitialized ? "CUBLAS_STATUS_NOT_INITIALIZED"
                                     : "unknown";
}

int cublasLtCreate(LtHandle** handle) {
  return call(__func__, [&]() -> int {
    Ordinal device = 0;
    if (cuCtxGetDevice(&device)) return kLtNotInitialized;
    *handle = new LtHandle{device};
    return kLtSuccess;
  });
}

int cublasLtDestroy(LtHandle* handle) {
  return call(__func__, [&] { return destroy(handle); });
}

int cublasLtMatmulDescCreate(LtDesc** desc, LtCompute compute, LtType scale) {
  return call(__func__, [&]() -> int {
    *desc = new LtDesc{};
    (*desc)->compute = compute;
    (*desc)->scale = scale;
    return kLtSuccess;
  });
}

int cublasLtMatmulDescDestroy(LtDesc* desc) {
  return call(__func__, [&] { return destroy(desc); });
}

int cublasLtMatmulDescSetAttribute(LtDesc* desc, int which, const void* value, std::size_t size) {
  return call(__func__, [&]() -> int {
    switch (which) {
      case kLtDescPointerMode: return set(desc->pointer_mode, value, size);
      case kLtDescTransposeA: return set(desc->transpose_a, value, size);
      case kLtDescTransposeB: return set(desc->transpose_b, value, size);
      case kLtDescEpilogue: return set(desc->epilogue, value, size);
      case kLtDescBias: return set(desc->bias, value, size);
      default: return kLtInvalidValue;
    }
  });
}

int cublasLtMatrixLayoutCreate(LtLayout** layout, LtType type, std::uint64_t rows,
                               std::uint64_t columns, std::int64_t leading) {
  return call(__func__, [&]() -> int {
    *layout = new LtLayout{type, rows, columns, leading, 0, 1, kLtColumns};
    return kLtSuccess;
  });
}

int cublasLtMatrixLayoutDestroy(LtLayout* layout) {
  return call(__func__, [&] { return destroy(layout); });
}

int cublasLtMatrixLayoutSetAttribute(LtLayout* layout, int which, const void* value,
                                     std::size_t size) {
  return call(__func__, [&]() -> int {
    switch (which) {
      case kLtLayoutType: return set(layout->type, value, size);
      case kLtLayoutOrder: return set(layout->order, value, size);
      case kLtLayoutNumRows: return set(layout->rows, value, size);
      case kLtLayoutNumColumns: return set(layout->columns, value, size);
      case kLtLayoutLeading: return set(layout->leading, value, size);
      case kLtLayoutBatch: return set(layout->batch, value, size);
      case kLtLayoutStride: return set(layout->stride, value, size);
      default: return kLtInvalidValue;
    }
  });
}

int cublasLtMatmulPreferenceCreate(LtPreference** preference) {
  return call(__func__, [&]() -> int {
    *preference = new LtPreference;
    return kLtSuccess;
  });
}

int cublasLtMatmulPreferenceDestroy(LtPreference* preference) {
  return call(__func__, [&] { return destroy(preference); });
}

int cublasLtMatmulPreferenceSetAttribute(LtPreference* preference, int which, const void* value,
                                         std::size_t size) {
  return call(__func__, [&]() -> int {
    if (which == kLtPreferenceWorkspace) return set(preference->workspace_bytes, value, size);
    if (which < kLtPreferenceAlignmentA || which > kLtPreferenceAlignmentD) return kLtInvalidValue;
    return set(preference->alignment[which - kLtPreferenceAlignmentA], value, size);
  });
}

int cublasLtMatmulAlgoGetHeuristic(LtHandle* handle, LtDesc* desc, LtLayout* a, LtLayout* b,
                                   LtLayout* c, LtLayout* d, LtPreference* preference, int wanted,
                                   LtHeuristicResult* results, int* found) {
  return call(__func__, [&]() -> int {
    if (!handle || !desc || !a || !b || !c || !d || !preference || wanted < 1)
      return kLtInvalidValue;
    *found = 0;
    const Product p = product_of(desc, a, b, c, d);
    if (const int code = check_product(p)) return code;
    *found = find_algorithms(p, *preference, wanted, results);
    return kLtSuccess;
  });
}

int cublasLtMatmul(LtHandle* handle, LtDesc* desc, const void* alpha, const void* at_a, LtLayout* a,
                   const void* at_b, LtLayout* b, const void* beta, const void* at_c, LtLayout* c,
                   void* at_d, LtLayout* d, const LtAlgorithm* algorithm, void* workspace,
                   std::size_t workspace_bytes, Stream* stream) {
  return call(__func__, [&]() -> int {
    if (!handle || !desc || !a || !b || !c || !d || !alpha || !beta) return kLtInvalidValue;
    if (desc->pointer_mode != 0) return kLtNotSupported;
    Product p = product_of(desc, a, b, c, d);
    p.at_a = at_a;
    p.at_b = at_b;
    p.at_c = at_c;
    p.at_d = at_d;
    if (const int code = check_product(p)) return code;
    p.alpha = scalar(alpha, desc->scale);
    p.beta = scalar(beta, desc->scale);
    if (has_bias(p.desc) && !p.desc.bias)
      return refuse_call("an epilogue with a bias, and no bias");
    Choice choice{};
    if (algorithm) {
      std::memcpy(&choice, algorithm, sizeof choice);
      if (const int code = check_choice(p, choice, workspace, workspace_bytes)) return code;
      p.summation = static_cast<Summation>(choice.summation);
    }
    Stream& on = stream_of(stream);
    if (!desc->was_run && captured(on)) {  // it loads code, which no capture permits
      refuse_captured(on);
      return kLtExecutionFailed;
    }
    desc->was_run = true;
    enqueue_product(p, workspace, static_cast<std::size_t>(choice.workspace_bytes), on);
    return kLtSuccess;
  });
}
}
#pragma GCC visibility pop
