// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <dlfcn.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "cublaslt/entries.hpp"
#include "driver/entries.hpp"
#include "nccl/entries.hpp"
#include "nvrtc/entries.hpp"

namespace fake_test {

/// Entry points as production code finds them: by name, in a library that the system's linker
/// finds.
class Opened {
 public:
  explicit Opened(const char* soname) : handle_(dlopen(soname, RTLD_NOW | RTLD_LOCAL)) {
    if (!handle_) throw std::runtime_error(dlerror());
  }
  template <class F>
  F* find(const char* name) const {
    void* at = dlsym(handle_, name);
    if (!at) throw std::runtime_error(std::string("no ") + name);
    return reinterpret_cast<F*>(at);
  }

 private:
  void* handle_;
};

#define RHINO_FAKE_MEMBER(name, ...) fake::declared::name* name = find<fake::declared::name>(#name);
struct Driver : Opened {
  Driver() : Opened("libcuda.so.1") {}
  RHINO_FAKE_DRIVER(RHINO_FAKE_MEMBER)
};
struct Nvrtc : Opened {
  Nvrtc() : Opened("libnvrtc.so.12") {}
  RHINO_FAKE_NVRTC(RHINO_FAKE_MEMBER)
};
struct Nccl : Opened {
  Nccl() : Opened("libnccl.so.2") {}
  RHINO_FAKE_NCCL(RHINO_FAKE_MEMBER)
};
struct CublasLt : Opened {
  CublasLt() : Opened("libcublasLt.so.12") {}
  RHINO_FAKE_CUBLASLT(RHINO_FAKE_MEMBER)
};
#undef RHINO_FAKE_MEMBER

/// Throws where a call does not succeed.
inline void check(int code, const char* what = "a call") {
  if (code) throw std::runtime_error(std::string(what) + " returned " + std::to_string(code));
}

/// A device with a context, and two streams that nothing orders.
struct Machine : Driver, Nvrtc {
  explicit Machine(int device = 0);
  fake::DevicePtr allocate(std::size_t bytes) const;
  /// The kernels of a source, compiled and loaded. Throws NVRTC's log.
  fake::Library* load(const std::string& source, const std::string& architecture = "sm_90",
                      const char* contraction = "--fmad=true") const;
  fake::Kernel* kernel(fake::Library* library, const char* name) const;
  /// The code of the launch.
  int launch(fake::Kernel* kernel, unsigned blocks, unsigned threads, std::vector<void*> parameters,
             fake::Stream* stream = nullptr, unsigned shared = 0) const;

  fake::Stream *a = nullptr, *b = nullptr;
};

}  // namespace fake_test
