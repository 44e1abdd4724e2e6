// SPDX-License-Identifier: Apache-2.0
// What the source of a kernel sees instead of NVRTC's built-ins, when it is compiled for the host.
#pragma once
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "host_atomics.hpp"
#include "host_math.hpp"
#include "host_types.hpp"

extern "C" {
extern uint3 hc_thread, hc_block, hc_block_dim, hc_grid_dim;
extern char* hc_dynamic;
void hc_syncthreads();
uint64_t hc_exchange(unsigned mask, uint64_t value, int kind, int argument, int width);
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
