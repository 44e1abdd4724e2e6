// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ir/builder.hpp"

/// Gathers and scatters of HLO beyond those of Programs: with batching dims, along which table and
/// indices run together, and scatters that overwrite. Where few rows are looked up per batch entry
/// they become comparisons with an iota, which any dim may be cut of; else indices of the batching
/// dims join the index vectors.
namespace rhino::ir::hlo {

struct BatchedGather {
  GatherAttr attributes;
  std::vector<std::int64_t> table_batch, index_batch;  ///< dims, pair by pair
};
ValueId expanded_gather(Builder& b, ValueId table, ValueId indices, BatchedGather dims);

struct BatchedScatter {
  ScatterAttr attributes;
  std::vector<std::int64_t> table_batch, index_batch;
  bool overwrites = false;  ///< instead of the reduction: of updates to one element the last stays
};
struct ScatterOperands {
  ValueId table, indices, updates;
};
ValueId expanded_scatter(Builder& b, ScatterOperands operands, BatchedScatter dims);

/// Whether those become comparisons.
bool is_compared(const Shape& table, const Shape& indices, const BatchedGather& dims);
bool is_compared(const Shape& table, const Shape& indices, const Shape& updates,
                 const BatchedScatter& dims);

/// Where a component of each index vector is the vector's own place along a dim of the indices, as
/// in `x[arange(n), y]`, that dim and the table's are batching dims, and `indices` what is left;
/// false, and nothing changes, where there is none, or it would be of no use. In
/// hlo_expand_counted.cpp.
bool take_counted(const Builder& b, ValueId table, ValueId& indices, BatchedGather& dims);
bool take_counted(const Builder& b, const ScatterOperands& operands, ValueId& indices,
                  BatchedScatter& dims);

}  // namespace rhino::ir::hlo
