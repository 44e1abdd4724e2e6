// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lower/lower.hpp"
#include "runtime/cuda/compiler.hpp"
#include "runtime/cuda/op_source.hpp"
#include "runtime/device/device.hpp"

namespace rhino::runtime::cuda {

/// A lowered program as kernels of one unit of NVRTC, launched one after the other. Constants that
/// are no splats are kept here.
class CudaExecutable final : public Executable {
 public:
  /// `driver` lives longer. Throws Error naming an op that has no kernel.
  CudaExecutable(const Driver& driver, const Compiler& compiler, const Program& program);
  ~CudaExecutable() override;
  CudaExecutable(const CudaExecutable&) = delete;
  CudaExecutable& operator=(const CudaExecutable&) = delete;

  std::int64_t workspace_bytes() const override { return workspace_bytes_; }
  void enqueue(Stream& stream, std::span<const void* const> inputs, std::span<void* const> outputs,
               void* workspace) override;

 private:
  /// A launch, or a copy where `kernel` is nullptr.
  struct Step {
    CuFunction kernel = nullptr;
    unsigned blocks = 1, threads = 1;
    std::vector<ValueId> bases;
    MemoryCopy copy;
    std::vector<void*> arguments;  ///< addresses of memory_'s entries
  };

  std::vector<GroupSource> sources();
  void compile(const Compiler& compiler, const std::vector<GroupSource>& groups);
  void make_constants();
  void copy_outputs();
  void place_scratch(const lower::LoopNest& nest);
  void bind(std::span<const void* const> inputs, std::span<void* const> outputs,
            std::byte* workspace);
  void copy(CuStream stream, const MemoryCopy& copy) const;

  const Driver& driver_;
  lower::LoweredProgram lowered_;
  std::int64_t workspace_bytes_ = 0;
  std::unique_ptr<KernelLibrary> library_;
  std::vector<Step> steps_;
  std::vector<std::int64_t> scratch_bytes_;  ///< per fold of a nest, see loop_kernels()
  std::vector<void*> memory_;                ///< per value, then per scratch
  std::vector<CuDevicePtr> constants_;
  struct CopiedOutput {
    std::size_t output;
    ValueId value;
  };
  std::vector<CopiedOutput> copied_outputs_;  ///< whose value is made elsewhere
};

}  // namespace rhino::runtime::cuda
