// SPDX-License-Identifier: Apache-2.0
#include "bench.hpp"

namespace fake_test {

// One unit: the host's compiler takes its time per unit.
const char* const kBenchSource = R"(
extern "C" __global__ void fill(float* x, float v, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = v;
}
extern "C" __global__ void off_by_one(float* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += gridDim.x * blockDim.x) x[i] = 1;
}
extern "C" __global__ void add_one(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}
extern "C" __global__ void misaligned(float* x) {
  const float4 v = *reinterpret_cast<float4*>(x + 1);
  x[0] = v.x + v.w;
}
extern "C" __global__ void blocks_race(float* x) { x[threadIdx.x] = blockIdx.x; }
extern "C" __global__ void all_read_one_writes(float* x) {
  const float v = x[0];
  x[1 + threadIdx.x] = v;
  if (threadIdx.x == blockDim.x - 1) x[0] = v + 1;
}
extern "C" __global__ void bytes(unsigned char* x) { x[threadIdx.x] = threadIdx.x; }
extern "C" __global__ void divergent(float* x) {
  if (threadIdx.x < 16) __syncthreads();
  x[threadIdx.x] = 1;
}
template <bool kBarrier>
__device__ void reverse_block(float* x) {
  __shared__ float tile[128];
  tile[threadIdx.x] = x[threadIdx.x];
  if (kBarrier) __syncthreads();
  x[threadIdx.x] = tile[127 - threadIdx.x];
}
extern "C" __global__ void __launch_bounds__(128) reverse(float* x) { reverse_block<true>(x); }
extern "C" __global__ void reverse_without_barrier(float* x) { reverse_block<false>(x); }
extern "C" __global__ void dynamic(float* x, int over) {
  extern __shared__ float memory[];
  memory[threadIdx.x + over] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = memory[blockDim.x - 1 - threadIdx.x + over];
}
extern "C" __global__ void unwritten_shared(float* x) {
  __shared__ float tile[64];
  if (threadIdx.x < 32) tile[threadIdx.x] = 1;
  __syncthreads();
  x[threadIdx.x] = tile[threadIdx.x];
}
extern "C" __global__ void warp_sums(float* x) {
  float v = x[threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
  x[threadIdx.x] = v;
}
extern "C" __global__ void partial(int* x) {
  const int lane = threadIdx.x & 31;
  if (lane < 8) {
    x[lane] = __shfl_down_sync(0xffu, lane * 10, 1);
    x[32 + lane] = __reduce_add_sync(0xffu, lane);
  } else {
    x[lane] = __shfl_up_sync(0xffffff00u, lane, 2);
    x[32 + lane] = (int)__ballot_sync(0xffffff00u, lane & 1);
  }
  x[64 + lane] = __shfl_sync(0xffffffffu, lane, 3, 8);
}
extern "C" __global__ void masks_differ(int* x) {
  x[threadIdx.x] = threadIdx.x < 16 ? __shfl_sync(0xffffffffu, 1, 0) : __shfl_sync(0xffff0000u, 1, 16);
}
extern "C" __global__ void kinds_differ(int* x) {
  x[threadIdx.x] = threadIdx.x < 16 ? __shfl_sync(0xffffffffu, 1, 0) : (int)__ballot_sync(0xffffffffu, 1);
}
extern "C" __global__ void lane_left(int* x) {
  if (threadIdx.x == 5) return;
  x[threadIdx.x] = __shfl_xor_sync(0xffffffffu, 1, 1);
}
extern "C" __global__ void count(int* x, float* f) {
  atomicAdd(x, 1);
  atomicAdd(f, 0.5f);
  atomicMax(x + 1, (int)(blockIdx.x * blockDim.x + threadIdx.x));
}
extern "C" __global__ void through_warp(int* x) {
  x[threadIdx.x] = threadIdx.x;
  __syncwarp();
  const int v = x[threadIdx.x ^ 1];
  __syncwarp();
  x[threadIdx.x] = v;
}
struct Big { long long s[6]; int k; };
extern "C" __global__ void by_value(float* x, Big b, int q) { if (threadIdx.x < 6) x[threadIdx.x] = b.s[threadIdx.x] * b.k + q; }
extern "C" __global__ void copy4(const float* __restrict__ x, float* __restrict__ y, int n) {
  for (int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4; i < n; i += gridDim.x * blockDim.x * 4)
    *reinterpret_cast<float4*>(y + i) = *reinterpret_cast<const float4*>(x + i);
}
__global__ void mangled(float* x) { x[0] = 1; }
)";

}  // namespace fake_test
