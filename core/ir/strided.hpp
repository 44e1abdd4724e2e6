// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace rhino::ir {

inline std::vector<std::int64_t> row_major_strides(const std::vector<std::int64_t>& dims) {
  std::vector<std::int64_t> strides(dims.size());
  std::int64_t stride = 1;
  for (std::size_t d = dims.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= dims[d];
  }
  return strides;
}

/// Where an element lies in N tensors that are walked together.
template <std::size_t N>
using Offsets = std::array<std::int64_t, N>;

/// Calls `visit(offsets)` for every index of `dims` in row-major order; tensor t is walked from
/// `offsets[t]` with `strides[t]` elements per dim.
template <std::size_t N, typename Visit>
void for_each_index(const std::vector<std::int64_t>& dims,
                    const std::array<std::vector<std::int64_t>, N>& strides, Offsets<N> offsets,
                    Visit visit) {
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return;
  if (dims.empty()) return visit(offsets);
  const std::size_t last = dims.size() - 1;
  Offsets<N> step;
  for (std::size_t t = 0; t < N; ++t) step[t] = strides[t][last];
  std::vector<std::int64_t> index(last);
  for (;;) {
    Offsets<N> at = offsets;
    for (std::int64_t i = 0; i < dims[last]; ++i) {
      visit(static_cast<const Offsets<N>&>(at));
      for (std::size_t t = 0; t < N; ++t) at[t] += step[t];
    }
    std::size_t d = last;
    for (; d-- > 0;) {
      for (std::size_t t = 0; t < N; ++t) offsets[t] += strides[t][d];
      if (++index[d] < dims[d]) break;
      for (std::size_t t = 0; t < N; ++t) offsets[t] -= strides[t][d] * dims[d];
      index[d] = 0;
    }
    if (d == static_cast<std::size_t>(-1)) return;
  }
}

}  // namespace rhino::ir
