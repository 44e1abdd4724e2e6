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

}  // namespace rhino::ir::hlo
