// SPDX-License-Identifier: Apache-2.0
#include "lower/matmul.hpp"

#include <algorithm>

namespace rhino::lower {
namespace {

/// One index that two of the three tensors share, with its stride in each.
struct SharedDim {
  std::int64_t extent = 1, first = 0, second = 0;
};

/// Merges dims that are adjacent in both tensors; the result is ordered by decreasing stride in
/// `first`.
std::vector<SharedDim> merged(std::vector<SharedDim> dims) {
  std::erase_if(dims, [](const SharedDim& dim) { return dim.extent == 1; });
  std::ranges::stable_sort(
      dims, [](const SharedDim& a, const SharedDim& b) { return a.first > b.first; });
  std::vector<SharedDim> result;
  for (const SharedDim& dim : dims) {
    if (!result.empty() && result.back().first == dim.first * dim.extent &&
        result.back().second == dim.second * dim.extent) {
      result.back() = {result.back().extent * dim.extent, dim.first, dim.second};
    } else {
      result.push_back(dim);
    }
  }
  return result;
}

/// Whether a BLAS takes a matrix of `rows` x `columns`: adjacent elements along one dim, and along
/// the other steps that do not overlap.
bool fits(std::int64_t rows, std::int64_t row_stride, std::int64_t columns,
          std::int64_t column_stride) {
  const bool by_rows = (columns == 1 || column_stride == 1) && (rows == 1 || row_stride >= columns);
  const bool by_columns = (rows == 1 || row_stride == 1) && (columns == 1 || column_stride >= rows);
  return by_rows || by_columns;
}

/// Takes the innermost entry of `dims` as the matrix dim.
SharedDim take_inner(std::vector<SharedDim>& dims) {
  if (dims.empty()) return {};
  const SharedDim inner = dims.back();
  dims.pop_back();
  return inner;
}

}  // namespace

Dims free_dims(std::size_t rank, const Dims& batch, const Dims& contracting) {
  Dims free;
  for (std::int64_t dim = 0; dim < static_cast<std::int64_t>(rank); ++dim) {
    if (std::ranges::find(batch, dim) == batch.end() &&
        std::ranges::find(contracting, dim) == contracting.end()) {
      free.push_back(dim);
    }
  }
  return free;
}

std::optional<Matmul> matmul_of(const DotAttr& dot, const StridedTensor& lhs,
                                const StridedTensor& rhs, const StridedTensor& result) {
  const auto at = [](std::int64_t dim) { return static_cast<std::size_t>(dim); };
  Matmul matmul;
  std::size_t next = 0;
  for (std::size_t i = 0; i < dot.lhs_batch.size(); ++i, ++next) {
    const std::size_t a = at(dot.lhs_batch[i]), b = at(dot.rhs_batch[i]);
    if (lhs.dims[a] == 1) continue;
    matmul.batch.push_back({lhs.dims[a], lhs.strides[a], rhs.strides[b], result.strides[next]});
  }
  std::vector<SharedDim> m, n,
      k;  // first, second: m is (result, lhs), n is (result, rhs), k is (lhs, rhs)
  for (std::int64_t dim : free_dims(lhs.dims.size(), dot.lhs_batch, dot.lhs_contracting)) {
    m.push_back({lhs.dims[at(dim)], result.strides[next++], lhs.strides[at(dim)]});
  }
  for (std::int64_t dim : free_dims(rhs.dims.size(), dot.rhs_batch, dot.rhs_contracting)) {
    n.push_back({rhs.dims[at(dim)], result.strides[next++], rhs.strides[at(dim)]});
  }
  for (std::size_t i = 0; i < dot.lhs_contracting.size(); ++i) {
    const std::size_t a = at(dot.lhs_contracting[i]), b = at(dot.rhs_contracting[i]);
    k.push_back({lhs.dims[a], lhs.strides[a], rhs.strides[b]});
  }
  m = merged(std::move(m));
  n = merged(std::move(n));
  k = merged(std::move(k));
  if (k.size() > 1) return std::nullopt;

  const SharedDim row = take_inner(m), column = take_inner(n), inner = take_inner(k);
  for (const SharedDim& dim : m) matmul.batch.push_back({dim.extent, dim.second, 0, dim.first});
  for (const SharedDim& dim : n) matmul.batch.push_back({dim.extent, 0, dim.second, dim.first});
  matmul.m = row.extent;
  matmul.n = column.extent;
  matmul.k = inner.extent;
  matmul.c_m = row.first;
  matmul.a_m = row.second;
  matmul.c_n = column.first;
  matmul.b_n = column.second;
  matmul.a_k = inner.first;
  matmul.b_k = inner.second;
  const bool all_fit = fits(matmul.m, matmul.a_m, matmul.k, matmul.a_k) &&
                       fits(matmul.k, matmul.b_k, matmul.n, matmul.b_n) &&
                       fits(matmul.m, matmul.c_m, matmul.n, matmul.c_n);
  if (!all_fit) return std::nullopt;
  return matmul;
}

}  // namespace rhino::lower
