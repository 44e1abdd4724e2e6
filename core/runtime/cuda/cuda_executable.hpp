// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lower/lower.hpp"
#include "runtime/cuda/compiler.hpp"
#include "runtime/cuda/dnn_library.hpp"
#include "runtime/cuda/kernel_unit.hpp"
#include "runtime/cuda/lt_library.hpp"
#include "runtime/device/device.hpp"

namespace rhino::runtime::cuda {

/// A lowered program as kernels, launched one after the other. Constants that
/// are no splats are kept here.
class CudaExecutable final : public Executable {
 public:
  /// What a device runs programs with; all of it lives longer. `products`, `convolutions`: nullptr
  /// where dots, or convolutions, are kernels as all else. `waits_each`: the host waits for each
  /// kernel, so that the one that fails is named.
  struct Tools {
    const Driver& driver;
    const Compiler& compiler;
    const LtLibrary* products = nullptr;
    const DnnLibrary* convolutions = nullptr;
    lower::Kernels kernels = {};
    bool waits_each = false;
    int num_threads = 1;  ///< of the host, that compile kernels
  };
  /// Lowers it and writes its kernels, which link() wants compiled. Throws Error naming an op that
  /// has no kernel.
  CudaExecutable(const Tools& tools, const Program& program);
  ~CudaExecutable() override;
  CudaExecutable(const CudaExecutable&) = delete;
  CudaExecutable& operator=(const CudaExecutable&) = delete;

  /// What NVRTC is to compile, until link().
  const std::vector<UnitSource>& sources() const { return units_.sources; }
  /// Once, before it runs: the library of each of sources(). Others may have some of them, too.
  void link(std::vector<std::shared_ptr<const KernelLibrary>> libraries);

  std::int64_t workspace_bytes() const override { return workspace_bytes_; }
  /// Convolutions that cuDNN runs, those that it does not, and why.
  struct Convolutions {
    std::size_t by_library = 0, by_kernels = 0;
    std::string refusal;
  };
  const Convolutions& convolutions() const { return num_convolutions_; }
  void enqueue(Stream& stream, std::span<const void* const> inputs, std::span<void* const> outputs,
               void* workspace) override;

  /// What a kernel, a product or a copy took, of the group `source` of group_sources().
  struct StepTime {
    std::size_t source = 0;
    std::string kind;
    double seconds = 0;
  };
  /// enqueue(), and the times of all steps when they are over: with events between them, each of
  /// which takes a microsecond or so.
  std::vector<StepTime> time_steps(Stream& stream, std::span<const void* const> inputs,
                                   std::span<void* const> outputs, void* workspace);

 private:
  /// A product, a convolution, a launch, or a copy where all three are nullptr.
  struct Step {
    std::unique_ptr<LtProduct> product;
    std::unique_ptr<DnnConvolution> convolution;
    CuFunction kernel = nullptr;
    std::size_t source = 0;
    std::string kind;
    unsigned blocks = 1, threads = 1;
    std::vector<ValueId> bases;
    MemoryCopy copy;
    std::vector<void*> arguments;  ///< addresses of memory_'s entries
  };

  void prepare_products();
  void prepare_convolutions();
  Step& add_step(std::size_t source, const std::string& kind);
  void add_kernel(std::size_t source, const KernelText& kernel);
  void run(CuStream stream, Step& step);
  void make_constants();
  void copy_outputs();
  void check_places(std::span<const void* const> inputs, std::span<void* const> outputs,
                    const void* workspace) const;
  void bind(std::span<const void* const> inputs, std::span<void* const> outputs,
            std::byte* workspace);
  void copy(CuStream stream, const MemoryCopy& copy) const;

  const Tools tools_;
  const Driver& driver_;
  lower::LoweredProgram lowered_;
  std::int64_t workspace_bytes_ = 0;
  std::vector<GroupSource> groups_;  ///< until link(), as units_
  KernelUnits units_;
  std::vector<std::shared_ptr<const KernelLibrary>> libraries_;  ///< of its units
  std::vector<std::unique_ptr<LtProduct>> products_;             ///< per group; moved into its step
  std::vector<std::unique_ptr<DnnConvolution>> convolutions_;    ///< likewise
  Convolutions num_convolutions_;
  std::vector<Step> steps_;
  std::size_t product_bytes_ = 0;  ///< of workspace, that libraries want
  void* product_workspace_ = nullptr;
  std::vector<std::int64_t> scratch_bytes_;  ///< see GroupSource
  std::vector<void*> memory_;                ///< per value, then per scratch
  std::vector<CuDevicePtr> constants_;
  struct CopiedOutput {
    std::size_t output;
    ValueId value;
  };
  std::vector<CopiedOutput> copied_outputs_;  ///< whose value is made elsewhere
};

}  // namespace rhino::runtime::cuda
