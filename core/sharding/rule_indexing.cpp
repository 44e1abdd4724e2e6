// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "rhino/index.hpp"
#include "sharding/rule_maker.hpp"

namespace rhino::sharding {
namespace {

using Dims = std::vector<std::int64_t>;

// Dims 0 .. rank-1 that are not in `left_out`.
Dims others(std::size_t rank, const Dims& left_out) {
  Dims kept;
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(rank); ++d) {
    if (!contains(left_out, d)) kept.push_back(d);
  }
  return kept;
}

void block_index_vector(RuleMaker& maker, std::int64_t dim) {
  const auto& extents = maker.shape(1).dims;
  if (dim == static_cast<std::int64_t>(extents.size())) return;  // an implied dim of one
  maker.operand(1, dim) = maker.blocked(extents[static_cast<std::size_t>(dim)]);
}

void gather_rule(RuleMaker& maker) {
  const auto& attributes = maker.attributes<GatherAttr>();
  const auto& extents = maker.shape(0).dims;
  std::size_t next_offset = 0;
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(extents.size()); ++d) {
    const std::int64_t extent = extents[static_cast<std::size_t>(d)];
    const std::int64_t taken = attributes.slice_sizes[static_cast<std::size_t>(d)];
    if (!contains(attributes.collapsed_slice_dims, d)) {
      const std::int64_t offset_dim = attributes.offset_dims[next_offset++];
      if (taken > 1) {
        maker.join(0, d, offset_dim, taken == extent);
        continue;
      }
    }
    // Of a part each device adds what it holds of it, and truth values have no sum.
    const bool looked_up =
        taken == 1 && contains(attributes.start_index_map, d) && maker.shape().dtype != DType::pred;
    maker.operand(0, d) =
        maker.loop(extent, looked_up ? Factor::Kind::indexed : Factor::Kind::blocked);
  }
  const Dims batch = others(maker.shape().dims.size(), attributes.offset_dims);
  const Dims index = others(maker.shape(1).dims.size(), {attributes.index_vector_dim});
  for (std::size_t i = 0; i < batch.size(); ++i) maker.join(1, index[i], batch[i]);
  block_index_vector(maker, attributes.index_vector_dim);
  maker.passes_sum(0);
}

// Table dims: those of a window run along the updates' window where it covers them; inserted ones
// are indexed.
void scatter_table_dims(RuleMaker& maker) {
  const auto& attributes = maker.attributes<ScatterAttr>();
  const auto& extents = maker.shape(0).dims;
  std::size_t next_window = 0;
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(extents.size()); ++d) {
    const std::int64_t extent = extents[static_cast<std::size_t>(d)];
    std::int64_t taken = 1;
    std::int64_t window_dim = -1;
    if (!contains(attributes.inserted_window_dims, d)) {
      window_dim = attributes.update_window_dims[next_window++];
      taken = maker.shape(2).dims[static_cast<std::size_t>(window_dim)];
    }
    if (taken == extent) {
      maker.join(0, d, d);
      if (window_dim >= 0) maker.operand(2, window_dim) = maker.result(d);
      continue;
    }
    const bool looked_up = taken == 1 && contains(attributes.scatter_dims_to_operand_dims, d);
    maker.result(d) = maker.loop(extent, looked_up ? Factor::Kind::indexed : Factor::Kind::blocked);
    maker.operand(0, d) = maker.result(d);
    if (window_dim >= 0) maker.operand(2, window_dim) = maker.blocked(taken);
  }
}

// Updates may be dealt out to devices that start from zeros: their tables are partial sums.
void scatter_rule(RuleMaker& maker) {
  const auto& attributes = maker.attributes<ScatterAttr>();
  const bool sums = attributes.reduction == Reduction::sum;
  const bool from_zero = sums && maker.is_zero(0);
  scatter_table_dims(maker);
  const Dims batch = others(maker.shape(2).dims.size(), attributes.update_window_dims);
  const Dims index = others(maker.shape(1).dims.size(), {attributes.index_vector_dim});
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::int64_t extent = maker.shape(2).dims[static_cast<std::size_t>(batch[i])];
    maker.operand(2, batch[i]) =
        maker.loop(extent, from_zero ? Factor::Kind::reduction : Factor::Kind::blocked);
    maker.operand(1, index[i]) = maker.operand(2, batch[i]);
  }
  block_index_vector(maker, attributes.index_vector_dim);
  if (!sums) return;
  maker.passes_sum(2);
  if (from_zero) return;
  maker.passes_sum(0);
  maker.passes_sum_together();
}

}  // namespace

void indexing_rule(RuleMaker& maker) {
  return maker.op().kind == OpKind::gather ? gather_rule(maker) : scatter_rule(maker);
}

}  // namespace rhino::sharding
