// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "lower/lower.hpp"
#include "runtime/device/cpu/kernel.hpp"
#include "runtime/device/device.hpp"

namespace rhino::runtime {

/// A lowered program with its kernels. Constants that are no splats are kept here.
class CpuExecutable : public Executable {
 public:
  CpuExecutable(const Program& program, int num_threads);

  std::int64_t workspace_bytes() const override { return lowered_.workspace_bytes; }
  void enqueue(Stream&, std::span<const void* const> inputs, std::span<void* const> outputs,
               void* workspace) override {
    run(inputs, outputs, workspace);
  }
  /// To the end.
  void run(std::span<const void* const> inputs, std::span<void* const> outputs, void* workspace);

  const lower::LoweredProgram& lowered() const { return lowered_; }
  /// Per kernel group what computes it: "dot", "loop", "convolution", "direct convolution" (plain
  /// loops), "window", "sort", "copy" (of rows: gather, scatter, slices, ...), or "reference",
  /// which is slow.
  const std::vector<std::string_view>& ways() const { return ways_; }
  /// Runs some kernels, on the memory of the last run() or bind() and whatever lies there now: for
  /// measurements.
  void run_kernels(std::span<const std::size_t> kernels);
  void bind(std::span<const void* const> inputs, std::span<void* const> outputs, void* workspace);

 private:
  ValueId base_of(ValueId value) const {
    return lowered_.views[static_cast<std::size_t>(value)].base;
  }
  void make_constants();

  lower::LoweredProgram lowered_;
  int num_threads_;
  std::vector<std::vector<std::byte>> constants_;
  std::vector<std::byte*> memory_;  ///< per value, see Memory
  std::vector<std::unique_ptr<Kernel>> kernels_;
  std::vector<std::string_view> ways_;
  std::vector<std::size_t> copied_outputs_;  ///< whose value is made elsewhere
};

}  // namespace rhino::runtime
