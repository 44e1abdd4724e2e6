// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime/cuda/nvrtc_api.hpp"

/// The real NVRTC, which needs no GPU and no driver, and what it says of kernels. It must not be in
/// one process with the fakes.
namespace rhino::test {

/// Parameters and body of a kernel, and what it computes: see runtime::cuda::KernelText.
struct NamedText {
  std::string text, kind;
  int at_once = 1;
};

/// What ptxas and the machine code say of one kernel.
struct CompiledKernel {
  int registers = 0, shared_bytes = 0, stack_bytes = 0, spilled_bytes = 0;
  std::map<int, int> accesses;  ///< of global memory, by bytes; empty: no disassembler
  /// A register that products of four warps read again in each turn of a loop is written by
  /// something else between them.
  bool overwrites_fragments = false;
};

/// Path of NVRTC: RHINO_NVRTC, else of a toolkit in /usr/local/cuda; empty: there is none.
std::string nvrtc_path();
/// Command that prints machine code, RHINO_CUOBJDUMP or cuobjdump of PATH; empty: there is none.
std::string disassembler();

class RealCompiler {
 public:
  /// Throws Error where `path` is no NVRTC.
  explicit RealCompiler(const std::string& path);
  std::string version() const;  ///< "13.0"
  bool knows(int architecture) const;
  /// Kernels by name, as one unit: some, that all contract or all do not. `warnings` grow by what
  /// NVRTC warns of. Throws Error with its log.
  std::map<std::string, CompiledKernel> compile(const std::map<std::string, NamedText>& kernels,
                                                int architecture,
                                                std::vector<std::string>& warnings) const;

 private:
  runtime::cuda::NvrtcApi api_;
  std::string disassembler_;
};

}  // namespace rhino::test
