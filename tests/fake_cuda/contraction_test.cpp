// SPDX-License-Identifier: Apache-2.0
// Products that may be rounded with the sum alone: which are, and where.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "child.hpp"
#include "library.hpp"

using fake::DevicePtr;
using fake_test::check;
using fake_test::in_child;
using fake_test::Machine;
using fake_test::Outcome;

namespace {

constexpr int kKernels = 24, kThreads = 64;

const char* const kOps = R"(
template <class T> __device__ T op_add(T x, T y) { return x + y; }
template <class T> __device__ T op_subtract(T x, T y) { return x - y; }
template <class T> __device__ T op_multiply(T x, T y) { return x * y; }
)";

/// x * y + z * w in kernels of many names, as the cuda device writes it; x + z * w; x * y - z * w,
/// each of numbers of its own: a product with several readers is contracted for all or none.
std::string source() {
  std::string text = kOps;
  for (int k = 0; k < kKernels; ++k) {
    const std::string name = "kernel_" + std::to_string(k);
    text += "extern \"C\" __global__ void " + name + "(const float* p, float* to) {\n" +
            "const int i = threadIdx.x;\n"
            "const float v0 = op_multiply(p[i], p[64 + i]);\n"
            "const float v1 = op_multiply(p[128 + i], p[192 + i]);\n"
            "const float v2 = op_add(v0, v1);\n"
            "const float v3 = op_multiply(p[384 + i], p[448 + i]);\n"
            "const float v4 = op_add(p[256 + i], v3);\n"
            "const float v5 = op_multiply(p[512 + i], p[576 + i]);\n"
            "const float v6 = op_multiply(p[640 + i], p[704 + i]);\n"
            "const float v7 = op_subtract(v5, v6);\n"
            "to[i] = v2; to[64 + i] = v4; to[128 + i] = v7;\n}\n";
  }
  return text;
}

struct Counts {
  int first = 0, second = 0, rounded = 0, other = 0;
  void add(const std::vector<float>& actual, const std::vector<float> (&expected)[3]) {
    ++(actual == expected[2]   ? rounded
       : actual == expected[0] ? first
       : actual == expected[1] ? second
                               : other);
  }
  bool are_drawn() const { return first + second == kKernels && first > 4 && second > 4; }
  std::string text() const {
    return std::to_string(first) + " " + std::to_string(second) + " " + std::to_string(rounded) +
           " " + std::to_string(other);
  }
};

std::string run(const char* contraction) {
  Machine m;
  fake::Library* library = m.load(source(), "sm_90", contraction);
  std::vector<float> in(12 * kThreads);
  std::mt19937 random(1);
  for (float& value : in) value = std::uniform_real_distribution<float>(0.5f, 2)(random);
  DevicePtr from = m.allocate(in.size() * 4), to = m.allocate(3 * kThreads * 4);
  check(m.cuMemcpyHtoD_v2(from, in.data(), in.size() * 4));
  // Of each of the three: the first product fused, the second, none.
  std::vector<float> expected[3][3];
  for (std::size_t i = 0; i < kThreads; ++i) {
    const auto numbers = [&](std::size_t n) { return in[n * kThreads + i]; };
    for (std::size_t n = 0; n < 3; ++n) {
      const float x = numbers(4 * n), y = n == 1 ? 1 : numbers(4 * n + 1), z = numbers(4 * n + 2),
                  w = n == 2 ? -numbers(4 * n + 3) : numbers(4 * n + 3);
      const volatile float xy = x * y, zw = z * w;
      expected[n][0].push_back(std::fma(x, y, zw));
      expected[n][1].push_back(std::fma(z, w, xy));
      expected[n][2].push_back(xy + zw);
    }
  }
  Counts counts[3];
  for (int k = 0; k < kKernels; ++k) {
    check(m.launch(m.kernel(library, ("kernel_" + std::to_string(k)).c_str()), 1, kThreads,
                   {&from, &to}));
    check(m.cuStreamSynchronize(m.a));
    std::vector<float> out(3 * kThreads);
    check(m.cuMemcpyDtoH_v2(out.data(), to, out.size() * 4));
    const auto part = [&](int n) {
      return std::vector<float>(out.begin() + n * kThreads, out.begin() + (n + 1) * kThreads);
    };
    for (int n = 0; n < 3; ++n) counts[n].add(part(n), expected[n]);
  }
  const auto& [sums, single, differences] = counts;
  if (sums.are_drawn() && single.second == kKernels && differences.are_drawn()) return "drawn";
  if (sums.rounded + single.rounded + differences.rounded == 3 * kKernels) return "rounded";
  return sums.text() + ", " + single.text() + ", " + differences.text();
}

}  // namespace

TEST_CASE("of two products either is rounded with their sum, drawn by the kernel's name") {
  for (const char* checked : {"0", "1"}) {
    INFO(checked);
    CHECK(in_child({{"FAKE_CUDA_CHECKED", checked}}, [] { return run("--fmad=true"); }).result ==
          "drawn");
    CHECK(in_child({{"FAKE_CUDA_CHECKED", checked}}, [] { return run("--fmad=false"); }).result ==
          "rounded");
  }
}
