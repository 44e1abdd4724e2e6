// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/cuda/code_cache.hpp"
#include "runtime/cuda/driver.hpp"
#include "runtime/cuda/nvrtc_api.hpp"

namespace rhino::runtime::cuda {

/// A unit of kernels on the device.
class KernelLibrary {
 public:
  KernelLibrary(const Driver& driver, const std::string& code);
  ~KernelLibrary();
  KernelLibrary(const KernelLibrary&) = delete;
  KernelLibrary& operator=(const KernelLibrary&) = delete;
  /// Lives as long as the library.
  CuFunction kernel(const std::string& name) const;

 private:
  const Driver& driver_;
  CuLibrary library_ = nullptr;
};

/// What NVRTC compiles at once. Where it `contracts`, a product that is added to something may be
/// rounded with the sum alone, as the compiler pleases, who may please otherwise where the same ops
/// stand in another order: replicas whose ops lie in unlike kernels would drift apart.
struct UnitSource {
  std::string text;
  bool contracts = false;
};

/// NVRTC, of the newest version that the driver takes code of and that compiles for its GPU.
class Compiler {
 public:
  /// Throws Error where there is none. `driver` lives longer. `folder`: where code is kept between
  /// runs; empty: nowhere.
  explicit Compiler(const Driver& driver, std::string folder = {});
  /// Throws Error with NVRTC's log.
  std::unique_ptr<KernelLibrary> compile(const UnitSource& source) const;
  /// The same of several, by so many threads side by side: of equal ones one library. Of those that
  /// other processes are just compiling the code is waited for. `moves_on` is called behind each,
  /// one call at a time. Throws the Error of the first one that is refused, in their order.
  std::vector<std::shared_ptr<const KernelLibrary>> compile(
      const std::vector<UnitSource>& sources, int num_threads,
      const std::function<void()>& moves_on) const;
  /// Whether code is kept between runs, and so found by other ranks.
  bool keeps_code() const { return cache_.keeps(); }

 private:
  /// What NVRTC is asked for: code of the GPU's architecture, or PTX where the GPU is newer.
  struct Target {
    std::string option;
    bool is_ptx = false;
  };
  Target target() const;
  /// `waits`: nothing comes where another process is just compiling it.
  std::optional<std::string> code_of(const UnitSource& source, bool waits) const;
  std::string compiled(const UnitSource& source, const Target& target) const;
  void check(NvrtcResult result, const std::string& what) const;

  const Driver& driver_;
  NvrtcApi api_;
  CodeCache cache_;
};

}  // namespace rhino::runtime::cuda
