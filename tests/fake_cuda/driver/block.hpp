// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "operations.hpp"

namespace fake {

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
};

/// A kernel of a loaded module: code that the fake NVRTC made.
struct Kernel {
  std::string name;
  void (*thunk)(void**) = nullptr;  // calls the kernel with arguments at these addresses
  std::vector<std::size_t> parameter_bytes;
  char *shared_begin = nullptr, *shared_end = nullptr;  // static shared memory of the whole module
  int bound = 1024;                                     // __launch_bounds__
  int max_dynamic = 48 << 10;
  int architecture = 0;
  bool was_launched = false;  // until then a launch may load it, which no capture permits
};

struct Launch {
  Dim3 grid, block;
  std::size_t dynamic_bytes = 0;
};

/// Runs all blocks one after another, the threads of a block as fibers; warps take turns by the
/// seed. Says what goes wrong.
void run_kernel(Operation& op, const Kernel& kernel, const Launch& launch, void** parameters);

/// `name, block b thread t` while a kernel runs, else empty.
std::string running_thread();

}  // namespace fake
