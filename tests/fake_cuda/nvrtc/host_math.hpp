// SPDX-License-Identifier: Apache-2.0
// Intrinsics of single threads. Approximate ones are the host's functions.
#pragma once
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "host_types.hpp"

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
// Calls, so that no product is contracted into a sum.
[[gnu::noinline]] inline double __dadd_rn(double a, double b) { return a + b; }
[[gnu::noinline]] inline double __dmul_rn(double a, double b) { return a * b; }
inline long long __double_as_longlong(double v) { return hc_bits<long long>(v); }

// The same value, of which g++ no longer knows that it is a product. See contraction.hpp.
template <class T>
inline T hc_hidden(T v) {
  asm("" : "+x"(v));
  return v;
}

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
