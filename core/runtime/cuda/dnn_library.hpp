// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "runtime/cuda/cudnn_api.hpp"
#include "runtime/cuda/dnn_problem.hpp"
#include "runtime/cuda/driver.hpp"

namespace rhino::runtime::cuda {

class DnnLibrary;

/// A convolution made ready for cuDNN.
class DnnConvolution {
 public:
  ~DnnConvolution();
  DnnConvolution(const DnnConvolution&) = delete;
  DnnConvolution& operator=(const DnnConvolution&) = delete;

  std::size_t workspace_bytes() const { return workspace_bytes_; }
  const DnnProblem& problem() const { return problem_; }
  /// Memory of the three bases and a workspace, aligned to 256 bytes.
  struct Memory {
    std::byte *image = nullptr, *kernel = nullptr, *result = nullptr;
    void* workspace = nullptr;
  };
  void enqueue(CuStream stream, const Memory& memory) const;

 private:
  friend class DnnLibrary;
  DnnConvolution(const DnnLibrary& library, DnnProblem problem);
  DnnResult describe();
  DnnResult describe(DnnTensorDesc& desc, const DnnTensor& tensor);
  DnnResult find();
  DnnResult take(const DnnAlgorithm& candidate);

  const DnnLibrary& library_;
  DnnProblem problem_;
  DnnTensorDesc image_ = nullptr, result_ = nullptr;
  DnnFilterDesc kernel_ = nullptr;
  DnnConvolutionDesc desc_ = nullptr;
  int algorithm_ = 0;
  std::size_t workspace_bytes_ = 0;
};

/// cuDNN, for one device. Its algorithms are those that its heuristics name, the quickest that
/// repeats its sums in one order, takes f32 at its word and finds room for its workspace.
class DnnLibrary {
 public:
  /// Throws Error where there is none, it is older than 8 or newer than 9, made for a newer CUDA
  /// than the driver's, or does not start. `driver` lives longer.
  DnnLibrary(const Driver& driver, bool uses_tf32);
  ~DnnLibrary();
  DnnLibrary(const DnnLibrary&) = delete;
  DnnLibrary& operator=(const DnnLibrary&) = delete;

  /// nullptr where it has no algorithm; `refusal` then says why.
  std::unique_ptr<DnnConvolution> prepare(const DnnProblem& problem, std::string& refusal) const;
  std::string name() const;  ///< "cuDNN 9.1.0"

 private:
  friend class DnnConvolution;
  std::string words(DnnResult result) const;

  CudnnApi api_;
  bool uses_tf32_;
  std::size_t most_workspace_bytes_ = 0;
  DnnHandle handle_ = nullptr;
};

/// The version as people write it: 8902 is 8.9.2, 91900 is 9.19.0.
std::string dnn_version(std::size_t number);

}  // namespace rhino::runtime::cuda
