// SPDX-License-Identifier: Apache-2.0
// How long kernels over a million elements take on the host, in processor time, and how near they
// are to sums in double.
#include <cmath>
#include <cstdio>
#include <ctime>

#include "child.hpp"
#include "library.hpp"

namespace {

constexpr int kRows = 1024, kColumns = 1024, kCount = kRows * kColumns;

const char* const kSource = R"(
extern "C" __global__ void copy(const float* __restrict__ x, float* __restrict__ y, int rows, int columns) {
  const long long n = (long long)rows * columns;
  for (long long i = ((long long)blockIdx.x * blockDim.x + threadIdx.x) * 4; i < n; i += (long long)gridDim.x * blockDim.x * 4)
    *reinterpret_cast<float4*>(y + i) = *reinterpret_cast<const float4*>(x + i);
}
extern "C" __global__ void gelu(const float* __restrict__ x, float* __restrict__ y, int rows, int columns) {
  const long long n = (long long)rows * columns;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
    y[i] = 0.5f * x[i] * (1.0f + tanhf(0.7978845608f * (x[i] + 0.044715f * x[i] * x[i] * x[i])));
}
__device__ float across(float v, bool largest) {
  __shared__ float parts[32];
  for (int o = 16; o > 0; o >>= 1) {
    const float other = __shfl_xor_sync(0xffffffffu, v, o);
    v = largest ? fmaxf(v, other) : v + other;
  }
  if ((threadIdx.x & 31) == 0) parts[threadIdx.x >> 5] = v;
  __syncthreads();
  v = parts[0];
  for (int w = 1; w < (blockDim.x >> 5); ++w) v = largest ? fmaxf(v, parts[w]) : v + parts[w];
  __syncthreads();
  return v;
}
extern "C" __global__ void softmax(const float* __restrict__ x, float* __restrict__ y, int rows, int columns) {
  for (long long r = blockIdx.x; r < rows; r += gridDim.x) {
    const float* row = x + r * columns;
    float m = -1e30f, sum = 0;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) m = fmaxf(m, row[c]);
    m = across(m, true);
    for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += __expf(row[c] - m);
    sum = across(sum, false);
    for (int c = threadIdx.x; c < columns; c += blockDim.x) y[r * columns + c] = __expf(row[c] - m) / sum;
  }
}
extern "C" __global__ void layer_norm(const float* __restrict__ x, float* __restrict__ y, int rows, int columns) {
  for (long long r = blockIdx.x; r < rows; r += gridDim.x) {
    const float* row = x + r * columns;
    float sum = 0, squares = 0;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += row[c];
    const float mean = across(sum, false) / columns;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) squares += (row[c] - mean) * (row[c] - mean);
    const float scale = rsqrtf(across(squares, false) / columns + 1e-5f);
    for (int c = threadIdx.x; c < columns; c += blockDim.x) y[r * columns + c] = (row[c] - mean) * scale;
  }
}
)";

double expected(const std::string& name, const float* row, int column) {
  const double x = row[column];
  if (name == "copy") return x;
  if (name == "gelu") return 0.5 * x * (1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
  double sum = 0, exponentials = 0, squares = 0;
  for (int c = 0; c < kColumns; ++c) sum += row[c], exponentials += std::exp(double{row[c]});
  if (name == "softmax") return std::exp(x) / exponentials;
  for (int c = 0; c < kColumns; ++c)
    squares += (row[c] - sum / kColumns) * (row[c] - sum / kColumns);
  return (x - sum / kColumns) / std::sqrt(squares / kColumns + 1e-5);
}

double processor_ms() { return static_cast<double>(std::clock()) * 1e3 / CLOCKS_PER_SEC; }

std::string measure(const std::string& name) {
  const fake_test::Machine m;
  fake::Library* library = m.load(kSource);
  const fake::DevicePtr x = m.allocate(kCount * 4), y = m.allocate(kCount * 4);
  std::vector<float> in(kCount), out(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = 3 * std::sin(0.37f * static_cast<float>(i));
  fake_test::check(m.cuMemcpyHtoD_v2(x, in.data(), kCount * 4));
  int rows = kRows, columns = kColumns;
  const double begin = processor_ms();
  fake_test::check(m.launch(
      m.kernel(library, name.c_str()), 132, 256,
      {const_cast<fake::DevicePtr*>(&x), const_cast<fake::DevicePtr*>(&y), &rows, &columns}));
  fake_test::check(m.cuStreamSynchronize(m.a));
  const double ms = processor_ms() - begin;
  fake_test::check(m.cuMemcpyDtoH_v2(out.data(), y, kCount * 4));
  double worst = 0;
  for (int i = 0; i < kCount; i += 997) {
    worst = std::fmax(worst, std::fabs(out[i] - expected(name, in.data() + i / kColumns * kColumns,
                                                         i % kColumns)));
  }
  char text[80];
  std::snprintf(text, sizeof text, "%9.1f ms, largest error %.1e", ms, worst);
  return text;
}

}  // namespace

int main() {
  for (const char* checked : {"0", "1"}) {
    for (const char* name : {"copy", "gelu", "softmax", "layer_norm"}) {
      const auto o =
          fake_test::in_child({{"FAKE_CUDA_CHECKED", checked}}, [&] { return measure(name); });
      std::printf("%-10s %s %s%s\n", name, *checked == '1' ? "checked" : "       ",
                  o.result.c_str(), o.said.c_str());
    }
  }
}
