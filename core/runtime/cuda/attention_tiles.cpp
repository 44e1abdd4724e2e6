// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/attention_prelude.hpp"

namespace rhino::runtime::cuda {

const char* const kAttentionTiles = R"(
// Attention keeps tiles in registers: one block that spills none of them is worth more than two.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define ATTENTION_BOUNDS(at_once) 128, at_once
#define MULTIPLIES_TILES true
#define MULTIPLY_TILES(type)                                                                      \
  asm("mma.sync.aligned.m16n8k16.row.col.f32." type "." type ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, " \
      "{%8,%9}, {%0,%1,%2,%3};"                                                                   \
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])                                            \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#define LOAD_TILES(turned)                                                                        \
  asm volatile("ldmatrix.sync.aligned.m8n8.x4" turned ".shared.b16 {%0,%1,%2,%3}, [%4];"           \
               : "=r"(tiles[0]), "=r"(tiles[1]), "=r"(tiles[2]), "=r"(tiles[3])                   \
               : "r"((u32)__cvta_generic_to_shared(row))                                          \
               : "memory")
#define PACK(type, slow)                                                                          \
  u32 both;                                                                                       \
  asm("cvt.rn." type "x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));                     \
  return both
#else
#define ATTENTION_BOUNDS(at_once) 128, 1
#define MULTIPLIES_TILES false
#define MULTIPLY_TILES(type) (void)c, (void)a, (void)b
#define LOAD_TILES(turned) (void)tiles, (void)row
#define PACK(type, slow) return slow(low) | (u32)slow(high) << 16
#endif

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define MULTIPLIES_IN_GROUPS true
#else
#define MULTIPLIES_IN_GROUPS false
#endif

struct F32 {
  typedef float Stored;
  static constexpr bool in_tiles = false;
  static __device__ float get(float v) { return v; }
  static __device__ float put(float v) { return v; }
  static __device__ void multiply(float*, const u32*, const u32*) {}
};
struct Bf16 {
  typedef u16 Stored;
  static constexpr bool in_tiles = MULTIPLIES_TILES;
  static __device__ float get(u16 v) { return from_bf16(v); }
  static __device__ u16 put(float v) { return to_bf16(v); }
  static __device__ void multiply(float* c, const u32* a, const u32* b) { MULTIPLY_TILES("bf16"); }
  // Two elements as they lie, rounded.
  static __device__ u32 pack(float low, float high) { PACK("bf16", to_bf16); }
  static __device__ float lower(u32 both) { return __uint_as_float(both << 16); }
  static __device__ float upper(u32 both) { return __uint_as_float(both & 0xffff0000u); }
};
struct F16 {
  typedef u16 Stored;
  static constexpr bool in_tiles = MULTIPLIES_TILES;
  static __device__ float get(u16 v) { return from_f16(v); }
  static __device__ u16 put(float v) { return to_f16(v); }
  static __device__ void multiply(float* c, const u32* a, const u32* b) { MULTIPLY_TILES("f16"); }
  static __device__ u32 pack(float low, float high) { PACK("f16", to_f16); }
  static __device__ float lower(u32 both) {
    float v;
    asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"((u16)both));
    return v;
  }
  static __device__ float upper(u32 both) { return lower(both >> 16); }
};

// Rows that begin where `offset` says, each of `depth` elements in steps of `stride`; WIDE: of 16
// bytes that lie side by side, aligned; EVEN: rows lie equally far apart.
template <class E, bool WIDE, bool EVEN, class Index, class Offset> struct Matrix {
  typedef E Element;
  static constexpr bool wide = WIDE, even = EVEN;
  const void* from;
  Offset offset;
  int rows, depth;
  Index stride;
};
template <class E, bool WIDE, bool EVEN, class Index, class Offset>
__device__ Matrix<E, WIDE, EVEN, Index, Offset> matrix(const void* from, Offset offset, int rows, int depth, Index stride) {
  return {from, offset, rows, depth, stride};
}

// Where results go, likewise.
template <class E, bool WIDE, class Index, class Offset> struct Result {
  typedef E Element;
  static constexpr bool wide = WIDE;
  void* to;
  Offset offset;
  int rows, depth;
  Index stride;
};
template <class E, bool WIDE, class Index, class Offset>
__device__ Result<E, WIDE, Index, Offset> result(void* to, Offset offset, int rows, int depth, Index stride) {
  return {to, offset, rows, depth, stride};
}

// What lies beyond the matrix is 0.
template <class E, int ROWS, int COLUMNS, int STRIDE, class M>
__device__ void fill_tile(typename E::Stored (*to)[STRIDE], const M& m, int row, int column) {
  typedef typename E::Stored T;
  typedef typename M::Element::Stored From;
  constexpr int width = M::wide ? 16 / sizeof(T) : 1, units = COLUMNS / width;
  #pragma unroll 4
  for (int u = threadIdx.x; u < ROWS * units; u += 128) {
    const int r = u / units, c = u % units * width;
    const bool inside = row + r < m.rows && column + c < m.depth;
    if constexpr (M::wide) {
      uint4 v = {0, 0, 0, 0};
      if (inside) v = *(const uint4*)((const T*)m.from + m.offset(row + r) + (column + c));
      *(uint4*)&to[r][c] = v;
    } else {
      float v = 0;
      if (inside) v = M::Element::get(((const From*)m.from)[m.offset(row + r) + (column + c) * m.stride]);
      to[r][c] = E::put(v);
    }
  }
}

// Four tiles of 8 x 8; each lane says where a row of one lies, of 16 bytes.
template <bool TURNED> __device__ void load_tiles(u32* tiles, const u16* row) {
  if constexpr (TURNED) LOAD_TILES(".trans"); else LOAD_TILES("");
}

// sum[j] += rows of `a` times columns of `b`: 16 rows, 8 columns for each j, summed over K. A
// thread has two neighbours of row lane / 4, and of that row + 8.
template <class E, int N, int K, bool B_BY_K, int A_STRIDE, int B_STRIDE>
__device__ void multiply_rows(float (*sum)[4], const typename E::Stored (*a)[A_STRIDE], const typename E::Stored (*b)[B_STRIDE]) {
  const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4 * 2;
  if constexpr (E::in_tiles) {
    // The low three bits of a lane choose the row of a tile, the others the tile.
    #pragma unroll
    for (int k = 0; k < K; k += 16) {
      u32 left[4];
      load_tiles<false>(left, &a[lane % 16][k + lane / 16 * 8]);
      #pragma unroll
      for (int j = 0; j < N; j += 2) {
        u32 right[4];
        if constexpr (B_BY_K) load_tiles<false>(right, &b[8 * j + lane / 16 * 8 + lane % 8][k + lane / 8 % 2 * 8]);
        else load_tiles<true>(right, &b[k + lane % 16][8 * j + lane / 16 * 8]);
        E::multiply(sum[j], left, right);
        E::multiply(sum[j + 1], left, right + 2);
      }
    }
  } else {
    #pragma unroll 4
    for (int k = 0; k < K; ++k) {
      const float upper = E::get(a[g][k]), lower = E::get(a[g + 8][k]);
      #pragma unroll
      for (int j = 0; j < N; ++j) {
        #pragma unroll
        for (int c = 0; c < 2; ++c) {
          const float right = E::get(B_BY_K ? b[8 * j + t + c][k] : b[k][8 * j + t + c]);
          sum[j][c] += upper * right;
          sum[j][2 + c] += lower * right;
        }
      }
    }
  }
}

// Row of a block that element `i` of a thread's tile is of, and its column of the tile.
inline __device__ int tile_row(int i) { return threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 * 8; }
inline __device__ int tile_column(int j, int i) { return 8 * j + threadIdx.x % 4 * 2 + i % 2; }

// Of the four threads that share a row.
template <class F> __device__ float fold_row(F f, float v) {
  v = f(v, other_lane(v, 1));
  return f(v, other_lane(v, 2));
}

// Word i of lane t becomes word t of lane i, among N lanes side by side.
template <int N> __device__ void transpose_lanes(u32 (&words)[N]) {
  #pragma unroll
  for (int lanes = 1; lanes < N; lanes *= 2) {
    const bool upper = threadIdx.x & lanes;
    #pragma unroll
    for (int i = 0; i < N; ++i) {
      if (i & lanes) continue;
      const u32 got = other_lane(upper ? words[i] : words[i + lanes], lanes);
      if (upper) words[i] = got; else words[i + lanes] = got;
    }
  }
}

constexpr __device__ int depth_step(int depth) { return depth <= 64 ? depth : depth % 64 == 0 ? 64 : 32; }
template <class E> constexpr __device__ int padded(int columns) { return columns + 16 / sizeof(typename E::Stored); }
)";

}  // namespace rhino::runtime::cuda
