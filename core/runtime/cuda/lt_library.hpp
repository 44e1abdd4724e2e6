// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "runtime/cuda/cublaslt_api.hpp"
#include "runtime/cuda/driver.hpp"
#include "runtime/cuda/lt_problem.hpp"
#include "runtime/device/gpu_modes.hpp"

namespace rhino::runtime::cuda {

class LtLibrary;

/// A dot made ready for cuBLASLt.
class LtProduct {
 public:
  ~LtProduct();
  LtProduct(const LtProduct&) = delete;
  LtProduct& operator=(const LtProduct&) = delete;

  std::size_t workspace_bytes() const { return workspace_bytes_; }
  const LtProblem& problem() const { return problem_; }
  /// Memory of the three bases and a workspace, aligned to kLtWorkspaceAlignment.
  struct Memory {
    const std::byte *a = nullptr, *b = nullptr;
    std::byte* d = nullptr;
    void* workspace = nullptr;
  };
  void enqueue(CuStream stream, const Memory& memory) const;

 private:
  friend class LtLibrary;
  LtProduct(const LtLibrary& library, LtProblem problem);
  LtMatrixLayout layout(const LtMatrix& matrix) const;
  int find(std::span<LtHeuristicResult> found) const;

  const LtLibrary& library_;
  LtProblem problem_;
  LtMatmulDesc desc_ = nullptr;
  LtMatrixLayout a_ = nullptr, b_ = nullptr, d_ = nullptr;
  LtAlgorithm algorithm_{};
  std::size_t workspace_bytes_ = 0;
};

inline constexpr std::size_t kLtWorkspaceAlignment = 256;

struct LtOptions {
  bool uses_tf32 = false;  ///< f32 rounded to 19 bits, as tensor cores take them
  /// The quickest of the first algorithms that the heuristics name. Ranks may then differ in their
  /// choice, and so replicas in their last bits.
  bool is_timed = false;
  int algorithm = 0;  ///< else: see GpuModes
};

/// cuBLASLt, for one device.
class LtLibrary {
 public:
  /// Throws Error where there is none, or it does not start. `driver` lives longer.
  LtLibrary(const Driver& driver, LtOptions options);
  ~LtLibrary();
  LtLibrary(const LtLibrary&) = delete;
  LtLibrary& operator=(const LtLibrary&) = delete;

  /// nullptr where it has no algorithm.
  std::unique_ptr<LtProduct> prepare(const LtProblem& problem) const;
  const std::string& path() const { return api_.path; }

 private:
  friend class LtProduct;
  void check(LtResult result, const char* what) const;
  void take_quickest(LtProduct& product, std::span<const LtHeuristicResult> found) const;

  const Driver& driver_;
  LtOptions options_;
  CublasLtApi api_;
  LtHandle handle_ = nullptr;
};

}  // namespace rhino::runtime::cuda
