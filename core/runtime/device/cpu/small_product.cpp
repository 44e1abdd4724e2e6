// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/cpu/small_product.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace rhino::runtime {
namespace {

constexpr std::int64_t kMostTerms = 256, kMostProducts = 4096;
/// Rows and columns of C that are summed up side by side.
constexpr std::int64_t kRows = 8, kColumns = 16;

/// A product whose columns of C are adjacent, or further apart than its rows.
struct Strided {
  const float *a, *b;
  float* c;
  std::int64_t rows, columns, terms;
  std::int64_t a_row, a_term, b_term, b_column, c_row, c_column;
  bool adds;
};

Strided by_rows(const lower::Matmul& m, const float* a, const float* b, float* c, bool adds) {
  if (m.c_n == 1 || m.n == 1)
    return {a, b, c, m.m, m.n, m.k, m.a_m, m.a_k, m.b_k, m.b_n, m.c_m, m.c_n, adds};
  return {b, a, c, m.n, m.m, m.k, m.b_n, m.b_k, m.a_k, m.a_m, m.c_n, m.c_m, adds};
}

using Vector [[gnu::vector_size(kColumns * sizeof(float))]] = float;

/// Columns [first, first + count) of B next to each other, zeros behind them.
void pack(const Strided& p, std::int64_t first, std::int64_t count, float* packed) {
  if (count < kColumns)
    std::memset(packed, 0, static_cast<std::size_t>(p.terms * kColumns) * sizeof *packed);
  const float* from = p.b + first * p.b_column;
  if (p.b_column == 1) {
    for (std::int64_t k = 0; k < p.terms; ++k)
      std::memcpy(packed + k * kColumns, from + k * p.b_term,
                  static_cast<std::size_t>(count) * sizeof *packed);
    return;
  }
  for (std::int64_t j = 0; j < count; ++j) {
    for (std::int64_t k = 0; k < p.terms; ++k)
      packed[k * kColumns + j] = from[j * p.b_column + k * p.b_term];
  }
}

template <std::int64_t kCount>
void multiply_rows(const Strided& p, std::int64_t row, std::int64_t first, std::int64_t count,
                   const float* packed) {
  Vector sums[kCount] = {};
  const float* a = p.a + row * p.a_row;
  for (std::int64_t k = 0; k < p.terms; ++k, packed += kColumns) {
    Vector terms;
    std::memcpy(&terms, packed, sizeof terms);
#pragma GCC unroll 8
    for (std::int64_t r = 0; r < kCount; ++r) sums[r] += a[r * p.a_row + k * p.a_term] * terms;
  }
  for (std::int64_t r = 0; r < kCount; ++r) {
    float* to = p.c + (row + r) * p.c_row + first * p.c_column;
    float elements[kColumns];
    std::memcpy(elements, &sums[r], sizeof elements);
    if (p.adds) {
      for (std::int64_t j = 0; j < count; ++j) to[j * p.c_column] += elements[j];
    } else if (count == kColumns && p.c_column == 1) {
      std::memcpy(to, elements, sizeof elements);
    } else {
      for (std::int64_t j = 0; j < count; ++j) to[j * p.c_column] = elements[j];
    }
  }
}

}  // namespace

bool is_small_product(const lower::Matmul& m) {
  return m.k <= kMostTerms && m.m * m.n * m.k <= kMostProducts;
}

void multiply_small(const lower::Matmul& matmul, const float* a, const float* b, float* c,
                    bool adds) {
  const Strided p = by_rows(matmul, a, b, c, adds);
  alignas(64) float packed[kMostTerms * kColumns];
  for (std::int64_t first = 0; first < p.columns; first += kColumns) {
    const std::int64_t count = std::min(kColumns, p.columns - first);
    pack(p, first, count, packed);
    std::int64_t row = 0;
    for (; row + kRows <= p.rows; row += kRows) multiply_rows<kRows>(p, row, first, count, packed);
    for (; row < p.rows; ++row) multiply_rows<1>(p, row, first, count, packed);
  }
}

}  // namespace rhino::runtime
