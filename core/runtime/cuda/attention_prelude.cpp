// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/attention_prelude.hpp"

namespace rhino::runtime::cuda {

const char* const kAttentionPrelude = R"(
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

struct Extents { int rows, columns, begin, end; };
typedef float ScoreTile[2][4][4];

template <class F> __device__ void for_tile(F f) {
  #pragma unroll
  for (int j = 0; j < 4; ++j) {
    #pragma unroll
    for (int i = 0; i < 4; ++i) f(j, i);
  }
}

// Own rows meet all others, 32 at a time: `before(other)`, then `meet(s, other)` with both products.
template <class E, int PRODUCTS, int DEPTH, class F, class Before, class Meet>
__device__ void meet_others(const F& f, int own, Extents extents, Before before, Meet meet) {
  __shared__ typename Scores<E, PRODUCTS, DEPTH>::Shared shared;
  Scores<E, PRODUCTS, DEPTH> scores{shared};
  scores.keep(0, f.own, own);
  if constexpr (PRODUCTS > 1) scores.keep(1, f.own_2, own);
  #pragma unroll 1
  for (int other = extents.begin; other < extents.end; other += 32) {
    before(other);
    ScoreTile s = {};
    scores.make(s[0], 0, f.own, f.other, own, other);
    if constexpr (PRODUCTS > 1) scores.make(s[1], 1, f.own_2, f.other_2, own, other);
    meet(s, other);
  }
}

// `f(r, row[h])` for both rows of a thread; beyond the last row the last one again.
template <class Row, class F> __device__ void for_rows(Row (&row)[2], int own, Extents extents, F f) {
  #pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int r = own + tile_row(2 * h);
    f(r < extents.rows ? r : extents.rows - 1, row[h]);
  }
}
// The first of the threads that share a row.
inline __device__ bool has_row(int h, int own, Extents extents) {
  return threadIdx.x % 4 == 0 && own + tile_row(2 * h) < extents.rows;
}

inline __device__ float none() { return __uint_as_float(0xff800000u); }  // -inf

// What the softmax is over, the exponential, and what of a row these know.
template <class Know, class Shift, class X, class Exp> struct Softmax { Know know; Shift shift; X x; Exp exponential; };
template <class Know, class Shift, class X, class Exp>
__device__ Softmax<Know, Shift, X, Exp> softmax(Know know, Shift shift, X x, Exp exponential) {
  return {know, shift, x, exponential};
}

// Exponentials of a tile, in place of what the softmax is over; maximum and sum of each row go on.
// Returns by what earlier sums are to be scaled.
template <class Row, class S>
__device__ void soften_tile(float (&scale)[2], ScoreTile& s, Row (&row)[2], int own, int other, Extents extents, const S& softmax) {
  float most[2] = {none(), none()}, sum[2] = {0, 0};
  for_tile([&](int j, int i) {
    const int r = own + tile_row(i), c = other + tile_column(j, i);
    const float made[2] = {s[0][j][i], s[1][j][i]};
    s[0][j][i] = r < extents.rows && c < extents.columns ? softmax.x(r, c, made, row[i / 2]) : none();
    most[i / 2] = op_maximum(most[i / 2], s[0][j][i]);
  });
  #pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int r = own + tile_row(2 * h), known = r < extents.rows ? r : extents.rows - 1;
    const float before = row[h].maximum == none() ? none() : softmax.shift(row[h]);
    row[h].maximum = op_maximum(row[h].maximum, fold_row(Max{}, most[h]));
    softmax.know(known, row[h]);
    scale[h] = before == none() ? 0.0f : op_exponential(before - softmax.shift(row[h]));
  }
  for_tile([&](int j, int i) {
    const int r = own + tile_row(i), c = other + tile_column(j, i);
    const bool counts = r < extents.rows && c < extents.columns && row[i / 2].maximum != none();
    s[0][j][i] = counts ? softmax.exponential(r, c, s[0][j][i], row[i / 2]) : 0.0f;
    sum[i / 2] += s[0][j][i];
  });
  #pragma unroll
  for (int h = 0; h < 2; ++h) row[h].sum = row[h].sum * scale[h] + fold_row(Sum{}, sum[h]);
}

// All of a row: `meet(s, scale, other)` with the exponentials of each tile.
template <class E, int PRODUCTS, int DEPTH, class Row, class F, class S, class Meet>
__device__ void soften_rows(Row (&row)[2], const F& f, int own, Extents extents, const S& softmax, Meet meet) {
  #pragma unroll
  for (int h = 0; h < 2; ++h) row[h].maximum = none(), row[h].sum = 0;
  meet_others<E, PRODUCTS, DEPTH>(f, own, extents, [](int) {}, [&](ScoreTile& s, int other) {
    float scale[2];
    soften_tile(scale, s, row, own, other, extents, softmax);
    meet(s, scale, other);
  });
  // Of nothing but -inf there is no softmax.
  #pragma unroll
  for (int h = 0; h < 2; ++h) if (row[h].maximum == none()) row[h].sum = row[h].maximum - row[h].maximum;
}

template <class E, int PRODUCTS, int DEPTH, class Row, class F, class S, class Store>
__device__ void softmax_sums(const F& f, int own, Extents extents, const S& softmax, Store store) {
  Row row[2];
  soften_rows<E, PRODUCTS, DEPTH>(row, f, own, extents, softmax, [](ScoreTile&, const float (&)[2], int) {});
  #pragma unroll
  for (int h = 0; h < 2; ++h) if (has_row(h, own, extents)) store(own + tile_row(2 * h), row[h]);
}

// Sums over columns of what `terms` makes once maximum and sum are known.
template <class E, int PRODUCTS, int DEPTH, int SUMS, class Row, class F, class Load, class Terms, class Store>
__device__ void later_sums(const F& f, int own, Extents extents, Load load, Terms terms, Store store) {
  Row row[2];
  float sums[2][SUMS] = {};
  for_rows(row, own, extents, load);
  meet_others<E, PRODUCTS, DEPTH>(f, own, extents, [](int) {}, [&](ScoreTile& s, int other) {
    for_tile([&](int j, int i) {
      const int r = own + tile_row(i), c = other + tile_column(j, i);
      const float made[2] = {s[0][j][i], s[1][j][i]};
      if (r < extents.rows && c < extents.columns) terms(r, c, made, row[i / 2], sums[i / 2]);
    });
  });
  #pragma unroll
  for (int h = 0; h < 2; ++h) {
    #pragma unroll
    for (int k = 0; k < SUMS; ++k) {
      const float sum = fold_row(Sum{}, sums[h][k]);
      if (has_row(h, own, extents)) store(own + tile_row(2 * h), k, sum);
    }
  }
}

// Rows of sums, as products leave them. A thread has two neighbours of each tile's rows: 4 bytes or 8.
template <class R> __device__ u32 pair_of(const float (&sum)[4], int h) { return R::pack(sum[2 * h], sum[2 * h + 1]); }
template <class T> __device__ void store_wide(u32 (&words)[4], T* to, bool inside) {
  transpose_lanes(words);
  if (inside) *(uint4*)to = {words[0], words[1], words[2], words[3]};
}
template <int DEPTH, class Out, class Finish> __device__ void store_sums(float (&sum)[DEPTH / 8][4], int own, const Out& out, Finish finish) {
  typedef typename Out::Element R;
  typename R::Stored* to[2];
  bool inside[2];
  const int t = threadIdx.x % 4;
  #pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int r = own + tile_row(2 * h);
    inside[h] = r < out.rows;
    const int known = inside[h] ? r : out.rows - 1;
    to[h] = (typename R::Stored*)out.to + out.offset(known);
    #pragma unroll
    for (int j = 0; j < DEPTH / 8; ++j) {
      #pragma unroll
      for (int i = 2 * h; i < 2 * h + 2; ++i) sum[j][i] = finish(known, h, sum[j][i]);
    }
  }
  if constexpr (Out::wide && sizeof(typename R::Stored) == 2) {
    #pragma unroll
    for (int j = 0; j + 4 <= DEPTH / 8; j += 4) {
      #pragma unroll
      for (int h = 0; h < 2; ++h) {
        u32 words[4];
        #pragma unroll
        for (int k = 0; k < 4; ++k) words[k] = pair_of<R>(sum[j + k], h);
        store_wide(words, to[h] + 8 * (j + t), inside[h] && 8 * (j + t) < out.depth);
      }
    }
    if constexpr (DEPTH / 8 % 4 == 2) {  // two tiles of both rows
      constexpr int j = DEPTH / 8 - 2;
      u32 words[4] = {pair_of<R>(sum[j], 0), pair_of<R>(sum[j + 1], 0), pair_of<R>(sum[j], 1), pair_of<R>(sum[j + 1], 1)};
      const int d = 8 * (j + t % 2);
      store_wide(words, (t < 2 ? to[0] : to[1]) + d, (t < 2 ? inside[0] : inside[1]) && d < out.depth);
    }
  } else if constexpr (Out::wide) {
    #pragma unroll
    for (int j = 0; j < DEPTH / 8; j += 2) {
      #pragma unroll
      for (int h = 0; h < 2; ++h) {
        u32 first[2] = {__float_as_uint(sum[j][2 * h]), __float_as_uint(sum[j + 1][2 * h])};
        u32 second[2] = {__float_as_uint(sum[j][2 * h + 1]), __float_as_uint(sum[j + 1][2 * h + 1])};
        transpose_lanes(first), transpose_lanes(second);
        const int d = 8 * (j + t % 2) + t / 2 * 4;
        if (inside[h] && d < out.depth) *(uint4*)(to[h] + d) = {first[0], second[0], first[1], second[1]};
      }
    }
  } else {
    #pragma unroll
    for (int j = 0; j < DEPTH / 8; ++j) {
      #pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int d = tile_column(j, i);
        if (inside[i / 2] && d < out.depth) to[i / 2][d * out.stride] = R::put(sum[j][i]);
      }
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
  __device__ void scale(const float (&by)[2]) {
    #pragma unroll
    for (int j = 0; j < DEPTH / 8; ++j) {
      #pragma unroll
      for (int i = 0; i < 4; ++i) sum[j][i] *= by[i / 2];
    }
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
  template <class Out, class Finish> __device__ void store(int own, const Out& out, Finish finish) {
    store_sums<DEPTH>(sum, own, out, finish);
  }
};

// softmax(x) y in one pass: what was summed is scaled where the maximum grows.
template <class E, class R, int PRODUCTS, int DEPTH, int RESULT_DEPTH, class Row, class F, class Y, class S, class End, class Out, class Finish>
__device__ void softmax_rows(const F& f, const Y& y, int own, Extents extents, const S& softmax, End end, const Out& out, Finish finish) {
  __shared__ typename Weighted<R, RESULT_DEPTH>::Shared shared;
  Weighted<R, RESULT_DEPTH> result{shared};
  Row row[2];
  soften_rows<E, PRODUCTS, DEPTH>(row, f, own, extents, softmax, [&](ScoreTile& s, const float (&scale)[2], int other) {
    result.scale(scale);
    for_tile([&](int j, int i) { result.weigh(j, i, s[0][j][i]); });
    result.add(y, other);
  });
  for_rows(row, own, extents, end);
  result.store(own, out, [&](int r, int h, float v) { return finish(r, v, row[h]); });
}

// weights y over columns for each row, or over rows for each column, where all of a row is known.
template <class E, class R, int PRODUCTS, int DEPTH, int RESULT_DEPTH, bool BY_ROWS, class Row, class F, class Y, class Load, class Weight, class Out>
__device__ void weighted_sums(const F& f, const Y& y, int own, Extents extents, Load load, Weight weight, const Out& out) {
  __shared__ typename Weighted<R, RESULT_DEPTH>::Shared shared;
  __shared__ Row rows[BY_ROWS ? 1 : 32];
  Weighted<R, RESULT_DEPTH> result{shared};
  Row row[2];
  if constexpr (BY_ROWS) for_rows(row, own, extents, load);
  const auto load_others = [&](int other) {
    const int r = other + threadIdx.x;
    if (!BY_ROWS && threadIdx.x < 32) load(r < extents.rows ? r : extents.rows - 1, rows[BY_ROWS ? 0 : threadIdx.x]);
  };
  meet_others<E, PRODUCTS, DEPTH>(f, own, extents, load_others, [&](ScoreTile& s, int other) {
    for_tile([&](int j, int i) {
      const int a = own + tile_row(i), b = other + tile_column(j, i);
      const int r = BY_ROWS ? a : b, c = BY_ROWS ? b : a;
      const float made[2] = {s[0][j][i], s[1][j][i]};
      const bool counts = r < extents.rows && c < extents.columns;
      const Row& of = BY_ROWS ? row[i / 2] : rows[BY_ROWS ? 0 : tile_column(j, i)];
      result.weigh(j, i, counts ? weight(r, c, made, of) : 0.0f);
    });
    result.add(y, other);
  });
  result.store(own, out, [](int, int, float v) { return v; });
}
)";

}  // namespace rhino::runtime::cuda
