// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "lower/view.hpp"
#include "rhino/index.hpp"
#include "rhino/program.hpp"

namespace rhino::runtime::cuda {

/// What a reduction keeps and what it folds, as extents, and where elements of its operand,
/// row-major, lie by the index among either.
struct Terms {
  lower::Dims kept, reduced;  ///< extents
  lower::View from_kept, from_reduced;
};

inline Terms terms_of(const Program& program, const Op& reduce) {
  const lower::Dims& dims = program.shape(reduce.operands[0]).dims;
  const lower::Dims strides = lower::dense_strides(dims);
  const lower::Dims& reduced = reduce.attributes.get<ReduceAttr>().dims;
  Terms terms;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const bool is_reduced = contains(reduced, static_cast<std::int64_t>(d));
    (is_reduced ? terms.reduced : terms.kept).push_back(dims[d]);
    (is_reduced ? terms.from_reduced : terms.from_kept).strides.push_back(strides[d]);
  }
  return terms;
}

inline std::int64_t product(const lower::Dims& dims) {
  std::int64_t result = 1;
  for (std::int64_t extent : dims) result *= extent;
  return result;
}

}  // namespace rhino::runtime::cuda
