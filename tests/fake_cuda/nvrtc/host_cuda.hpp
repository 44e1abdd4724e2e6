// SPDX-License-Identifier: Apache-2.0
// What the source of a kernel sees instead of NVRTC's built-ins, when it is compiled for the host.
#pragma once
#include <math.h>
#include <stdint.h>
#include <string.h>

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};
struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(8) int2 {
  int x, y;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(16) double2 {
  double x, y;
};
struct alignas(16) longlong2 {
  long long x, y;
};
struct alignas(4) ushort2 {
  unsigned short x, y;
};
struct alignas(8) ushort4 {
  unsigned short x, y, z, w;
};
struct alignas(4) uchar4 {
  unsigned char x, y, z, w;
};
struct alignas(4) char4 {
  signed char x, y, z, w;
};

extern "C" {
extern uint3 hc_thread, hc_block, hc_block_dim, hc_grid_dim;
extern char* hc_dynamic;
void hc_syncthreads();
uint64_t hc_exchange(unsigned mask, uint64_t value, int kind, int argument, int width);
void hc_atomic(void* at, unsigned long bytes);
[[noreturn]] void hc_trap(const char* why);
}

#define __global__
#define __device__
#define __host__
#define __constant__ static const
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) alignas(n)
#define __shared__ static  // nothing else of a unit is zero at first: its .bss is the shared memory
#define __restrict__ __restrict
#define threadIdx hc_thread
#define blockIdx hc_block
#define blockDim hc_block_dim
#define gridDim hc_grid_dim
#define warpSize 32

// The numbers of fake::WarpKind.
enum { hc_index, hc_xor, hc_down, hc_up, hc_ballot, hc_sync, hc_add, hc_min, hc_max };

inline void __syncthreads() { hc_syncthreads(); }
inline void __syncwarp(unsigned mask = ~0u) { hc_exchange(mask, 0, hc_sync, 0, 32); }
inline void __threadfence() {}
inline void __threadfence_block() {}
[[noreturn]] inline void __trap() { hc_trap("__trap"); }
#define assert(condition) ((condition) ? void() : hc_trap("assertion failed: " #condition))

template <class T>
inline T hc_shuffle(unsigned mask, T v, int kind, int argument, int width) {
  static_assert(sizeof(T) <= 8);
  uint64_t bits = 0;
  memcpy(&bits, &v, sizeof v);
  bits = hc_exchange(mask, bits, kind, argument, width);
  memcpy(&v, &bits, sizeof v);
  return v;
}
template <class T>
inline T __shfl_sync(unsigned mask, T v, int lane, int width = 32) {
  return hc_shuffle(mask, v, hc_index, lane, width);
}
template <class T>
inline T __shfl_xor_sync(unsigned mask, T v, int lanes, int width = 32) {
  return hc_shuffle(mask, v, hc_xor, lanes, width);
}
template <class T>
inline T __shfl_down_sync(unsigned mask, T v, unsigned n, int width = 32) {
  return hc_shuffle(mask, v, hc_down, static_cast<int>(n), width);
}
template <class T>
inline T __shfl_up_sync(unsigned mask, T v, unsigned n, int width = 32) {
  return hc_shuffle(mask, v, hc_up, static_cast<int>(n), width);
}
inline unsigned __ballot_sync(unsigned mask, int p) {
  return static_cast<unsigned>(hc_exchange(mask, p != 0, hc_ballot, 0, 32));
}
inline int __any_sync(unsigned mask, int p) { return __ballot_sync(mask, p) != 0; }
inline int __all_sync(unsigned mask, int p) { return __ballot_sync(mask, p) == mask; }
template <class T>
inline T hc_reduce(unsigned mask, T v, int kind) {
  return static_cast<T>(
      hc_exchange(mask, static_cast<uint64_t>(static_cast<int64_t>(v)), kind, 0, 32));
}
inline int __reduce_add_sync(unsigned mask, int v) { return hc_reduce(mask, v, hc_add); }
inline int __reduce_min_sync(unsigned mask, int v) { return hc_reduce(mask, v, hc_min); }
inline int __reduce_max_sync(unsigned mask, int v) { return hc_reduce(mask, v, hc_max); }
inline unsigned __reduce_add_sync(unsigned mask, unsigned v) { return hc_reduce(mask, v, hc_add); }
inline unsigned __reduce_min_sync(unsigned mask, unsigned v) { return hc_reduce(mask, v, hc_min); }
inline unsigned __reduce_max_sync(unsigned mask, unsigned v) { return hc_reduce(mask, v, hc_max); }

// One thread runs at a time: the operation is atomic as it stands, and is no plain access for the
// checks.
template <class T, class F>
__attribute__((noinline, no_sanitize("thread"))) T hc_read_modify_write(T* p, F f) {
  hc_atomic(p, sizeof *p);
  const T old = *p;
  *p = f(old);
  return old;
}
template <class T>
struct hc_same {
  using type = T;
};
template <class T>
using hc_value = typename hc_same<T>::type;
template <class T>
inline T atomicAdd(T* p, hc_value<T> v) {
  return hc_read_modify_write(p, [v](T o) { return static_cast<T>(o + v); });
}
template <class T>
inline T atomicSub(T* p, hc_value<T> v) {
  return hc_read_modify_write(p, [v](T o) { return static_cast<T>(o - v); });
}
template <class T>
inline T atomicMax(T* p, hc_value<T> v) {
  return hc_read_modify_write(p, [v](T o) { return o < v ? v : o; });
}
template <class T>
inline T atomicMin(T* p, hc_value<T> v) {
  return hc_read_modify_write(p, [v](T o) { return v < o ? v : o; });
}
template <class T>
inline T atomicExch(T* p, hc_value<T> v) {
  return hc_read_modify_write(p, [v](T) { return v; });
}
template <class T>
inline T atomicCAS(T* p, hc_value<T> compare, hc_value<T> v) {
  return hc_read_modify_write(p, [=](T o) { return o == compare ? v : o; });
}
template <class T>
inline T atomicAnd(T* p, hc_value<T> v) {
  return hc_read_modify_write(p, [v](T o) { return o & v; });
}
template <class T>
inline T atomicOr(T* p, hc_value<T> v) {
  return hc_read_modify_write(p, [v](T o) { return o | v; });
}
template <class T>
inline T atomicXor(T* p, hc_value<T> v) {
  return hc_read_modify_write(p, [v](T o) { return o ^ v; });
}

template <class To, class From>
inline To hc_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
inline float __int_as_float(int v) { return hc_bits<float>(v); }
inline float __uint_as_float(unsigned v) { return hc_bits<float>(v); }
inline int __float_as_int(float v) { return hc_bits<int>(v); }
inline unsigned __float_as_uint(float v) { return hc_bits<unsigned>(v); }
inline double __longlong_as_double(long long v) { return hc_bits<double>(v); }
inline long long __double_as_longlong(double v) { return hc_bits<long long>(v); }

inline float __expf(float x) { return expf(x); }
inline float __logf(float x) { return logf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __powf(float x, float y) { return powf(x, y); }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanhf(float x) { return tanhf(x); }
inline float __fdividef(float x, float y) { return x / y; }
inline float __frcp_rn(float x) { return 1.0f / x; }
inline float __fsqrt_rn(float x) { return sqrtf(x); }
inline float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
inline float __fadd_rn(float x, float y) { return x + y; }
inline float __fmul_rn(float x, float y) { return x * y; }
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }
inline int __float2int_rn(float x) { return static_cast<int>(rintf(x)); }
inline int __float2int_rz(float x) { return static_cast<int>(x); }
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(uint64_t{a} * b >> 32);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline int __popc(unsigned v) { return __builtin_popcount(v); }
inline int __clz(int v) { return v ? __builtin_clz(static_cast<unsigned>(v)) : 32; }
inline int __ffs(int v) { return __builtin_ffs(v); }
template <class T>
constexpr T hc_smaller(T a, T b) {
  return b < a ? b : a;
}
template <class T>
constexpr T hc_larger(T a, T b) {
  return a < b ? b : a;
}
#define RHINO_HOST_CUDA_MIN_MAX(T)                          \
  constexpr T min(T a, T b) { return hc_smaller<T>(a, b); } \
  constexpr T max(T a, T b) { return hc_larger<T>(a, b); }
RHINO_HOST_CUDA_MIN_MAX(int)
RHINO_HOST_CUDA_MIN_MAX(unsigned)
RHINO_HOST_CUDA_MIN_MAX(long)
RHINO_HOST_CUDA_MIN_MAX(unsigned long)
RHINO_HOST_CUDA_MIN_MAX(long long)
RHINO_HOST_CUDA_MIN_MAX(unsigned long long)
#undef RHINO_HOST_CUDA_MIN_MAX
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
template <class T>
inline T __ldg(const T* p) {
  return *p;
}

// From the arguments' addresses to a call.
template <class... A>
struct HcCall;
template <class A, class... R>
struct HcCall<A, R...> {
  template <class F, class... D>
  __attribute__((no_sanitize("thread"))) static void go(F f, void** p, D... done) {
    HcCall<R...>::go(f, p + 1, done..., *static_cast<A*>(*p));
  }
};
template <>
struct HcCall<> {
  template <class F, class... D>
  static void go(F f, void**, D... done) {
    f(done...);
  }
};
template <class... A>
__attribute__((no_sanitize("thread"))) void hc_call(void (*f)(A...), void** p) {
  HcCall<A...>::go(f, p);
}
template <class... A>
constexpr int hc_count(void (*)(A...)) {
  return sizeof...(A);
}
template <class... A>
struct HcSizes {
  static constexpr size_t value[sizeof...(A) + 1] = {sizeof(A)..., 0};
};
template <class... A>
constexpr const size_t* hc_sizes(void (*)(A...)) {
  return HcSizes<A...>::value;
}
