// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/attention_prelude.hpp"

namespace rhino::runtime::cuda {

const char* const kAttentionFragments = R"(
#if MULTIPLIES_TILES
// Copies of 16 bytes that go on while their thread does; what is not `inside` becomes 0.
inline __device__ void start_copy(u16* to, const u16* from, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
               :
               : "r"((u32)__cvta_generic_to_shared(to)), "l"((u64)__cvta_generic_to_global(from)), "r"(inside ? 16 : 0)
               : "memory");
}
// Of this thread's copies.
inline __device__ void await_copies() { asm volatile("cp.async.wait_all;" : : : "memory"); }
inline __device__ float largest(float x, float y) {
  float v;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(v) : "f"(x), "f"(y));
  return v;
}
#else
inline __device__ void start_copy(u16* to, const u16* from, bool inside) {
  uint4 v = {0, 0, 0, 0};
  if (inside) v = *(const uint4*)from;
  *(uint4*)to = v;
}
inline __device__ void await_copies() {}
inline __device__ float largest(float x, float y) { return op_maximum(x, y); }
#endif
struct Largest {
  __device__ float operator()(float x, float y) const { return largest(x, y); }
};

// To 2 ulp: weights have 16 bits.
inline __device__ float power_of_2(float x) {
  float v;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(v) : "f"(x));
  return v;
}
inline __device__ float quick_exponential(float x) { return power_of_2(x * 1.44269504f); }

inline __device__ u32 lane_word(u32 v, int lane) { return __shfl_sync(0xffffffffu, v, lane); }
inline __device__ const u16* lane_place(const u16* place, int lane) {
  return (const u16*)__shfl_sync(0xffffffffu, (u64)place, lane);
}

// Where there are no tensor cores lanes hand each other what they have. Calls: the text of all
// products would take ptxas minutes.
template <class E> __device__ __noinline__ float4 multiply_in_lanes(float4 sum, uint4 a, uint2 b) {
  const int t = threadIdx.x % 4, first = threadIdx.x % 32 - t;
  float c[4] = {sum.x, sum.y, sum.z, sum.w};
  #pragma unroll 1
  for (int k = 0; k < 8; ++k) {
    const int from = k % 4;
    const u32 upper = lane_word(k < 4 ? a.x : a.z, first + from), lower = lane_word(k < 4 ? a.y : a.w, first + from);
    #pragma unroll
    for (int i = 0; i < 2; ++i) {
      const u32 right = lane_word(k < 4 ? b.x : b.y, 8 * t + 4 * i + from);
      c[i] += E::lower(upper) * E::lower(right) + E::upper(upper) * E::upper(right);
      c[2 + i] += E::lower(lower) * E::lower(right) + E::upper(lower) * E::upper(right);
    }
  }
  return {c[0], c[1], c[2], c[3]};
}
template <bool TURNED> __device__ __noinline__ u32 word_of_tile(const u16* row, int tile) {
  const int lane = threadIdx.x % 32, major = lane / 4, minor = lane % 4 * 2;
  if constexpr (!TURNED) return *(const u32*)(lane_place(row, 8 * tile + major) + minor);
  const u16 *first = lane_place(row, 8 * tile + minor), *second = lane_place(row, 8 * tile + minor + 1);
  return first[major] | (u32)second[major] << 16;
}

// c += a b, with fragments of m16n8k16.
template <class E> __device__ void multiply_fragments(float (&c)[4], const u32 (&a)[4], const u32* b) {
  if constexpr (E::in_tiles) {
    E::multiply(c, a, b);
  } else {
    const float4 sum = multiply_in_lanes<E>({c[0], c[1], c[2], c[3]}, {a[0], a[1], a[2], a[3]}, {b[0], b[1]});
    c[0] = sum.x, c[1] = sum.y, c[2] = sum.z, c[3] = sum.w;
  }
}

// Four tiles of 8 x 8 as fragments; each lane says where a row of one lies, of 16 bytes.
template <class E, bool TURNED> __device__ void load_fragments(u32 (&tiles)[4], const u16* row) {
  if constexpr (E::in_tiles) {
    load_tiles<TURNED>(tiles, row);
  } else {
    #pragma unroll
    for (int i = 0; i < 4; ++i) tiles[i] = word_of_tile<TURNED>(row, i);
  }
}

// Every STEP-th row of `m` from `row + first` on, at depth `d`; what lies beyond the matrix is 0.
template <int ROWS, int STEP, int STRIDE, int DEPTH, class M>
__device__ void copy_rows(u16* to, const M& m, int row, int first, int d) {
  if (M::even && row + ROWS <= m.rows && m.depth >= DEPTH) {
    const u16* from = (const u16*)m.from + m.offset(row + first) + d;
    const auto step = m.offset(STEP) - m.offset(0);
    #pragma unroll
    for (int r = 0; r < ROWS; r += STEP) start_copy(to + r * STRIDE, from + r / STEP * step, true);
    return;
  }
  #pragma unroll
  for (int r = 0; r < ROWS; r += STEP) {
    const bool inside = row + first + r < m.rows && d < m.depth;
    start_copy(to + r * STRIDE, (const u16*)m.from + (inside ? m.offset(row + first + r) + d : 0), inside);
  }
}

// Rows of `m` from `row` on, 8 elements short of a row of shared memory.
template <int ROWS, int STRIDE, class M> __device__ void copy_tile(u16 (&to)[ROWS][STRIDE], const M& m, int row) {
  constexpr int units = STRIDE / 8 - 1, at_once = 128 / units;
  if constexpr (128 % units == 0 && ROWS % at_once == 0) {
    const int d = threadIdx.x % units * 8, first = threadIdx.x / units;
    copy_rows<ROWS, at_once, STRIDE, 8 * units>(&to[first][d], m, row, first, d);
  } else {
    #pragma unroll
    for (int begin = 0; begin < ROWS * units; begin += 128) {
      const int u = begin + threadIdx.x, r = u / units, d = u % units * 8;
      if (ROWS * units % 128 != 0 && u >= ROWS * units) break;
      const bool inside = row + r < m.rows && d < m.depth;
      start_copy(&to[r][d], (const u16*)m.from + (inside ? m.offset(row + r) + d : 0), inside);
    }
  }
}

// s = 16 rows, which a warp has as fragments, times N * 8 others.
template <class E, int N, int DEPTH>
__device__ void multiply_own(float (&s)[N][4], const u32 (&own)[DEPTH / 16][4], const u16 (*other)[DEPTH + 8]) {
  const int lane = threadIdx.x % 32;
  #pragma unroll
  for (int j = 0; j < N; ++j) s[j][0] = s[j][1] = s[j][2] = s[j][3] = 0;
  #pragma unroll
  for (int k = 0; k < DEPTH; k += 16) {
    #pragma unroll
    for (int j = 0; j < N; j += 2) {
      u32 right[4];
      load_fragments<E, false>(right, &other[8 * j + lane / 16 * 8 + lane % 8][k + lane / 8 % 2 * 8]);
      multiply_fragments<E>(s[j], own[k / 16], right);
      multiply_fragments<E>(s[j + 1], own[k / 16], right + 2);
    }
  }
}

// sum += weights of 16 rows and N * 8 others, times rows of `y`. What a product leaves in registers
// is what the next one reads.
template <class E, int N, int DEPTH>
__device__ void multiply_weights(float (&sum)[DEPTH / 8][4], const float (&weights)[N][4], const u16 (*y)[DEPTH + 8]) {
  const int lane = threadIdx.x % 32;
  #pragma unroll
  for (int k = 0; k < N; k += 2) {
    u32 left[4];
    #pragma unroll
    for (int i = 0; i < 4; ++i) left[i] = E::pack(weights[k + i / 2][i % 2 * 2], weights[k + i / 2][i % 2 * 2 + 1]);
    #pragma unroll
    for (int j = 0; j < DEPTH / 8; j += 2) {
      u32 right[4];
      load_fragments<E, true>(right, &y[8 * k + lane % 16][8 * j + lane / 16 * 8]);
      multiply_fragments<E>(sum[j], left, right);
      multiply_fragments<E>(sum[j + 1], left, right + 2);
    }
  }
}
)";

}  // namespace rhino::runtime::cuda
