// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/prelude.hpp"

namespace rhino::runtime::cuda {

const char* const kPrelude = R"(
typedef signed char s8;
typedef unsigned char u8;
typedef unsigned short u16;
typedef int s32;
typedef unsigned u32;
typedef long long s64;
typedef unsigned long long u64;

template <class T> struct Signs { typedef T Signed; typedef T Unsigned; };
template <> struct Signs<s8> { typedef s8 Signed; typedef u8 Unsigned; };
template <> struct Signs<u8> { typedef s8 Signed; typedef u8 Unsigned; };
template <> struct Signs<s32> { typedef s32 Signed; typedef u32 Unsigned; };
template <> struct Signs<u32> { typedef s32 Signed; typedef u32 Unsigned; };
template <> struct Signs<s64> { typedef s64 Signed; typedef u64 Unsigned; };
template <class T> struct Is { static constexpr bool floating = false; };
template <> struct Is<float> { static constexpr bool floating = true; };
template <> struct Is<double> { static constexpr bool floating = true; };
#define UNSIGNED(T) typename Signs<T>::Unsigned

// 16 bits are computed with as floats, and rounded after every op.
inline __device__ float from_bf16(u16 v) { return __uint_as_float((u32)v << 16); }
inline __device__ float from_f16(u16 v) {
  float wide;
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(v));
  return wide;
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
inline __device__ u16 to_bf16(float v) {
  u32 both;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(0.0f), "f"(v));
  return (u16)both;
}
inline __device__ u16 to_f16(float v) {
  u32 both;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(0.0f), "f"(v));
  return (u16)both;
}
#else
inline __device__ u16 to_bf16(float v) {
  const u32 bits = __float_as_uint(v);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (u16)(bits >> 16 | 0x40);
  return (u16)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}
inline __device__ u16 to_f16(float v) {
  const u32 all = __float_as_uint(v), sign = all >> 16 & 0x8000, bits = all & 0x7fffffffu;
  if (bits > 0x7f800000u) return (u16)(sign | 0x7e00);
  if (bits >= 0x477ff000u) return (u16)(sign | 0x7c00);
  if (bits < 0x38800000u) return (u16)(sign | (u32)rintf(__uint_as_float(bits) * 16777216.0f));
  return (u16)(sign | (bits + 0xfffu + (bits >> 13 & 1) - 0x38000000u) >> 13);
}
#endif
inline __device__ float round_bf16(float v) { return from_bf16(to_bf16(v)); }
inline __device__ float round_f16(float v) { return from_f16(to_f16(v)); }

#define FUNCTION(name, function)                                         \
  inline __device__ float op_##name(float x) { return function##f(x); } \
  inline __device__ double op_##name(double x) { return function(x); }
FUNCTION(exponential, exp)
FUNCTION(exponential_minus_one, expm1)
FUNCTION(log, log)
FUNCTION(log_plus_one, log1p)
FUNCTION(sqrt, sqrt)
FUNCTION(cbrt, cbrt)
FUNCTION(tanh, tanh)
FUNCTION(sine, sin)
FUNCTION(cosine, cos)
FUNCTION(erf, erf)
FUNCTION(floor, floor)
FUNCTION(ceil, ceil)
FUNCTION(round, rint)
FUNCTION(magnitude, fabs)
template <class T> __device__ T op_rsqrt(T x) { return T(1) / op_sqrt(x); }
template <class T> __device__ T op_logistic(T x) { return T(1) / (T(1) + op_exponential(-x)); }
inline __device__ u8 op_is_finite(float x) { return fabsf(x) <= 3.402823466e+38f; }
inline __device__ u8 op_is_finite(double x) { return fabs(x) <= 1.7976931348623157e+308; }
inline __device__ float power_floating(float x, float y) { return powf(x, y); }
inline __device__ double power_floating(double x, double y) { return pow(x, y); }
inline __device__ float remainder_floating(float x, float y) { return fmodf(x, y); }
inline __device__ double remainder_floating(double x, double y) { return fmod(x, y); }

template <class T> __device__ T op_negate(T x) {
  if constexpr (Is<T>::floating) return -x; else return (T)(0 - (UNSIGNED(T))x);
}
template <class T> __device__ T op_absolute(T x) {
  if constexpr (Is<T>::floating) return op_magnitude(x); else return x < T(0) ? op_negate(x) : x;
}
template <class T> __device__ T op_sign(T x) {
  if constexpr (Is<T>::floating) return x > T(0) ? T(1) : x < T(0) ? T(-1) : x;
  else return (T)((x > T(0)) - (x < T(0)));
}
template <class T> __device__ T op_logical_not(T x) { return (T)~x; }
inline __device__ u8 not_pred(u8 x) { return !x; }

// Integers wrap.
template <class T> __device__ T op_add(T x, T y) {
  if constexpr (Is<T>::floating) return x + y; else return (T)((UNSIGNED(T))x + (UNSIGNED(T))y);
}
template <class T> __device__ T op_subtract(T x, T y) {
  if constexpr (Is<T>::floating) return x - y; else return (T)((UNSIGNED(T))x - (UNSIGNED(T))y);
}
template <class T> __device__ T op_multiply(T x, T y) {
  if constexpr (Is<T>::floating) return x * y; else return (T)((UNSIGNED(T))x * (UNSIGNED(T))y);
}
template <class T> __device__ T op_divide(T x, T y) {
  if constexpr (Is<T>::floating) return x / y;
  else return y == T(0) ? (T)~T(0) : T(-1) < T(0) && y == T(-1) ? op_negate(x) : (T)(x / y);
}
template <class T> __device__ T op_remainder(T x, T y) {
  if constexpr (Is<T>::floating) return remainder_floating(x, y);
  else return y == T(0) ? x : T(-1) < T(0) && y == T(-1) ? T(0) : (T)(x % y);
}
template <class T> __device__ T op_power(T x, T y) {
  if constexpr (Is<T>::floating) return power_floating(x, y);
  else {
    if (y < T(0) && x != T(1) && x != T(-1)) return T(0);
    u64 result = 1, base = (u64)x;
    for (u64 n = (u64)(UNSIGNED(T))op_absolute(y); n; n >>= 1, base *= base) {
      if (n & 1) result *= base;
    }
    return (T)result;
  }
}
template <class T> __device__ T op_maximum(T x, T y) { return x != x || x > y ? x : y; }
template <class T> __device__ T op_minimum(T x, T y) { return x != x || x < y ? x : y; }
// ptxas 13.0 makes max(a, max(-b, c)) of s32 one instruction of sm_90 and loses the sign of b: it does
// not see through 64 bits of which it cannot know that 32 would do.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
inline __device__ s64 in_64_bits(s32 x) {
  u32 high = x < 0 ? 0xffffffffu : 0;
  asm("" : "+r"(high));
  return (s64)((u64)high << 32 | (u32)x);
}
inline __device__ s32 op_maximum(s32 x, s32 y) { return in_64_bits(x) > in_64_bits(y) ? x : y; }
inline __device__ s32 op_minimum(s32 x, s32 y) { return in_64_bits(x) < in_64_bits(y) ? x : y; }
#endif
template <class T> __device__ T op_logical_and(T x, T y) { return (T)(x & y); }
template <class T> __device__ T op_logical_or(T x, T y) { return (T)(x | y); }
template <class T> __device__ T op_logical_xor(T x, T y) { return (T)(x ^ y); }
template <class T> __device__ T op_shift_left(T x, T y) {
  const u64 places = (UNSIGNED(T))y;
  return places < 8 * sizeof(T) ? (T)((u64)(UNSIGNED(T))x << places) : T(0);
}
template <class T> __device__ T op_shift_right_logical(T x, T y) {
  const u64 places = (UNSIGNED(T))y;
  return places < 8 * sizeof(T) ? (T)((u64)(UNSIGNED(T))x >> places) : T(0);
}
template <class T> __device__ T op_shift_right_arithmetic(T x, T y) {
  const u64 places = (UNSIGNED(T))y, most = 8 * sizeof(T) - 1;
  return (T)((s64)(typename Signs<T>::Signed)x >> (places < most ? places : most));
}
template <class T> __device__ T op_clamp(T low, T x, T high) {
  return op_minimum(op_maximum(low, x), high);
}
template <class T> struct Limits;
template <> struct Limits<s8> { static constexpr double low = -128, high = 127; };
template <> struct Limits<u8> { static constexpr double low = 0, high = 255; };
template <> struct Limits<s32> { static constexpr double low = -2147483648.0, high = 2147483647; };
template <> struct Limits<u32> { static constexpr double low = 0, high = 4294967295.0; };
template <> struct Limits<s64> { static constexpr double low = -9223372036854775808.0, high = 9223372036854774784.0; };
template <class To, class From> __device__ To convert(From x) {
  if constexpr (!Is<To>::floating && Is<From>::floating) {
    const double v = (double)x;
    return v != v ? To(0) : (To)(v < Limits<To>::low ? Limits<To>::low : v > Limits<To>::high ? Limits<To>::high : v);
  } else return (To)x;
}
template <class To, class From> __device__ To same_bits(From x) {
  union { From from; To to; } both;
  both.from = x;
  return both.to;
}

#define REDUCTION(name, expression)                                          \
  struct name {                                                              \
    template <class T> __device__ T operator()(T x, T y) const { return expression; } \
  };
REDUCTION(Sum, op_add(x, y))
REDUCTION(Product, op_multiply(x, y))
REDUCTION(Max, op_maximum(x, y))
REDUCTION(Min, op_minimum(x, y))
REDUCTION(And, op_logical_and(x, y))
REDUCTION(Or, op_logical_or(x, y))

template <class T> __device__ T other_lane(T v, int lanes) {
  if constexpr (sizeof(T) == 1) return (T)__shfl_xor_sync(0xffffffffu, (int)v, lanes);
  else return __shfl_xor_sync(0xffffffffu, v, lanes);
}
// Elements that lie side by side and travel together, 16 bytes at a time.
template <int BYTES> struct Word { typedef uint4 Type; };
template <> struct Word<8> { typedef uint2 Type; };
template <> struct Word<4> { typedef u32 Type; };
template <> struct Word<2> { typedef u16 Type; };
template <class T, int W> struct Pack {
  static constexpr int bytes = W * sizeof(T), step = bytes < 16 ? bytes : 16;
  typedef typename Word<step>::Type Unit;
  union { T at[W]; Unit units[bytes / step]; };
};
template <class T, int W, class Index> __device__ Pack<T, W> load_pack(const void* from, Index index) {
  typedef Pack<T, W> P;
  const typename P::Unit* units = (const typename P::Unit*)((const T*)from + index);
  P pack;
  #pragma unroll
  for (int i = 0; i < P::bytes / P::step; ++i) pack.units[i] = units[i];
  return pack;
}
template <class T, int W, class Index> __device__ void store_pack(void* to, Index index, const Pack<T, W>& pack) {
  typedef Pack<T, W> P;
  typename P::Unit* units = (typename P::Unit*)((T*)to + index);
  #pragma unroll
  for (int i = 0; i < P::bytes / P::step; ++i) units[i] = pack.units[i];
}
// Of all threads of a block of whole warps, in an order that never changes; all get it.
template <class F, class T> __device__ T fold_block(F f, T v) {
  __shared__ T warps[32];
  for (int lanes = 16; lanes > 0; lanes >>= 1) v = f(v, other_lane(v, lanes));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = v;
  __syncthreads();
  v = warps[0];
  for (u32 warp = 1; warp < blockDim.x / 32; ++warp) v = f(v, warps[warp]);
  __syncthreads();
  return v;
}

// Of the eight warps of a block, lane by lane; the first warp gets it.
template <int W, class F, class T> __device__ void fold_warps(F f, T (&sum)[W]) {
  __shared__ T parts[7][W][32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  #pragma unroll
  for (int u = 0; u < W; ++u) if (warp > 0) parts[warp - 1][u][lane] = sum[u];
  __syncthreads();
  #pragma unroll
  for (int u = 0; u < W; ++u) {
    #pragma unroll
    for (int w = 0; w < 7; ++w) if (warp == 0) sum[u] = f(sum[u], parts[w][u][lane]);
  }
  __syncthreads();
}

// A tile of a matrix product per block of 16 x 16 threads. Each holds T x T sums of type S: rows
// and columns in fours, so that shared memory is read 16 bytes at a time.
template <class S, int T> struct alignas(16) TileRow { S at[16 * T + (T > 1 ? 4 : 1)]; };
template <int T> __device__ int tile_place(int thread, int i) {
  return T > 1 ? i / 4 * 64 + thread * 4 + i % 4 : thread;
}
template <class S, int T, bool A_BY_K, bool B_BY_N, class Index, class A, class B, class Store>
__device__ void tile_product(A load_a, B load_b, Store store, Index m, Index n, Index k, Index row, Index column) {
  constexpr int side = 16 * T;
  __shared__ TileRow<S, T> a[16], b[16];
  const int t = threadIdx.x, x = t % 16, y = t / 16;
  S sum[T][T];
  #pragma unroll
  for (int i = 0; i < T; ++i) {
    #pragma unroll
    for (int j = 0; j < T; ++j) sum[i][j] = S(0);
  }
  for (Index begin = 0; begin < k; begin += 16) {
    #pragma unroll
    for (int i = 0; i < T; ++i) {
      const int e = t + 256 * i;
      const int am = A_BY_K ? e / 16 : e % side, ak = A_BY_K ? e % 16 : e / side;
      const int bn = B_BY_N ? e % side : e / 16, bk = B_BY_N ? e / side : e % 16;
      a[ak].at[am] = row + am < m && begin + ak < k ? load_a(row + am, begin + ak) : S(0);
      b[bk].at[bn] = begin + bk < k && column + bn < n ? load_b(begin + bk, column + bn) : S(0);
    }
    __syncthreads();
    #pragma unroll
    for (int p = 0; p < 16; ++p) {
      S left[T], right[T];
      #pragma unroll
      for (int i = 0; i < T; ++i) {
        left[i] = a[p].at[tile_place<T>(y, i)];
        right[i] = b[p].at[tile_place<T>(x, i)];
      }
      #pragma unroll
      for (int i = 0; i < T; ++i) {
        #pragma unroll
        for (int j = 0; j < T; ++j) sum[i][j] = op_add(sum[i][j], op_multiply(left[i], right[j]));
      }
    }
    __syncthreads();
  }
  #pragma unroll
  for (int i = 0; i < T; ++i) {
    #pragma unroll
    for (int j = 0; j < T; ++j) {
      const Index to_m = row + tile_place<T>(y, i), to_n = column + tile_place<T>(x, j);
      if (to_m < m && to_n < n) store(to_m, to_n, sum[i][j]);
    }
  }
}

// Philox4x32-10 (Salmon et al. 2011).
struct Philox { u32 a, b, c, d; };
inline __device__ Philox philox(u64 number, u64 stream, u64 seed) {
  Philox v = {(u32)number, (u32)(number >> 32), (u32)stream, (u32)(stream >> 32)};
  u32 key = (u32)seed, other = (u32)(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const u64 x = (u64)0xD2511F53u * v.a, y = (u64)0xCD9E8D57u * v.c;
    v = {(u32)(y >> 32) ^ v.b ^ key, (u32)y, (u32)(x >> 32) ^ v.d ^ other, (u32)x};
    key += 0x9E3779B9u;
    other += 0xBB67AE85u;
  }
  return v;
}
// Not contracted, so that all devices make the same.
inline __device__ double uniform_of(u32 word, double low, double high) {
  return __dadd_rn(low, __dmul_rn(high - low, (double)(word >> 8) * 5.9604644775390625e-8));
}

// Of windows in steps of `step`, the first that reaches `place`.
template <class T> __device__ T first_window(T place, T size, T step) {
  return place < size ? T(0) : (place - size) / step + 1;
}
// Ascending, NaN last.
template <class T> __device__ bool is_before(T x, T y) { return y != y ? x == x : x < y; }
)";

}  // namespace rhino::runtime::cuda
