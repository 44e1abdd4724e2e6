// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/attention_prelude.hpp"

namespace rhino::runtime::cuda {

const char* const kAttentionPrelude = R"(
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define MULTIPLIES_TILES true
#define MULTIPLY_TILES(type)                                                                      \
  asm("mma.sync.aligned.m16n8k16.row.col.f32." type "." type ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, " \
      "{%8,%9}, {%0,%1,%2,%3};"                                                                   \
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])                                            \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#else
#define MULTIPLIES_TILES false
#define MULTIPLY_TILES(type) (void)c, (void)a, (void)b
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
};
struct F16 {
  typedef u16 Stored;
  static constexpr bool in_tiles = MULTIPLIES_TILES;
  static __device__ float get(u16 v) { return from_f16(v); }
  static __device__ u16 put(float v) { return to_f16(v); }
  static __device__ void multiply(float* c, const u32* a, const u32* b) { MULTIPLY_TILES("f16"); }
};

// Rows that begin where `offset` says, each of `depth` elements in steps of `stride`; WIDE: of 16
// bytes that lie side by side, aligned.
template <class E, bool WIDE, class Index, class Offset> struct Matrix {
  typedef E Element;
  static constexpr bool wide = WIDE;
  const void* from;
  Offset offset;
  int rows, depth;
  Index stride;
};
template <class E, bool WIDE, class Index, class Offset>
__device__ Matrix<E, WIDE, Index, Offset> matrix(const void* from, Offset offset, int rows, int depth, Index stride) {
  return {from, offset, rows, depth, stride};
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

// sum[j] += rows of `a` times columns of `b`: 16 rows, 8 columns for each j, summed over K. A
// thread has two neighbours of row lane / 4, and of that row + 8.
template <class E, int N, int K, bool B_BY_K, int A_STRIDE, int B_STRIDE>
__device__ void multiply_rows(float (*sum)[4], const typename E::Stored (*a)[A_STRIDE], const typename E::Stored (*b)[B_STRIDE]) {
  const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4 * 2;
  if constexpr (E::in_tiles) {
    #pragma unroll
    for (int k = 0; k < K; k += 16) {
      const u32 left[4] = {*(const u32*)&a[g][k + t], *(const u32*)&a[g + 8][k + t],
                           *(const u32*)&a[g][k + t + 8], *(const u32*)&a[g + 8][k + t + 8]};
      #pragma unroll
      for (int j = 0; j < N; ++j) {
        u32 right[2];
        if constexpr (B_BY_K) {
          right[0] = *(const u32*)&b[8 * j + g][k + t];
          right[1] = *(const u32*)&b[8 * j + g][k + t + 8];
        } else {
          right[0] = b[k + t][8 * j + g] | (u32)b[k + t + 1][8 * j + g] << 16;
          right[1] = b[k + t + 8][8 * j + g] | (u32)b[k + t + 9][8 * j + g] << 16;
        }
        E::multiply(sum[j], left, right);
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

constexpr __device__ int depth_step(int depth) { return depth <= 64 ? depth : depth % 64 == 0 ? 64 : 32; }
template <class E> constexpr __device__ int padded(int columns) { return columns + 16 / sizeof(typename E::Stored); }

// Scores of 64 x 32: products of rows of depth DEPTH. Where there is room the own rows stay in
// shared memory.
template <class E, int PRODUCTS, int DEPTH> struct Scores {
  typedef typename E::Stored T;
  static constexpr int step = depth_step(DEPTH);
  static constexpr bool keeps = PRODUCTS * 64 * padded<E>(DEPTH) * sizeof(T) <= 32768;
  static constexpr int stride = padded<E>(keeps ? DEPTH : step), other_stride = padded<E>(step);
  struct alignas(16) Shared {
    T own[keeps ? PRODUCTS * 64 : 64][stride];
    alignas(16) T other[32][other_stride];
  };
  Shared& shared;
  template <class A> __device__ void keep(int product, const A& a, int own) {
    if constexpr (keeps) fill_tile<E, 64, DEPTH>(shared.own + 64 * product, a, own, 0);
  }
  template <class A, class B> __device__ void make(float (*s)[4], int product, const A& a, const B& b, int own, int other) {
    #pragma unroll
    for (int j = 0; j < 4; ++j) s[j][0] = s[j][1] = s[j][2] = s[j][3] = 0;
    #pragma unroll 1
    for (int d = 0; d < DEPTH; d += step) {
      if constexpr (!keeps) fill_tile<E, 64, step>(shared.own, a, own, d);
      fill_tile<E, 32, step>(shared.other, b, other, d);
      __syncthreads();
      const int row = threadIdx.x / 32 * 16 + (keeps ? 64 * product : 0);
      multiply_own(s, row, keeps ? d : 0);
      __syncthreads();
    }
  }
  __device__ void multiply_own(float (*s)[4], int row, int column) {
    multiply_rows<E, 4, step, true>(s, (const T(*)[stride])&shared.own[row][column], shared.other);
  }
};

// Both factors of each product: own rows, others.
template <class A, class B, class C, class D> struct Factors { A own; B other; C own_2; D other_2; };
template <class A, class B, class C, class D>
__device__ Factors<A, B, C, D> factors(A a, B b, C c, D d) { return {a, b, c, d}; }

template <class E, int PRODUCTS, int DEPTH, class F>
__device__ void make_scores(Scores<E, PRODUCTS, DEPTH> scores, float (&s)[2][4][4], const F& f, int own, int other) {
  scores.make(s[0], 0, f.own, f.other, own, other);
  if constexpr (PRODUCTS > 1) scores.make(s[1], 1, f.own_2, f.other_2, own, other);
}
template <class E, int PRODUCTS, int DEPTH, class F>
__device__ void keep_own(Scores<E, PRODUCTS, DEPTH> scores, const F& f, int own) {
  scores.keep(0, f.own, own);
  if constexpr (PRODUCTS > 1) scores.keep(1, f.own_2, own);
}

inline __device__ float none() { return __uint_as_float(0xff800000u); }  // -inf
struct Extents { int rows, columns, begin, end; };

// Exponentials of a tile, in place of what the softmax is over; maximum and sum of each row go on.
// Returns by what earlier sums are to be scaled.
template <class Row, class Know, class Shift, class X, class Exp>
__device__ void soften_tile(float (&scale)[2], float (&s)[2][4][4], Row (&row)[2], int own, int other, Extents extents, Know know, Shift shift, X x, Exp exponential) {
  float most[2] = {none(), none()}, sum[2] = {0, 0};
  #pragma unroll
  for (int j = 0; j < 4; ++j) {
    #pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int r = own + tile_row(i), c = other + tile_column(j, i);
      const float made[2] = {s[0][j][i], s[1][j][i]};
      s[0][j][i] = r < extents.rows && c < extents.columns ? x(r, c, made, row[i / 2]) : none();
      most[i / 2] = op_maximum(most[i / 2], s[0][j][i]);
    }
  }
  #pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int r = own + tile_row(2 * h), known = r < extents.rows ? r : extents.rows - 1;
    const float before = row[h].maximum == none() ? none() : shift(row[h]);
    row[h].maximum = op_maximum(row[h].maximum, fold_row(Max{}, most[h]));
    know(known, row[h]);
    scale[h] = before == none() ? 0.0f : op_exponential(before - shift(row[h]));
  }
  #pragma unroll
  for (int j = 0; j < 4; ++j) {
    #pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int r = own + tile_row(i), c = other + tile_column(j, i);
      const bool counts = r < extents.rows && c < extents.columns && row[i / 2].maximum != none();
      s[0][j][i] = counts ? exponential(r, c, s[0][j][i], row[i / 2]) : 0.0f;
      sum[i / 2] += s[0][j][i];
    }
  }
  #pragma unroll
  for (int h = 0; h < 2; ++h) row[h].sum = row[h].sum * scale[h] + fold_row(Sum{}, sum[h]);
}

template <class Row> __device__ void forget(Row (&row)[2]) {
  #pragma unroll
  for (int h = 0; h < 2; ++h) row[h].maximum = none(), row[h].sum = 0;
}
// Of nothing but -inf there is no softmax.
template <class Row> __device__ void end_sum(Row& row) {
  if (row.maximum == none()) row.sum = row.maximum - row.maximum;
}

template <class E, int PRODUCTS, int DEPTH, class Row, class F, class Know, class Shift, class X, class Exp, class Store>
__device__ void softmax_sums(const F& f, int own, Extents extents, Know know, Shift shift, X x, Exp exponential, Store store) {
  __shared__ typename Scores<E, PRODUCTS, DEPTH>::Shared shared;
  Scores<E, PRODUCTS, DEPTH> scores{shared};
  Row row[2];
  forget(row);
  keep_own(scores, f, own);
  #pragma unroll 1
  for (int other = extents.begin; other < extents.end; other += 32) {
    float s[2][4][4] = {}, scale[2];
    make_scores(scores, s, f, own, other);
    soften_tile(scale, s, row, own, other, extents, know, shift, x, exponential);
  }
  #pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int r = own + tile_row(2 * h);
    end_sum(row[h]);
    if (threadIdx.x % 4 == 0 && r < extents.rows) store(r, row[h]);
  }
}

// Sums over columns of what `terms` makes once maximum and sum are known.
template <class E, int PRODUCTS, int DEPTH, int SUMS, class Row, class F, class Load, class Terms, class Store>
__device__ void later_sums(const F& f, int own, Extents extents, Load load, Terms terms, Store store) {
  __shared__ typename Scores<E, PRODUCTS, DEPTH>::Shared shared;
  Scores<E, PRODUCTS, DEPTH> scores{shared};
  Row row[2];
  float sums[2][SUMS] = {};
  #pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int r = own + tile_row(2 * h);
    load(r < extents.rows ? r : extents.rows - 1, row[h]);
  }
  keep_own(scores, f, own);
  #pragma unroll 1
  for (int other = extents.begin; other < extents.end; other += 32) {
    float s[2][4][4] = {};
    make_scores(scores, s, f, own, other);
    #pragma unroll
    for (int j = 0; j < 4; ++j) {
      #pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int r = own + tile_row(i), c = other + tile_column(j, i);
        const float made[2] = {s[0][j][i], s[1][j][i]};
        if (r < extents.rows && c < extents.columns) terms(r, c, made, row[i / 2], sums[i / 2]);
      }
    }
  }
  #pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int r = own + tile_row(2 * h);
    #pragma unroll
    for (int k = 0; k < SUMS; ++k) {
      const float sum = fold_row(Sum{}, sums[h][k]);
      if (threadIdx.x % 4 == 0 && r < extents.rows) store(r, k, sum);
    }
  }
}

// Weights of 64 x 32 times rows of `y`.
template <class E, int DEPTH> struct Weighted {
  typedef typename E::Stored T;
  static constexpr int step = depth_step(DEPTH), stride = padded<E>(32), y_stride = padded<E>(step);
  struct alignas(16) Shared {
    T weights[64][stride];
    alignas(16) T y[32][y_stride];
  };
  Shared& shared;
  float sum[DEPTH / 8][4] = {};
  __device__ void weigh(int j, int i, float weight) {
    shared.weights[tile_row(i)][tile_column(j, i)] = E::put(weight);
  }
  template <class Y> __device__ void add(const Y& y, int other) {
    __syncwarp();
    #pragma unroll
    for (int d = 0; d < DEPTH; d += step) {
      fill_tile<E, 32, step>(shared.y, y, other, d);
      __syncthreads();
      multiply_rows<E, step / 8, 32, false>(sum + d / 8, shared.weights + threadIdx.x / 32 * 16, shared.y);
      __syncthreads();
    }
  }
  template <class Store> __device__ void store(int own, int num_own, int depth, Store to) {
    #pragma unroll
    for (int j = 0; j < DEPTH / 8; ++j) {
      #pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int r = own + tile_row(i), d = tile_column(j, i);
        if (r < num_own && d < depth) to(r, d, i / 2, sum[j][i]);
      }
    }
  }
};

// softmax(x) y in one pass: what was summed is scaled where the maximum grows.
template <class E, class R, int PRODUCTS, int DEPTH, int RESULT_DEPTH, class Row, class F, class Y, class Know, class Shift, class X, class Exp, class End, class Store>
__device__ void softmax_rows(const F& f, const Y& y, int own, Extents extents, Know know, Shift shift, X x, Exp exponential, End end, Store store) {
  __shared__ typename Scores<E, PRODUCTS, DEPTH>::Shared shared;
  __shared__ typename Weighted<R, RESULT_DEPTH>::Shared shared_result;
  Scores<E, PRODUCTS, DEPTH> scores{shared};
  Weighted<R, RESULT_DEPTH> result{shared_result};
  Row row[2];
  forget(row);
  keep_own(scores, f, own);
  #pragma unroll 1
  for (int other = extents.begin; other < extents.end; other += 32) {
    float s[2][4][4] = {}, scale[2];
    make_scores(scores, s, f, own, other);
    soften_tile(scale, s, row, own, other, extents, know, shift, x, exponential);
    #pragma unroll
    for (int j = 0; j < RESULT_DEPTH / 8; ++j) {
      #pragma unroll
      for (int i = 0; i < 4; ++i) result.sum[j][i] *= scale[i / 2];
    }
    #pragma unroll
    for (int j = 0; j < 4; ++j) {
      #pragma unroll
      for (int i = 0; i < 4; ++i) result.weigh(j, i, s[0][j][i]);
    }
    result.add(y, other);
  }
  #pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int r = own + tile_row(2 * h);
    end_sum(row[h]);
    end(r < extents.rows ? r : extents.rows - 1, row[h]);
  }
  result.store(own, extents.rows, y.depth, [&](int r, int d, int h, float v) { store(r, d, v, row[h]); });
}

// weights y over columns for each row, or over rows for each column, where all of a row is known.
template <class E, class R, int PRODUCTS, int DEPTH, int RESULT_DEPTH, bool BY_ROWS, class Row, class F, class Y, class Load, class Weight, class Store>
__device__ void weighted_sums(const F& f, const Y& y, int own, Extents extents, Load load, Weight weight, Store store) {
  __shared__ typename Scores<E, PRODUCTS, DEPTH>::Shared shared;
  __shared__ typename Weighted<R, RESULT_DEPTH>::Shared shared_result;
  __shared__ Row rows[BY_ROWS ? 1 : 32];
  Scores<E, PRODUCTS, DEPTH> scores{shared};
  Weighted<R, RESULT_DEPTH> result{shared_result};
  Row row[2];
  if constexpr (BY_ROWS) {
    #pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int r = own + tile_row(2 * h);
      load(r < extents.rows ? r : extents.rows - 1, row[h]);
    }
  }
  keep_own(scores, f, own);
  #pragma unroll 1
  for (int other = extents.begin; other < extents.end; other += 32) {
    if constexpr (!BY_ROWS) {
      const int r = other + threadIdx.x;
      if (threadIdx.x < 32) load(r < extents.rows ? r : extents.rows - 1, rows[threadIdx.x]);
    }
    float s[2][4][4] = {};
    make_scores(scores, s, f, own, other);
    #pragma unroll
    for (int j = 0; j < 4; ++j) {
      #pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int a = own + tile_row(i), b = other + tile_column(j, i);
        const int r = BY_ROWS ? a : b, c = BY_ROWS ? b : a;
        const float made[2] = {s[0][j][i], s[1][j][i]};
        const bool counts = r < extents.rows && c < extents.columns;
        const Row& of = BY_ROWS ? row[i / 2] : rows[BY_ROWS ? 0 : tile_column(j, i)];
        result.weigh(j, i, counts ? weight(r, c, made, of) : 0.0f);
      }
    }
    result.add(y, other);
  }
  result.store(own, BY_ROWS ? extents.rows : extents.columns, y.depth,
               [&](int a, int d, int, float v) { store(a, d, v); });
}
)";

}  // namespace rhino::runtime::cuda
