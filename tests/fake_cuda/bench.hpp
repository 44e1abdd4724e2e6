// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "library.hpp"

namespace fake_test {

inline constexpr int kCount = 10000;

/// Kernels that are right, and one for each mistake.
extern const char* const kBenchSource;

/// A machine with the kernels, and x and y of kCount numbers.
struct Bench : Machine {
  explicit Bench(bool filled = true)
      : library(load(kBenchSource)), x(allocate(kCount * 4)), y(allocate(kCount * 4)) {
    for (int i = 0; i < kCount; ++i) host.push_back(static_cast<float>(i % 97));
    check(cuEventCreate(&event, fake::kEventDisableTiming));
    if (!filled) return;
    check(cuMemcpyHtoD_v2(x, host.data(), kCount * 4));
    check(cuMemcpyHtoD_v2(y, host.data(), kCount * 4));
  }
  int run(const char* name, unsigned blocks, unsigned threads, std::vector<void*> parameters,
          unsigned shared = 0) {
    if (const int code =
            launch(kernel(library, name), blocks, threads, std::move(parameters), a, shared))
      return code;
    return cuStreamSynchronize(a);
  }
  template <class T>
  std::vector<T> read(fake::DevicePtr from, int n) {
    std::vector<T> values(static_cast<std::size_t>(n));
    check(cuMemcpyDtoH_v2(values.data(), from, static_cast<std::size_t>(n) * sizeof(T)));
    return values;
  }
  fake::Library* library;
  fake::DevicePtr x, y;
  std::vector<float> host;
  fake::Event* event = nullptr;
  int n = kCount;
};

inline std::string code(int c) { return std::to_string(c); }

}  // namespace fake_test
