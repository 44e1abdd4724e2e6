// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

#include "block.hpp"

namespace fake {

/// CUlibrary and CUmodule alike: code that the fake NVRTC made, loaded.
struct Library {
  void* handle = nullptr;
  int file = -1;
  std::map<std::string, Kernel> kernels;
};

/// Loads a CUBIN or a PTX of the fake NVRTC. The driver's code where it cannot be.
Result load(const void* image, Library** out);
void unload(Library* library);

/// The kernel of that unmangled name, or null.
Kernel* find_kernel(Library& library, const std::string& name);

}  // namespace fake
