// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/attention_prelude.hpp"

namespace rhino::runtime::cuda {

const char* const kAttentionStreams = R"(
// Own rows stay in registers. Of what they meet two stages of TILES tiles lie in shared memory: one
// is copied while the other is multiplied.
template <class E, int PRODUCTS, int DEPTH, int TILES> struct Stream {
  static constexpr bool in_groups = MULTIPLIES_IN_GROUPS && DEPTH % 64 == 0;
  static constexpr int stride = in_groups ? DEPTH : DEPTH + 8, most_bytes = 36864;
  static constexpr __device__ int bytes(int rows) { return 2 * TILES * rows * stride * 2; }
  static constexpr int others = bytes(64) <= most_bytes ? 64 : bytes(32) <= most_bytes ? 32 : 16;
  typedef u16 Tile[in_groups ? DEPTH / 64 * others : others][in_groups ? 64 : stride];
  typedef u32 Own[PRODUCTS][DEPTH / 16][4];
  typedef float Sums[DEPTH / 8][4];
  union alignas(in_groups ? 1024 : 16) Shared { u16 own[64][DEPTH + 8]; Tile stages[2][TILES]; };

  template <class M> static __device__ void load_own(Own& to, Shared& shared, int product, const M& m, int own) {
    copy_tile(shared.own, m, own);
    await_copies();
    __syncthreads();
    const int lane = threadIdx.x % 32;
    #pragma unroll
    for (int k = 0; k < DEPTH / 16; ++k)
      load_fragments<E, false>(to[product][k], &shared.own[threadIdx.x / 32 * 16 + lane % 16][16 * k + lane / 16 * 8]);
    __syncthreads();
  }
  template <class A, class B> static __device__ void load_own(Own& to, Shared& shared, const A& a, const B& b, int own) {
    load_own(to, shared, 0, a, own);
    if constexpr (PRODUCTS > 1) load_own(to, shared, 1, b, own);
  }

  template <class M> static __device__ void copy_rows(Tile& to, const M& m, int row) {
    if constexpr (in_groups) copy_panels<others, DEPTH>(to, m, row); else copy_tile(to, m, row);
  }

  // `copy(tiles, other)`, then `meet(tiles, other, stage)`, of `others` rows each.
  template <class Copy, class Meet> static __device__ void meet_all(Shared& shared, Extents extents, Copy copy, Meet meet) {
    int other = extents.begin / others * others, stage = 0;
    if (other < extents.end) copy(shared.stages[0], other);
    #pragma unroll 1
    for (; other < extents.end; other += others, stage ^= 1) {
      await_copies();
      if constexpr (in_groups) show_copies();
      __syncthreads();
      if (other + others < extents.end) copy(shared.stages[stage ^ 1], other + others);
      meet(shared.stages[stage], other, stage);
    }
  }

  // Of N others from `first` on.
  template <int N> static __device__ void multiply(float (&s)[PRODUCTS][N / 8][4], Own& own, const Tile* tiles, int first) {
    if constexpr (in_groups) {
      multiply_own_in_group<E, PRODUCTS, N / 8, DEPTH, others>(s, own, tiles, first);
    } else {
      #pragma unroll
      for (int p = 0; p < PRODUCTS; ++p) multiply_own<E, N / 8, DEPTH>(s[p], own[p], tiles[p] + first);
    }
  }
  // sum += weights of N others from `first` on, times their rows of `y`, for each result.
  template <int N, int RESULTS>
  static __device__ void add_weighted(Sums (&sum)[RESULTS], const float (&weights)[RESULTS][N / 8][4], const Tile* const (&y)[RESULTS], int first) {
    if constexpr (in_groups) {
      multiply_weights_in_group<E, RESULTS, N / 8, DEPTH, others>(sum, weights, y, first);
    } else {
      #pragma unroll
      for (int i = 0; i < RESULTS; ++i) multiply_weights<E, N / 8, DEPTH>(sum[i], weights[i], *y[i] + first);
    }
  }
};

template <int N, class F> __device__ void for_tiles(F f) {
  #pragma unroll
  for (int j = 0; j < N / 8; ++j) {
    #pragma unroll
    for (int i = 0; i < 4; ++i) f(j, i);
  }
}

// A row of which more is to come: `row` knows of `maximum`, the sum is of this thread's columns.
template <class Row> struct Running { Row row; float maximum = none(), sum = 0; };

// Exponentials of a tile, all of which is inside, and seen, if it is `whole`; maximum and this thread's sum of each row go on. Returns by what earlier
// sums are to be scaled.
template <int N, int PRODUCTS, class Row, class S>
__device__ void soften_stream(bool whole, float (&e)[N / 8][4], float (&scale)[2], const float (&s)[PRODUCTS][N / 8][4], Running<Row> (&rows)[2],
                              int own, int other, Extents extents, const S& softmax) {
  float most[2] = {none(), none()}, sum[2] = {0, 0};
  for_tiles<N>([&](int j, int i) {
    const int r = own + tile_row(i), c = other + tile_column(j, i);
    const float made[2] = {s[0][j][i], s[PRODUCTS - 1][j][i]};
    e[j][i] = whole || (r < extents.rows && c < extents.columns) ? softmax.x(whole, r, c, made, rows[i / 2].row) : none();
    most[i / 2] = largest(most[i / 2], e[j][i]);
  });
  #pragma unroll
  for (int h = 0; h < 2; ++h) {
    Running<Row>& of = rows[h];
    const int r = own + tile_row(2 * h);
    const bool had_none = of.maximum == none();
    const float before = had_none ? 0.0f : softmax.shift(of.row);
    of.maximum = largest(of.maximum, fold_row(Largest{}, most[h]));
    of.row.maximum = of.maximum == none() ? 0.0f : of.maximum;  // exponentials of -inf are 0
    softmax.know(r < extents.rows ? r : extents.rows - 1, of.row);
    scale[h] = had_none ? 0.0f : quick_exponential(before - softmax.shift(of.row));
  }
  for_tiles<N>([&](int j, int i) {
    e[j][i] = softmax.exponential(e[j][i], rows[i / 2].row);
    sum[i / 2] += e[j][i];
  });
  #pragma unroll
  for (int h = 0; h < 2; ++h) rows[h].sum = rows[h].sum * scale[h] + sum[h];
}
// All of both rows is known. Of nothing but -inf there is no softmax.
template <class Row> __device__ void end_rows(Row (&row)[2], const Running<Row> (&rows)[2]) {
  #pragma unroll
  for (int h = 0; h < 2; ++h) {
    row[h] = rows[h].row;
    row[h].maximum = rows[h].maximum;
    row[h].sum = fold_row(Sum{}, rows[h].sum);
    if (row[h].maximum == none()) row[h].sum = none() - none();
  }
}
// A maximum seldom moves once much of a row has been seen.
inline __device__ bool any_moved(const float (&scale)[2]) { return __any_sync(0xffffffffu, scale[0] != 1 || scale[1] != 1); }

template <class E, int PRODUCTS, int DEPTH, int TILES, int Y, class Row, class A, class B, class Copy, class IsFull, class S, class End, class Out, class Finish>
__device__ void stream_softmax_rows(const A& a, const B& b, int own, Extents extents, Copy copy, IsFull is_full, const S& softmax, End end, const Out& out, Finish finish) {
  typedef Stream<E, PRODUCTS, DEPTH, TILES> Streams;
  constexpr int n = Streams::others;
  __shared__ typename Streams::Shared shared;
  typename Streams::Own left;
  Streams::load_own(left, shared, a, b, own);
  typename Streams::Sums sum[1] = {};
  Running<Row> rows[2];
  Row row[2];
  Streams::meet_all(shared, extents, copy, [&](const typename Streams::Tile* tiles, int other, int) {
    float s[PRODUCTS][n / 8][4], e[1][n / 8][4], scale[2];
    Streams::template multiply<n>(s, left, tiles, 0);
    if (is_full(other, n)) soften_stream<n>(true, e[0], scale, s, rows, own, other, extents, softmax);
    else soften_stream<n>(false, e[0], scale, s, rows, own, other, extents, softmax);
    if (any_moved(scale)) for_tiles<DEPTH>([&](int j, int i) { sum[0][j][i] *= scale[i / 2]; });
    Streams::template add_weighted<n>(sum, e, {&tiles[Y]}, 0);
  });
  end_rows(row, rows);
  for_rows(row, own, extents, end);
  store_sums<DEPTH>(sum[0], own, out, [&](int r, int h, float v) { return finish(r, v, row[h]); });
}

// Maxima and sums, and sums of terms that grow as exponentials do.
template <class E, int PRODUCTS, int DEPTH, int TILES, int SUMS, class Row, class A, class B, class Copy, class IsFull, class S, class Terms, class Store, class StoreLater>
__device__ void stream_softmax_sums(const A& a, const B& b, int own, Extents extents, Copy copy, IsFull is_full, const S& softmax, Terms terms, Store store, StoreLater store_later) {
  typedef Stream<E, PRODUCTS, DEPTH, TILES> Streams;
  constexpr int n = Streams::others;
  __shared__ typename Streams::Shared shared;
  typename Streams::Own left;
  Streams::load_own(left, shared, a, b, own);
  float later[2][SUMS > 0 ? SUMS : 1] = {};
  Running<Row> rows[2];
  Row row[2];
  Streams::meet_all(shared, extents, copy, [&](const typename Streams::Tile* tiles, int other, int) {
    float s[PRODUCTS][n / 8][4], e[n / 8][4], scale[2];
    Streams::template multiply<n>(s, left, tiles, 0);
    const auto add = [&](bool whole) {
      soften_stream<n>(whole, e, scale, s, rows, own, other, extents, softmax);
      if constexpr (SUMS > 0) {
        #pragma unroll
        for (int k = 0; k < 2 * SUMS; ++k) later[k / SUMS][k % SUMS] *= scale[k / SUMS];
        for_tiles<n>([&](int j, int i) {
          const int r = own + tile_row(i), c = other + tile_column(j, i);
          const float made[2] = {s[0][j][i], s[PRODUCTS - 1][j][i]};
          if (whole || (r < extents.rows && c < extents.columns)) terms(whole, r, c, made, e[j][i], rows[i / 2].row, later[i / 2]);
        });
      }
    };
    if (is_full(other, n)) add(true); else add(false);
  });
  end_rows(row, rows);
  #pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int r = own + tile_row(2 * h);
    if (has_row(h, own, extents)) store(r, row[h]);
    if constexpr (SUMS > 0) {
      #pragma unroll
      for (int k = 0; k < SUMS; ++k) {
        const float sum = fold_row(Sum{}, later[h][k]);
        if (has_row(h, own, extents)) store_later(r, k, sum);
      }
    }
  }
}

// Weights y for one or two y, over columns for each row, or over rows for each column, where all of
// a row is known. What is known of a row that others meet is fetched a tile ahead.
template <class E, int PRODUCTS, int DEPTH, int TILES, bool BY_ROWS, int Y, int Y_2, class Row, class A, class B, class Copy, class IsFull, class Fetch, class Know, class Weights, class Store>
__device__ void stream_weighted_sums(const A& a, const B& b, int own, Extents extents, Copy copy, IsFull is_full, Fetch fetch, Know know, Weights weights, Store store) {
  typedef Stream<E, PRODUCTS, DEPTH, TILES> Streams;
  constexpr int results = Y_2 < 0 ? 1 : 2, n = Streams::others < 32 ? Streams::others : 32;
  __shared__ typename Streams::Shared shared;
  __shared__ Row rows[2][BY_ROWS ? 1 : Streams::others];
  typename Streams::Own left;
  Streams::load_own(left, shared, a, b, own);
  typename Streams::Sums sum[results] = {};
  Row row[2], next;
  if constexpr (BY_ROWS) for_rows(row, own, extents, [&](int r, Row& of) { fetch(r, of), know(r, of); });
  const int place = threadIdx.x % Streams::others;
  const auto row_of = [&](int other) { return other + place < extents.rows ? other + place : extents.rows - 1; };
  const auto keep_next = [&](int other, int stage) {
    know(row_of(other), next);
    if (threadIdx.x < Streams::others) rows[stage][BY_ROWS ? 0 : place] = next;
  };
  if constexpr (!BY_ROWS) {
    const int first = extents.begin / Streams::others * Streams::others;
    fetch(row_of(first), next);
    keep_next(first, 0);
  }
  Streams::meet_all(shared, extents, copy, [&](const typename Streams::Tile* tiles, int other, int stage) {
    if constexpr (!BY_ROWS) fetch(row_of(other + Streams::others), next);
    #pragma unroll 1
    for (int first = 0; first < Streams::others; first += n) {
      float s[PRODUCTS][n / 8][4], w[results][n / 8][4];
      Streams::template multiply<n>(s, left, tiles, first);
      const auto weigh = [&](bool whole) {
        for_tiles<n>([&](int j, int i) {
          const int p = own + tile_row(i), q = other + first + tile_column(j, i), r = BY_ROWS ? p : q, c = BY_ROWS ? q : p;
          const float made[2] = {s[0][j][i], s[PRODUCTS - 1][j][i]};
          float of[2] = {0, 0};
          const Row& known = BY_ROWS ? row[i / 2] : rows[stage][BY_ROWS ? 0 : first + tile_column(j, i)];
          if (whole || (r < extents.rows && c < extents.columns)) weights(whole, r, c, made, known, of);
          w[0][j][i] = of[0];
          if constexpr (results > 1) w[1][j][i] = of[1];
        });
      };
      if (is_full(other + first, n)) weigh(true); else weigh(false);
      if constexpr (results > 1) Streams::template add_weighted<n>(sum, w, {&tiles[Y], &tiles[Y_2]}, first);
      else Streams::template add_weighted<n>(sum, w, {&tiles[Y]}, first);
    }
    if constexpr (!BY_ROWS) keep_next(other + Streams::others, stage ^ 1);
  });
  store(sum);
}
)";

std::string attention_preludes() {
  return std::string(kAttentionTiles) + kAttentionFragments + attention_groups() +
         kAttentionPrelude + kAttentionStreams;
}

}  // namespace rhino::runtime::cuda
